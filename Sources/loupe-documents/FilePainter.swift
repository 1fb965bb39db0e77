import COverrides
import CRSVG
import Glibc
import LoupeSystem

/// A file that cairo writes. It must stay until its surface is finished.
final class WrittenFile {
    private(set) var bytes: [UInt8] = []

    /// For cairo, beside `write`.
    var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let write: cairo_write_func_t = { closure, bytes, count in
        let file = Unmanaged<WrittenFile>.fromOpaque(closure!).takeUnretainedValue()
        file.bytes += UnsafeBufferPointer(start: bytes, count: Int(count))
        return CAIRO_STATUS_SUCCESS
    }
}

/// Writes a PDF or SVG by carrying out the operations of a request on a cairo surface.
///
/// Each image becomes one source surface, which cairo stores once however often it is drawn: pixels as a picture, a JPEG as
/// its own bytes, and a document in a PDF as a recording, a form that keeps its curves and texts. In an SVG a document is the
/// link to a picture, in whose place an SVG of its own is put: cairo loses masks and glyphs of what is recorded.
struct FilePainter {
    private let context: OpaquePointer
    private var sources: [Source] = []
    private var bitmaps: [(source: Source, rect: Rect)] = []
    /// The SVGs of documents, by the images' indices.
    private var drawings: [Int: [UInt8]] = [:]
    /// The indices of documents that have pixels in place of vectors.
    private var pixelated: [Int] = []

    private typealias Rect = (x: Double, y: Double, width: Double, height: Double)

    /// A surface, and the size at which its content fills a rect.
    private struct Source {
        let surface: OpaquePointer
        let width, height: Double
        let isSmooth: Bool
        /// The EXIF orientation, 1 to 8, that it still has to be given.
        var turn = 1
        var isOnPaper = false
    }

