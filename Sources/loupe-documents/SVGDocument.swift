import CRSVG
import LoupeSystem

/// An SVG, drawn by librsvg.
final class SVGDocument: Document {
    private let handle: UnsafeMutablePointer<RsvgHandle>
    /// Nil where the document can be drawn at any size as it is.
    private let part: SVGPart?
    let size: (width: Double, height: Double)

    /// Parses a document that refers to nothing outside itself: librsvg gives it no other file.
    convenience init(_ bytes: [UInt8]) throws(HelperRefusal) {
        if let reference = OutsideReferences.first(in: bytes) { throw HelperRefusal(.external, reference) }
        // draw.io writes "Text is not SVG" for programs without HTML, which draw its texts all the same.
        var bytes = bytes
        if let test = bytes[...].firstIndex(of: Self.testOfHTML) {
            bytes.replaceSubrange(test..<test + Self.testOfHTML.utf8.count, with: "<g/>".utf8)
        }
        // A common name for the type, which librsvg does not know.
        var end = 0
        while let type = bytes[end...].firstIndex(of: "data:image/jpg;") {
            end = type + "data:image/jpg;".utf8.count
            bytes.replaceSubrange(type..<end, with: "data:image/jpeg;".utf8)
        }
        bytes = SVGPoints.spelled(in: bytes)
        try self.init(bytes, SVGPart(of: bytes))
    }

    /// Letters have 16 pixels where nothing says a size, as in browsers; librsvg's have 12.
    private static let defaults = ":root:not([font-size]){font-size:16px}"
    private static let testOfHTML = #"<g requiredFeatures="http://www.w3.org/TR/SVG11/feature#Extensibility"/>"#

    private init(_ bytes: [UInt8], _ part: SVGPart?) throws(HelperRefusal) {
        var error: UnsafeMutablePointer<GError>?
        let handle = bytes.withUnsafeBytes { bytes in
            let stream = g_memory_input_stream_new_from_data(bytes.baseAddress, bytes.count, nil)
            defer { g_object_unref(stream) }
            // An image may be larger than libxml2's 10 MB. Small documents that multiply themselves are refused by its limits,
            // large ones by those of this process alone.
            let flags = bytes.count > 10_000_000 ? RSVG_HANDLE_FLAG_UNLIMITED : RSVG_HANDLE_FLAGS_NONE
            return rsvg_handle_new_from_stream_sync(stream, nil, flags, nil, &error)
        }
        guard let handle else { throw HelperRefusal(.damaged, error.reason(of: "librsvg")) }
        (self.handle, self.part) = (handle, part)
        rsvg_handle_set_dpi(handle, 96)
        rsvg_handle_set_stylesheet(handle, Self.defaults, gsize(Self.defaults.utf8.count), nil)
        size = Self.size(of: handle)
    }

    deinit { g_object_unref(handle) }

    private static func size(of handle: UnsafeMutablePointer<RsvgHandle>) -> (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0 { return (width, height) }
        var (wide, high, box) = (RsvgLength(), RsvgLength(), RsvgRectangle())
        var (hasWidth, hasHeight, hasBox): (gboolean, gboolean, gboolean) = (0, 0, 0)
        rsvg_handle_get_intrinsic_dimensions(handle, &hasWidth, &wide, &hasHeight, &high, &hasBox, &box)
        guard hasBox != 0, box.width > 0, box.height > 0 else { return (0, 0) }
        // Where one is given, the other follows from the proportions of the box.
        if hasWidth != 0, let width = pixels(wide) { return (width, width * box.height / box.width) }
        if hasHeight != 0, let height = pixels(high) { return (height * box.width / box.height, height) }
        return (box.width, box.height)
    }

    /// A length at 96 dpi, with letters of 16 pixels; nil for a part of a size that nobody knows.
    private static func pixels(_ length: RsvgLength) -> Double? {
        let unit: Double
        switch length.unit {
        case RSVG_UNIT_PX: unit = 1
        case RSVG_UNIT_IN: unit = 96
        case RSVG_UNIT_CM: unit = 96 / 2.54
        case RSVG_UNIT_MM: unit = 96 / 25.4
        case RSVG_UNIT_PT: unit = 96.0 / 72
        case RSVG_UNIT_PC, RSVG_UNIT_EM: unit = 16
        case RSVG_UNIT_EX: unit = 8
        default: return nil
        }
        return length.length > 0 ? length.length * unit : nil
    }

