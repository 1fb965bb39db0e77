import COverrides
import CPictures
import CRSVG
import LoupeSystem

/// A document that was read, freed once. Its parts must stay until what it was drawn on is finished: cairo asks poppler
/// for the glyphs of Type 3 fonts then.
protocol Document: AnyObject {
    /// In CSS pixels; 0 where it has none.
    var size: (width: Double, height: Double) { get }

    /// Whether it lies on white paper, with which its colours don't blend (ISO 32000-1, 11.4.7).
    var isOnPaper: Bool { get }

    /// Draws the document onto a context of cairo, in its own size at the origin, without its paper.
    /// - Parameter keepsImages: whether images keep all of their pixels, for an output that is drawn larger.
    /// - Throws: `undrawable`, with the library's reason.
    func draw(onto context: OpaquePointer, keepsImages: Bool) throws(HelperRefusal)

    /// Draws a part of the document, stretched to a rect, as premultiplied words of alpha, red, green and blue, which must
    /// all be 0 before.
    func draw(_ place: DrawingPlace, into words: UnsafeMutableRawBufferPointer) throws(HelperRefusal)
}

extension Document {
    func drawOnce(_ place: DrawingPlace, into words: UnsafeMutableRawBufferPointer) throws(HelperRefusal) {
        let (columns, rows) = (Int32(place.columns.count), Int32(place.rows.count))
        let surface = cairo_image_surface_create_for_data(
            words.baseAddress, CAIRO_FORMAT_ARGB32, columns, rows, columns * 4)
        defer { cairo_surface_destroy(surface) }
        guard let context = cairo_create(surface) else { throw HelperRefusal(.outOfMemory) }
        defer { cairo_destroy(context) }
        cairo_translate(context, place.x - Double(place.columns.lowerBound), place.y - Double(place.rows.lowerBound))
        cairo_scale(context, place.width / size.width, place.height / size.height)
        try draw(onto: context, keepsImages: false)
        if isOnPaper {
            cairo_set_operator(context, CAIRO_OPERATOR_DEST_OVER)
            cairo_set_source_rgb(context, 1, 1, 1)
            cairo_paint(context)
        }
        try check(cairo_status(context))
        cairo_surface_flush(surface)
    }
}

/// Throws where cairo's status is an error.
func check(_ status: cairo_status_t) throws(HelperRefusal) {
    if status == CAIRO_STATUS_NO_MEMORY { throw HelperRefusal(.outOfMemory) }
    if status != CAIRO_STATUS_SUCCESS {
        throw HelperRefusal(.undrawable, String(cString: cairo_status_to_string(status)))
    }
}

extension UnsafeMutablePointer<GError>? {
    /// The message in one line; frees the error.
    func reason(of library: String) -> String {
        guard let error = self else { return "\(library) gives no reason" }
        defer { g_error_free(error) }
        return String(cString: error.pointee.message).split(separator: "\n").joined(separator: " ")
    }
}

/// Answers requests about documents. The requests are trusted, the documents are not.
struct DocumentService {
    private var documents: [UInt32: any Document] = [:]
    /// The file that was written last, until it is fetched.
    private var file: [UInt8] = []

    mutating func answer(_ bytes: [UInt8], memory: UnsafeMutableRawBufferPointer) throws(HelperRefusal) -> [UInt8] {
        var request = MessageReader(bytes)
        var answer = MessageWriter()
        switch HelperTask(rawValue: request.number()) {
        case .openSVG: try keep(request.number(), SVGDocument(Array(request.takeRest())), &answer)
        case .openPDF:
            let (number, page) = (request.number(UInt32.self), Int(request.number(UInt32.self)))
            try keep(number, PDFDocument(Array(request.takeRest()), page: page), &answer)
        case .draw: answer.write(block: try draw(&request, into: memory).utf8.prefix(1000))
        case .facts:
            guard let page = documents[request.number()] as? PDFDocument else { throw HelperRefusal(.invalidRequest) }
            page.writeFacts(to: &answer)
        case .names: try find(&request, &answer)
        case .close: documents[request.number()] = nil
        case .text: try TextLayout.answer(TextRequest(&request), memory: memory, &answer)
        case .write:
            let written = try FilePainter.write(&request)
            file = written.bytes
            answer.write(UInt64(file.count))
            answer.write(UInt32(written.pixelated.count))
            for index in written.pixelated { answer.write(UInt32(index)) }
        case .fetch:
            guard memory.count == file.count else { throw HelperRefusal(.invalidRequest) }
            memory.copyBytes(from: file)
            file = []
        case .exr:
            let size = try EXRPicture.read(request.takeRest(), into: memory)
            answer.write(UInt16(clamping: size.width))
            answer.write(UInt16(clamping: size.height))
        case .tiff: try RasterPicture.read(&request, by: cpicture_read_tiff, into: memory, &answer)
        case .gif: try RasterPicture.read(&request, by: cpicture_read_gif, into: memory, &answer)
        case .heif: try RasterPicture.read(&request, by: cpicture_read_heif, into: memory, &answer)
        case .packTIFF:
            file = try RasterPicture.write(&request)
            answer.write(UInt64(file.count))
        case nil: throw HelperRefusal(.invalidRequest)
        }
        return answer.bytes
    }

    /// Draws a block of a document, and returns what is to be said of it.
    private func draw(
        _ request: inout MessageReader, into memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> String {
        let document = documents[request.number()]
        let place = DrawingPlace(&request)
        guard let document, !memory.isEmpty, memory.count == place.columns.count * place.rows.count * 4 else {
            throw HelperRefusal(.invalidRequest)
        }
        _ = overrides_lost_picture()
        try document.draw(place, into: memory)
        let complaint = (document as? PDFDocument)?.complaint ?? ""
        let lost = overrides_lost_picture()
        guard complaint.isEmpty, lost.width > 0 else { return complaint }
        return "a picture of \(lost.width)×\(lost.height) pixels is left out; make its sides at most 32767 pixels"
    }

    /// Finds texts and elements of a document by their names, `text:TEXT` and `id:NAME`.
    private func find(_ request: inout MessageReader, _ answer: inout MessageWriter) throws(HelperRefusal) {
        let document = documents[request.number()]
        let svg = document as? SVGDocument
        guard let page = try svg?.withTexts() ?? document as? PDFDocument else {
            throw HelperRefusal(.invalidRequest)
        }
        for name in request.list({ $0.text() }) {
            let isElement = name.hasPrefix("id:")
            let boxes =
                isElement
                ? [svg?.box(of: String(name.dropFirst(3)))].compactMap(\.self)
                : page.boxes(of: String(name.dropFirst(5)))
            answer.write(UInt32(boxes.count))
            for box in boxes {
                for edge in box + (isElement ? [0, 0, 1, 1] : page.room(around: box)) { answer.write(edge) }
            }
        }
        answer.write(block: page.text.utf8.prefix(1 << 20))
    }

    private mutating func keep(_ number: UInt32, _ document: some Document, _ answer: inout MessageWriter) {
        documents[number] = document
        answer.write(document.size.width, document.size.height)
        answer.write(UInt32(clamping: (document as? PDFDocument)?.pageCount ?? 1))
    }
}
