import Glibc
import LoupeFiles

/// The functions of librsvg, cairo and GLib that are used, as their headers declare them.
///
/// The library is opened when the first SVG is read. Linking it would load some forty libraries at every start.
package struct RSVGLibrary: @unchecked Sendable {
    package typealias Object = UnsafeMutableRawPointer
    /// Where a function writes a `GError`.
    typealias ErrorOutput = UnsafeMutablePointer<Object?>
    typealias Numbers = UnsafeMutablePointer<Double>
    typealias Flag = UnsafeMutablePointer<Int32>

    let newStream: @convention(c) (UnsafeRawPointer?, Int, Object?) -> Object?
    let unref: @convention(c) (Object?) -> Void
    let freeError: @convention(c) (Object?) -> Void

    /// Stream, base file, flags, cancellable.
    let newHandle: @convention(c) (Object?, Object?, UInt32, Object?, ErrorOutput) -> Object?
    let setDPI: @convention(c) (Object, Double) -> Void
    let pixelSize: @convention(c) (Object, Numbers, Numbers) -> Int32
    /// Handle; whether there is a width, the width (a number and a unit); the same for the height and for the viewBox.
    let dimensions: @convention(c) (Object, Flag?, Numbers?, Flag?, Numbers?, Flag, Numbers) -> Void
    /// Handle, context, viewport (x, y, width, height).
    let render: @convention(c) (Object, Object, UnsafePointer<Double>, ErrorOutput) -> Int32

    /// Pixels, format, width, height, bytes of a row.
    let newSurface: @convention(c) (UnsafeMutableRawPointer?, Int32, Int32, Int32, Int32) -> Object?
    let newContext: @convention(c) (Object?) -> Object?
    let translate: @convention(c) (Object, Double, Double) -> Void
    let scale: @convention(c) (Object, Double, Double) -> Void
    let status: @convention(c) (Object) -> Int32
    let statusText: @convention(c) (Int32) -> UnsafePointer<CChar>
    let freeContext: @convention(c) (Object?) -> Void
    let flush: @convention(c) (Object?) -> Void
    let freeSurface: @convention(c) (Object?) -> Void

    /// libxml2's.
    let xml: XMLFunctions

    let library: Object

    /// Nil where librsvg is not installed, or is older than 2.52.
    package static let shared = RSVGLibrary()

    private init?() {
        guard let library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL) else { return nil }
        // Finds also symbols of the libraries under it.
        func symbol(_ name: String) -> Object? { dlsym(library, name) }
        let names = [
            "g_memory_input_stream_new_from_data", "g_object_unref", "g_error_free",
            "rsvg_handle_new_from_stream_sync", "rsvg_handle_set_dpi", "rsvg_handle_get_intrinsic_size_in_pixels",
            "rsvg_handle_get_intrinsic_dimensions", "rsvg_handle_render_document",
            "cairo_image_surface_create_for_data", "cairo_create", "cairo_translate", "cairo_scale", "cairo_status",
            "cairo_status_to_string", "cairo_destroy", "cairo_surface_flush", "cairo_surface_destroy",
        ]
        let found = names.compactMap(symbol)
        guard found.count == names.count, let xml = XMLFunctions(symbol) else { return nil }
        (self.library, self.xml) = (library, xml)
        func function<Signature>(_ index: Int) -> Signature { unsafeBitCast(found[index], to: Signature.self) }
        (newStream, unref, freeError) = (function(0), function(1), function(2))
        (newHandle, setDPI, pixelSize) = (function(3), function(4), function(5))
        (dimensions, render) = (function(6), function(7))
        (newSurface, newContext) = (function(8), function(9))
        (translate, scale) = (function(10), function(11))
        (status, statusText) = (function(12), function(13))
        (freeContext, flush, freeSurface) = (function(14), function(15), function(16))
    }

    /// A function of librsvg or of a library under it, such as cairo; nil where there is none.
    package func symbol(_ name: String) -> Object? { dlsym(library, name) }

    /// The message of a `GError` in one line; frees the error.
    func reason(_ error: Object?) -> String {
        guard let error else { return "librsvg gives no reason" }
        defer { freeError(error) }
        // The message comes after a domain and a code of 4 bytes each.
        let text = error.load(fromByteOffset: 8, as: UnsafePointer<CChar>.self)
        return String(cString: text).split(separator: "\n").joined(separator: " ")
    }
}