    /// What earlier drawings did to the fonts changes nothing: where one did, this is drawn with new ones.
    func draw(_ place: DrawingPlace, into words: UnsafeMutableRawBufferPointer) throws(HelperRefusal) {
        let (wereFresh, warnings) = (Fonts.areFresh, Fonts.warnings)
        Fonts.areFresh = false
        defer { if Fonts.warnings != warnings { Fonts.forget() } }
        do throws(HelperRefusal) {
            try drawPart(place, into: words)
            if wereFresh || Fonts.warnings == warnings { return }
        } catch {
            if wereFresh { throw error }
        }
        Fonts.forget()
        Fonts.areFresh = false
        words.initializeMemory(as: UInt8.self, repeating: 0)
        try drawPart(place, into: words)
    }

    private func drawPart(_ place: DrawingPlace, into words: UnsafeMutableRawBufferPointer) throws(HelperRefusal) {
        guard place.width * place.height > SVGPart.mostPixels, let document = part?.document(for: place, size: size)
        else { return try drawOnce(place, into: words) }
        let (columns, rows) = (0..<place.columns.count, 0..<place.rows.count)
        let whole = DrawingPlace(
            x: 0, y: 0, width: Double(columns.count), height: Double(rows.count), columns: columns, rows: rows)
        try SVGDocument(document, nil).drawOnce(whole, into: words)
    }

    var isOnPaper: Bool { false }

    func draw(onto context: OpaquePointer, keepsImages: Bool) throws(HelperRefusal) {
        var error: UnsafeMutablePointer<GError>?
        var viewport = RsvgRectangle(x: 0, y: 0, width: size.width, height: size.height)
        guard rsvg_handle_render_document(handle, context, &viewport, &error) != 0 else {
            let reason = error.reason(of: "librsvg")
            let isOfMemory = reason.contains("NoMemory") || reason.contains("out of memory")
            throw isOfMemory ? HelperRefusal(.outOfMemory) : HelperRefusal(.undrawable, reason)
        }
    }

    // MARK: - Names

    /// A PDF of the document, whose texts poppler finds. The document looks otherwise from then on.
    func withTexts() throws(HelperRefusal) -> PDFDocument {
        // With these, librsvg draws texts as pixels.
        let plain =
            Self.defaults
            + "*{opacity:1!important;filter:none!important;mask:none!important;mix-blend-mode:normal!important}"
        rsvg_handle_set_stylesheet(handle, plain, gsize(plain.utf8.count), nil)
        let warnings = Fonts.warnings
        Fonts.areFresh = false
        defer { if Fonts.warnings != warnings { Fonts.forget() } }
        let file = WrittenFile()
        defer { withExtendedLifetime(file) {} }
        let surface = cairo_pdf_surface_create_for_stream(WrittenFile.write, file.closure, size.width, size.height)
        defer { cairo_surface_destroy(surface) }
        guard let context = cairo_create(surface) else { throw HelperRefusal(.outOfMemory) }
        defer { cairo_destroy(context) }
        try draw(onto: context, keepsImages: true)
        cairo_show_page(context)
        cairo_surface_finish(surface)
        try check(cairo_surface_status(surface))
        return try PDFDocument(file.bytes, page: 1)
    }

    /// The edges of what an element draws, as parts of the document's width and height; nil where there is no such element.
    func box(of id: String) -> [Double]? {
        var (whole, box) = (RsvgRectangle(x: 0, y: 0, width: size.width, height: size.height), RsvgRectangle())
        // Without strokes: with those, librsvg adds the origin to the box of a straight line.
        guard rsvg_handle_get_geometry_for_layer(handle, "#\(id)", &whole, nil, &box, nil) != 0 else { return nil }
        let (right, bottom) = (box.x + box.width, box.y + box.height)
        return [box.x / size.width, box.y / size.height, right / size.width, bottom / size.height]
    }
}
