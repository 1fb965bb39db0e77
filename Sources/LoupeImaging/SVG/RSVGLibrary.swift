import Glibc

/// The functions of librsvg, cairo and GLib that are used, as their headers declare them.
///
/// The library is opened when the first SVG is read. Linking it would load some forty libraries at every start.
struct RSVGLibrary: @unchecked Sendable {
    typealias Object = UnsafeMutableRawPointer
    /// Where a function writes a `GError`.
    typealias ErrorOutput = UnsafeMutablePointer<Object?>
    typealias Numbers = UnsafeMutablePointer<Double>
    typealias Flag = UnsafeMutablePointer<Int32>

    let newStream: @convention(c) (UnsafeRawPointer?, Int, Object?) -> Object?
    let newFile: @convention(c) (UnsafePointer<CChar>) -> Object?
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

    /// Nil where librsvg is not installed, or is older than 2.52.
    static let shared = RSVGLibrary()

    private init?() {
        guard let library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL) else { return nil }
        // Finds also symbols of the libraries under it.
        func symbol(_ name: String) -> Object? { dlsym(library, name) }
        let names = [
            "g_memory_input_stream_new_from_data", "g_file_new_for_path", "g_object_unref", "g_error_free",
            "rsvg_handle_new_from_stream_sync", "rsvg_handle_set_dpi", "rsvg_handle_get_intrinsic_size_in_pixels",
            "rsvg_handle_get_intrinsic_dimensions", "rsvg_handle_render_document",
            "cairo_image_surface_create_for_data", "cairo_create", "cairo_translate", "cairo_scale", "cairo_status",
            "cairo_status_to_string", "cairo_destroy", "cairo_surface_flush", "cairo_surface_destroy",
        ]
        let found = names.compactMap(symbol)
        guard found.count == names.count else { return nil }
        func function<Signature>(_ index: Int) -> Signature { unsafeBitCast(found[index], to: Signature.self) }
        (newStream, newFile, unref, freeError) = (function(0), function(1), function(2), function(3))
        (newHandle, setDPI, pixelSize) = (function(4), function(5), function(6))
        (dimensions, render) = (function(7), function(8))
        (newSurface, newContext) = (function(9), function(10))
        (translate, scale) = (function(11), function(12))
        (status, statusText) = (function(13), function(14))
        (freeContext, flush, freeSurface) = (function(15), function(16), function(17))
    }

    /// The message of a `GError` in one line; frees the error.
    func reason(_ error: Object?) -> String {
        guard let error else { return "librsvg gives no reason" }
        defer { freeError(error) }
        // The message comes after a domain and a code of 4 bytes each.
        let text = error.load(fromByteOffset: 8, as: UnsafePointer<CChar>.self)
        return String(cString: text).split(separator: "\n").joined(separator: " ")
    }
}

/// An `RsvgHandle`, freed once.
final class SVGHandle: @unchecked Sendable {
    private let object: RSVGLibrary.Object
    private let library: RSVGLibrary

    struct Failure: Error {
        /// The library's message.
        let reason: String
    }

    /// - Parameter path: of the file, from whose folder librsvg may read images; nil where it may read none.
    init(_ bytes: [UInt8], path: String?, _ library: RSVGLibrary) throws(Failure) {
        let file = path.flatMap { library.newFile($0) }
        var error: RSVGLibrary.Object?
        let object = bytes.withUnsafeBytes { bytes in
            let stream = library.newStream(bytes.baseAddress, bytes.count, nil)
            defer { library.unref(stream) }
            return library.newHandle(stream, file, 0, nil, &error)
        }
        if let file { library.unref(file) }
        guard let object else { throw Failure(reason: library.reason(error)) }
        (self.object, self.library) = (object, library)
        library.setDPI(object, 96)
    }

    deinit { library.unref(object) }

    /// The document's size in CSS pixels; nil where it has none.
    var size: (width: Double, height: Double)? {
        var (width, height) = (0.0, 0.0)
        if library.pixelSize(object, &width, &height) != 0 { return (width, height) }
        var hasBox: Int32 = 0
        var box = [0.0, 0.0, 0.0, 0.0]
        library.dimensions(object, nil, nil, nil, nil, &hasBox, &box)
        return hasBox != 0 ? (box[2], box[3]) : nil
    }

    /// Draws to premultiplied words of alpha, red, green and blue, which must all be 0 before.
    /// - Parameter viewport: the document's size, which is stretched to the placement's rect.
    func draw(
        _ placement: SVGPlacement, viewport: (width: Double, height: Double), into words: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        let (width, height) = (Int32(placement.columns.count), Int32(placement.rows.count))
        let surface = library.newSurface(words.baseAddress, 0, width, height, width * 4)
        defer { library.freeSurface(surface) }
        guard let context = library.newContext(surface) else { throw Failure(reason: "cairo has no memory") }
        defer { library.freeContext(context) }
        library.translate(
            context, placement.x - Double(placement.columns.lowerBound), placement.y - Double(placement.rows.lowerBound)
        )
        library.scale(context, placement.width / viewport.width, placement.height / viewport.height)
        var error: RSVGLibrary.Object?
        guard library.render(object, context, [0, 0, viewport.width, viewport.height], &error) != 0 else {
            throw Failure(reason: library.reason(error))
        }
        let status = library.status(context)
        if status != 0 { throw Failure(reason: String(cString: library.statusText(status))) }
        library.flush(surface)
    }
}