// MARK: - Fonts

extension RSVGLibrary {
    /// Forgets the fonts that were opened.
    ///
    /// Pango 1.50 measures a font at its size × scale². Where that is 65,536 or more, FreeType fails, and cairo keeps the
    /// font's error: all later texts in that font fail, at any scale. The text itself needs only size × scale.
    package func forgetFonts() {
        typealias SetFonts = @convention(c) (Object?) -> Void
        guard let setFonts = dlsym(library, "pango_cairo_font_map_set_default") else { return }
        unsafeBitCast(setFonts, to: SetFonts.self)(nil)
        fontState.isFresh = true
    }

    /// Takes GLib's messages off standard error, but for that of an error that ends the process, and counts them.
    package func catchWarnings() {
        typealias Writer = @convention(c) (UInt32, UnsafeRawPointer?, Int, Object?) -> Int32
        typealias SetWriter = @convention(c) (Writer, Object?, Object?) -> Void
        guard let setWriter = dlsym(library, "g_log_set_writer_func") else { return }
        fontState.writeDefault = dlsym(library, "g_log_writer_default").map { unsafeBitCast($0, to: Writer.self) }
        let write: Writer = { level, fields, count, data in
            fontState.warnings += 1
            let isFatal = level & 1 << 2 != 0
            return isFatal ? fontState.writeDefault?(level, fields, count, data) ?? 1 : 1
        }
        unsafeBitCast(setWriter, to: SetWriter.self)(write, nil, nil)
    }
}