    /// Writes a file.
    /// - Throws: `HelperRefusal`: a page can't be drawn, or memory is short.
    /// - Returns: its bytes, and the indices of the images that have pixels in place of vectors.
    static func write(_ request: inout MessageReader) throws(HelperRefusal) -> (bytes: [UInt8], pixelated: [Int]) {
        let (isPDF, width, height) = (request.number(UInt8.self) == 1, request.double(), request.double())
        let file = WrittenFile()
        let new = isPDF ? cairo_pdf_surface_create_for_stream : cairo_svg_surface_create_for_stream
        var documents: [any Document] = []
        // After the surface is freed, which finishes it where an error comes first.
        defer { withExtendedLifetime((documents, file)) {} }
        guard let surface = new(WrittenFile.write, file.closure, width, height) else {
            throw HelperRefusal(.outOfMemory)
        }
        defer { cairo_surface_destroy(surface) }
        let title = request.text()
        if isPDF {
            // In PDFs of version 1.5, which have JPEG 2000, cairo 1.18 packs the table of objects, which `PDFTable` reads.
            let version = cairo_version() < 11_800 ? CAIRO_PDF_VERSION_1_5 : CAIRO_PDF_VERSION_1_4
            cairo_pdf_surface_restrict_to_version(surface, version)
            cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
            // Without a date, the same scene gives the same bytes.
            cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, nil)
        } else {
            // From cairo 1.18 on, lengths are pixels otherwise.
            cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT)
        }
        guard let context = cairo_create(surface) else { throw HelperRefusal(.outOfMemory) }
        defer { cairo_destroy(context) }
        var painter = FilePainter(context: context)
        let size = request.size()
        cairo_scale(context, width / Double(size.width), height / Double(size.height))
        let squares = try painter.readImages(&request, &documents, isPDF: isPDF)
        try painter.readBitmaps(&request)
        try painter.paint(&request)
        cairo_show_page(context)
        try check(cairo_status(context))
        cairo_surface_finish(surface)
        try check(cairo_surface_status(surface))
        if isPDF { return (PDFResources.withoutDuplicates(file.bytes), []) }
        let plain = SVGFile.withSquares(SVGFile.withoutCopies(file.bytes), in: squares)
        return (SVGFile.placing(painter.drawings, in: plain), painter.pixelated)
    }

    private init(context: OpaquePointer) { self.context = context }

    // MARK: - Sources

    /// Returns the sizes of the images whose pixels are shown as squares.
    private mutating func readImages(
        _ request: inout MessageReader, _ documents: inout [any Document], isPDF: Bool
    ) throws(HelperRefusal) -> [(width: Int, height: Int)] {
        var squares: [(width: Int, height: Int)] = []
        let count = request.number(UInt32.self)
        for index in 0..<count {
            step(Int(index))
            let (isSmooth, magnification) = (request.number(UInt8.self) != 0, request.double())
            var source: Source
            switch VectorCode.Image(rawValue: request.number()) {
            case .svg:
                let document = try SVGDocument(Array(request.block()))
                documents.append(document)
                source = try read(document, Int(index), magnification, isPDF: isPDF)
            case .pdf:
                let page = Int(request.number(UInt32.self))
                let document = try PDFDocument(Array(request.block()), page: page)
                documents.append(document)
                source = try read(document, Int(index), magnification, isPDF: isPDF)
            case .jpeg:
                let (turn, size) = (Int(request.number(UInt8.self)), request.size())
                source = try Self.picture(size, CAIRO_FORMAT_RGB24, isSmooth: isSmooth) { _ in }
                source.turn = turn
                try Self.attach(request.block(), to: source.surface)
                if !isSmooth { squares.append(size) }
            case .pixels:
                let (size, pixels) = (request.size(), Array(request.block()))
                let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
                source = try Self.picture(
                    size, isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, isSmooth: isSmooth
                ) { words in
                    for index in words.indices {
                        words[index] = Self.premultiplied(pixels[(index * 4)...], alpha: UInt32(pixels[index * 4 + 3]))
                    }
                }
                if !isSmooth { squares.append(size) }
            case nil: throw HelperRefusal(.invalidRequest)
            }
            sources.append(source)
        }
        step(Int(count))
        return squares
    }

    /// Says on standard error which image is drawn, for a sentence about how this process ended.
    private func step(_ number: Int) {
        let line = "\(HelperProcess.stepMark)\(number)\n"
        _ = Array(line.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private mutating func readBitmaps(_ request: inout MessageReader) throws(HelperRefusal) {
        /// Cairo stores a surface once, however often it is drawn.
        var known: [(key: [UInt8], source: Source)] = []
        for _ in 0..<request.number(UInt32.self) {
            let (rect, size, color) = (request.rect(), request.size(), request.color())
            let coverage = Array(request.block())
            let channels = (0..<4).map { color[$0] }
            let key = channels + coverage
            if let same = known.first(where: { $0.key == key && Int($0.source.width) == size.width }) {
                bitmaps.append((same.source, rect))
                continue
            }
            let source = try Self.picture(size, CAIRO_FORMAT_ARGB32, isSmooth: true) { words in
                for index in words.indices where coverage[index] > 0 {
                    let alpha = (UInt32(color.w) * UInt32(coverage[index]) + 127) / 255
                    words[index] = Self.premultiplied(channels[...], alpha: alpha)
                }
            }
            known.append((key, source))
            bitmaps.append((source, rect))
        }
    }

    /// A word of alpha, red, green and blue, from straight red, green and blue.
    private static func premultiplied(_ bytes: ArraySlice<UInt8>, alpha: UInt32) -> UInt32 {
        func channel(_ offset: Int) -> UInt32 { (UInt32(bytes[bytes.startIndex + offset]) * alpha + 127) / 255 }
        return alpha << 24 | channel(0) << 16 | channel(1) << 8 | channel(2)
    }

    /// - Parameter fill: is passed all words of the picture, which are 0, rows without padding.
    private static func picture(
        _ size: (width: Int, height: Int), _ format: cairo_format_t, isSmooth: Bool,
        fill: (UnsafeMutableBufferPointer<UInt32>) -> Void
    ) throws(HelperRefusal) -> Source {
        let surface = cairo_image_surface_create(format, Int32(size.width), Int32(size.height))
        guard let surface, let pixels = cairo_image_surface_get_data(surface) else { throw HelperRefusal(.outOfMemory) }
        cairo_surface_flush(surface)
        let count = size.width * size.height
        pixels.withMemoryRebound(to: UInt32.self, capacity: count) {
            fill(UnsafeMutableBufferPointer(start: $0, count: count))
        }
        cairo_surface_mark_dirty(surface)
        return Source(surface: surface, width: Double(size.width), height: Double(size.height), isSmooth: isSmooth)
    }

    /// Stores a JPEG's bytes in place of a picture's pixels.
    private static func attach(
        _ bytes: ArraySlice<UInt8>, to surface: OpaquePointer, as type: String = CAIRO_MIME_TYPE_JPEG
    ) throws(HelperRefusal) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        try check(
            cairo_surface_set_mime_data(
                surface, type, copy.baseAddress, UInt(copy.count), { $0?.deallocate() },
                copy.baseAddress))
    }

    /// Draws a document enlarged, as positions are rounded to a 256th.
    private mutating func read(
        _ document: some Document, _ index: Int, _ magnification: Double, isPDF: Bool
    ) throws(HelperRefusal) -> Source {
        let (width, height) = document.size
        var scale = 1.0
        while scale < 16, scale < 4 * magnification, 2 * scale * max(width, height) < 16384 { scale *= 2 }
        while true {
            let warnings = Fonts.warnings
            let result = Result { () throws(HelperRefusal) in
                isPDF
                    ? try Self.recordOnce(document, scale: scale)
                    : try draw(document, index, scale: scale, magnification)
            }
            // Fonts fail where their size times scale² is large.
            if scale == 1 { return try result.get() }
            if case .success(let source) = result, Fonts.warnings == warnings { return source }
            Fonts.forget()
            scale /= 2
        }
    }

    private mutating func draw(
        _ document: some Document, _ index: Int, scale: Double, _ magnification: Double
    ) throws(HelperRefusal) -> Source {
        let density = max(3, 2 * magnification) / scale
        let (width, height) = (document.size.width * scale, document.size.height * scale)
        let file = WrittenFile()
        defer { withExtendedLifetime(file) {} }
        let surface = cairo_svg_surface_create_for_stream(WrittenFile.write, file.closure, width, height)
        defer { cairo_surface_destroy(surface) }
        cairo_surface_set_fallback_resolution(surface, 72 * density, 72 * density)
        guard let context = cairo_create(surface) else { throw HelperRefusal(.outOfMemory) }
        defer { cairo_destroy(context) }
        cairo_set_tolerance(context, scale * cairo_get_tolerance(context))
        cairo_scale(context, scale, scale)
        // Of four output pixels in a loupe, as poppler draws them, and of one on the page.
        overrides_write_svg(density, scale * max(1, 4 / magnification))
        defer { overrides_write_svg(0, 0) }
        try document.draw(onto: context, keepsImages: true)
        cairo_show_page(context)
        cairo_surface_finish(surface)
        try check(cairo_status(context))
        try check(cairo_surface_status(surface))
        let seen = overrides_seen()
        if seen.has_pixels_in_place { pixelated.append(index) }
        let squares = UnsafeBufferPointer(start: seen.squares, count: Int(seen.count)).map {
            (width: Int($0.width), height: Int($0.height))
        }
        let plain = SVGFile.withSquares(SVGFile.withoutCopies(file.bytes), in: squares)
        drawings[index] = SVGFile.content(of: plain, prefix: "d\(index)-", scaledBy: (1 / width, 1 / height))
        var source = try Self.picture((1, 1), CAIRO_FORMAT_RGB24, isSmooth: true) { _ in }
        try Self.attach(Array(SVGFile.link(to: index).utf8)[...], to: source.surface, as: CAIRO_MIME_TYPE_URI)
        source.isOnPaper = document.isOnPaper
        return source
    }

    private static func recordOnce(_ document: some Document, scale: Double) throws(HelperRefusal) -> Source {
        let (width, height) = (document.size.width * scale, document.size.height * scale)
        // librsvg draws text as text only where it sees a surface of PDF. So this records a group of a PDF that is never
        // written.
        // cairo 1.18 takes a rectangle that covers a group for a paint, which it draws elsewhere in an SVG that uses the group
        // twice. So its group is larger than what could cover it.
        let room = cairo_version() < 11_800 ? 1.0 : 4
        let unwritten = cairo_pdf_surface_create_for_stream(nil, nil, room * width, room * height)
        defer { cairo_surface_destroy(unwritten) }
        guard let context = cairo_create(unwritten) else { throw HelperRefusal(.outOfMemory) }
        defer { cairo_destroy(context) }
        // Cairo divides curves only to find how far a stroke reaches: as finely as at the page's own size.
        cairo_set_tolerance(context, scale * cairo_get_tolerance(context))
        cairo_push_group(context)
        if room > 1 {
            cairo_rectangle(context, 0, 0, width, height)
            cairo_clip(context)
        }
        cairo_scale(context, scale, scale)
        try document.draw(onto: context, keepsImages: true)
        try check(cairo_status(context))
        let pattern = cairo_pop_group(context)
        defer { cairo_pattern_destroy(pattern) }
        var group: OpaquePointer?
        try check(cairo_pattern_get_surface(pattern, &group))
        guard let surface = cairo_surface_reference(group) else { throw HelperRefusal(.outOfMemory) }
        return Source(surface: surface, width: width, height: height, isSmooth: true, isOnPaper: document.isOnPaper)
    }

    // MARK: - Operations

    private func paint(_ request: inout MessageReader) throws(HelperRefusal) {
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        for _ in 0..<request.number(UInt32.self) {
            guard let operation = VectorCode.Operation(rawValue: request.number()) else {
                throw HelperRefusal(.invalidRequest)
            }
            try carryOut(operation, &request)
        }
        guard request.isWhole else { throw HelperRefusal(.invalidRequest) }
    }

    private func carryOut(_ operation: VectorCode.Operation, _ request: inout MessageReader) throws(HelperRefusal) {
        switch operation {
        case .save: cairo_save(context)
        case .restore: cairo_restore(context)
        case .transform:
            let (scale, x, y) = (request.double(), request.double(), request.double())
            cairo_translate(context, x, y)
            cairo_scale(context, scale, scale)
        case .clip:
            addPath(&request)
            cairo_clip(context)
        case .fill:
            setColor(&request)
            addPath(&request)
            cairo_fill(context)
        case .gradient: fillGradient(&request)
        case .stroke:
            cairo_set_line_width(context, request.double())
            setColor(&request)
            addPath(&request)
            cairo_stroke(context)
        case .image:
            let index = Int(request.number(UInt32.self))
            paint(sources[index], in: request.rect())
        case .bitmap:
            let bitmap = bitmaps[Int(request.number(UInt32.self))]
            paint(bitmap.source, in: bitmap.rect)
        case .text:
            cairo_save(context)
            try TextLayout.draw(TextRequest(&request), onto: context)
            cairo_restore(context)
        case .beginGroup: cairo_push_group(context)
        case .endGroup:
            let opacity = request.double()
            cairo_pop_group_to_source(context)
            if request.number(UInt8.self) != 0 {
                addPath(&request)
                cairo_clip(context)
            }
            cairo_paint_with_alpha(context, opacity)
        }
    }

    private func setColor(_ request: inout MessageReader) {
        let color = SIMD4<Double>(request.color()) / 255
        cairo_set_source_rgba(context, color.x, color.y, color.z, color.w)
    }

    private func addPath(_ request: inout MessageReader) {
        cairo_new_path(context)
        let count = request.number(UInt32.self)
        for _ in 0..<count {
            switch VectorCode.PathElement(rawValue: request.number()) {
            case .move:
                let (x, y) = request.point()
                cairo_move_to(context, x, y)
                // A dot.
                if count == 1 { cairo_line_to(context, x, y) }
            case .line:
                let (x, y) = request.point()
                cairo_line_to(context, x, y)
            case .curve:
                let (first, second, end) = (request.point(), request.point(), request.point())
                cairo_curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
            case .close, nil: cairo_close_path(context)
            }
        }
    }

    private func fillGradient(_ request: inout MessageReader) {
        let (from, to) = (request.point(), request.point())
        let gradient = cairo_pattern_create_linear(from.x, from.y, to.x, to.y)
        let count = request.number(UInt32.self)
        for index in 0..<count {
            let color = SIMD4<Double>(request.color()) / 255
            cairo_pattern_add_color_stop_rgba(
                gradient, Double(index) / Double(count - 1), color.x, color.y, color.z, color.w)
        }
        cairo_set_source(context, gradient)
        cairo_pattern_destroy(gradient)
        addPath(&request)
        cairo_fill(context)
    }

    /// The transforms of a unit square that give it an orientation: xx, yx, xy, yy, x0, y0 (EXIF 2.32, tag Orientation).
    private static let turns: [[Double]] = [
        [1, 0, 0, 1, 0, 0], [-1, 0, 0, 1, 1, 0], [-1, 0, 0, -1, 1, 1], [1, 0, 0, -1, 0, 1],
        [0, 1, 1, 0, 0, 0], [0, 1, -1, 0, 1, 0], [0, -1, -1, 0, 1, 1], [0, -1, 1, 0, 0, 1],
    ]

    private func paint(_ source: Source, in rect: Rect) {
        cairo_save(context)
        cairo_translate(context, rect.x, rect.y)
        cairo_scale(context, rect.width, rect.height)
        if source.turn != 1 {
            let turn = Self.turns[source.turn - 1]
            var matrix = cairo_matrix_t(xx: turn[0], yx: turn[1], xy: turn[2], yy: turn[3], x0: turn[4], y0: turn[5])
            cairo_transform(context, &matrix)
        }
        if source.isOnPaper {
            cairo_set_source_rgb(context, 1, 1, 1)
            cairo_rectangle(context, 0, 0, 1, 1)
            cairo_fill(context)
        }
        cairo_scale(context, 1 / source.width, 1 / source.height)
        cairo_set_source_surface(context, source.surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), source.isSmooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST)
        cairo_paint(context)
        cairo_restore(context)
    }
}

extension MessageReader {
    fileprivate mutating func size() -> (width: Int, height: Int) {
        (Int(number(UInt32.self)), Int(number(UInt32.self)))
    }

    fileprivate mutating func point() -> (x: Double, y: Double) { (double(), double()) }

    fileprivate mutating func rect() -> (x: Double, y: Double, width: Double, height: Double) {
        (double(), double(), double(), double())
    }
}