/// What the drawing thread of a helper process knows of its fonts.
package struct FontState {
    /// How many messages GLib and Pango wrote.
    package var warnings = 0
    /// Whether nothing was drawn since the fonts were forgotten.
    var isFresh = false
    fileprivate var writeDefault: (@convention(c) (UInt32, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32)?
}

// In a helper process one thread draws. In other processes only `isFresh` is written, and it is only a hint there.
nonisolated(unsafe) package var fontState = FontState()

// MARK: - Pixels

extension RSVGLibrary {
    /// Draws premultiplied words of alpha, red, green and blue. Returns why it could not, as a clause.
    /// - Parameters:
    ///   - size: what `body` draws on, from the origin; it is stretched to the placement's rect.
    ///   - body: draws on a context, and returns why it could not.
    func draw(
        _ placement: SVGPlacement, _ size: (width: Double, height: Double), into words: UnsafeMutableRawBufferPointer,
        _ body: (Object) -> String?
    ) -> String? {
        let (width, height) = (Int32(placement.columns.count), Int32(placement.rows.count))
        let surface = newSurface(words.baseAddress, 0, width, height, width * 4)
        defer { freeSurface(surface) }
        guard let context = newContext(surface) else { return "out of memory" }
        defer { freeContext(context) }
        translate(
            context, placement.x - Double(placement.columns.lowerBound), placement.y - Double(placement.rows.lowerBound)
        )
        scale(context, placement.width / size.width, placement.height / size.height)
        if let reason = body(context) { return reason }
        let status = status(context)
        if status != 0 { return String(cString: statusText(status)) }
        flush(surface)
        return nil
    }

    /// Paints all of a context white.
    func whiten(_ context: Object) {
        typealias SetColor = @convention(c) (Object, Double, Double, Double) -> Void
        typealias Paint = @convention(c) (Object) -> Void
        guard let setColor = symbol("cairo_set_source_rgb"), let paint = symbol("cairo_paint") else { return }
        unsafeBitCast(setColor, to: SetColor.self)(context, 1, 1, 1)
        unsafeBitCast(paint, to: Paint.self)(context)
    }
}

// MARK: - Documents

/// An `RsvgHandle`, freed once.
package final class SVGHandle: @unchecked Sendable {
    private let object: RSVGLibrary.Object
    private let library: RSVGLibrary
    /// Nil where the document can be drawn at any size as it is.
    private let part: SVGPart?

    /// The document's size in CSS pixels; 0 where it has none.
    package let size: (width: Double, height: Double)

    package struct Failure: Error {
        /// The library's message.
        package let reason: String
    }

    /// Parses a document, which librsvg gives no other file to.
    convenience init(_ bytes: [UInt8], _ library: RSVGLibrary) throws(Failure) {
        try self.init(bytes, SVGPart(of: bytes), library)
    }

    private init(_ bytes: [UInt8], _ part: SVGPart?, _ library: RSVGLibrary) throws(Failure) {
        var error: RSVGLibrary.Object?
        let object = bytes.withUnsafeBytes { bytes in
            let stream = library.newStream(bytes.baseAddress, bytes.count, nil)
            defer { library.unref(stream) }
            return library.newHandle(stream, nil, 0, nil, &error)
        }
        guard let object else { throw Failure(reason: library.reason(error)) }
        (self.object, self.library, self.part) = (object, library, part)
        library.setDPI(object, 96)
        size = Self.size(of: object, library)
    }

    deinit { library.unref(object) }

    private static func size(of object: RSVGLibrary.Object, _ library: RSVGLibrary) -> (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        if library.pixelSize(object, &width, &height) != 0 { return (width, height) }
        var hasBox: Int32 = 0
        var box = [0.0, 0.0, 0.0, 0.0]
        library.dimensions(object, nil, nil, nil, nil, &hasBox, &box)
        return hasBox != 0 ? (box[2], box[3]) : (0, 0)
    }

    /// Draws the document, stretched to the placement's rect, to premultiplied words of alpha, red, green and blue, which
    /// must all be 0 before.
    ///
    /// What earlier drawings did to the fonts changes nothing: where one did, this is drawn with new ones.
    func draw(_ placement: SVGPlacement, into words: UnsafeMutableRawBufferPointer) throws(Failure) {
        let (wasFresh, warnings) = (fontState.isFresh, fontState.warnings)
        fontState.isFresh = false
        defer { if fontState.warnings != warnings { library.forgetFonts() } }
        do throws(Failure) {
            try drawOnce(placement, into: words)
            if wasFresh || fontState.warnings == warnings { return }
        } catch {
            if wasFresh { throw error }
        }
        library.forgetFonts()
        fontState.isFresh = false
        words.initializeMemory(as: UInt8.self, repeating: 0)
        try drawOnce(placement, into: words)
    }

    private func drawOnce(_ placement: SVGPlacement, into words: UnsafeMutableRawBufferPointer) throws(Failure) {
        if placement.width * placement.height > SVGPart.mostPixels,
            let document = part?.document(for: placement, size: size)
        {
            let (width, height) = (placement.columns.count, placement.rows.count)
            let whole = SVGPlacement(
                x: 0, y: 0, width: Double(width), height: Double(height), columns: 0..<width, rows: 0..<height)
            return try SVGHandle(document, nil, library).drawOnce(whole, into: words)
        }
        let reason = library.draw(placement, size, into: words) { context in
            do throws(Failure) {
                try self.draw(onto: context)
                return nil
            } catch {
                return error.reason
            }
        }
        if let reason { throw Failure(reason: reason) }
    }

    /// Draws the document onto a cairo context, in its own size at the origin.
    package func draw(onto context: RSVGLibrary.Object) throws(Failure) {
        var error: RSVGLibrary.Object?
        guard library.render(object, context, [0, 0, size.width, size.height], &error) != 0 else {
            throw Failure(reason: library.reason(error))
        }
    }
}
