import COverrides
import CPoppler
import LoupeSystem

/// A page of a PDF, drawn by poppler.
///
/// A page is white paper. Scripts are never run, and nothing outside the file is read.
final class PDFDocument: Document {
    private let document, page: OpaquePointer
    /// From 1.
    private let number: Int
    let size: (width: Double, height: Double)
    /// Of the whole file.
    let pageCount: Int
    /// What poppler says of the page, or that nothing of its text is seen; empty where all is well.
    private(set) var complaint = ""

    private static var said: String { Fonts.complaint.map { "poppler says: \($0)" } ?? "" }

    /// CSS pixels in a point.
    private static let pixels = 96.0 / 72

    /// - Parameter number: of the page, from 1.
    init(_ source: [UInt8], page number: Int) throws(HelperRefusal) {
        var error: UnsafeMutablePointer<GError>?
        Fonts.complaint = nil
        let (source, isMaskWrong) = SkiaMasks.repaired(source)
        let bytes = g_bytes_new(source, gsize(source.count))
        defer { g_bytes_unref(bytes) }
        guard let document = poppler_document_new_from_bytes(bytes, nil, &error) else {
            let isEncrypted =
                error.map {
                    $0.pointee.domain == poppler_error_quark() && $0.pointee.code == POPPLER_ERROR_ENCRYPTED.rawValue
                }
            let reason = error.reason(of: "poppler")
            throw HelperRefusal(
                .damaged, isEncrypted == true ? "it is encrypted; save it without a password" : reason)
        }
        let count = Int(poppler_document_get_n_pages(document))
        guard number <= count, let page = poppler_document_get_page(document, Int32(number - 1)) else {
            g_object_unref(UnsafeMutableRawPointer(document))
            let pages = count == 0 ? "no pages" : count == 1 ? "only one page" : "only \(count) pages"
            throw count >= number
                ? HelperRefusal(.damaged, "its page \(number) is broken")
                : HelperRefusal(.missingPage, "there is no page \(number): it has \(pages)")
        }
        (self.document, self.page, self.number, pageCount) = (document, page, number, count)
        var (width, height) = (0.0, 0.0)
        poppler_page_get_size(page, &width, &height)
        size = (width * Self.pixels, height * Self.pixels)
        complaint = isMaskWrong ? "a mask of the file is not drawn" : Self.said
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(page))
        g_object_unref(UnsafeMutableRawPointer(document))
    }

    var isOnPaper: Bool { true }

    func draw(onto context: OpaquePointer, keepsImages: Bool) throws(HelperRefusal) {
        cairo_scale(context, Self.pixels, Self.pixels)
        (keepsImages ? poppler_page_render_for_printing : poppler_page_render)(page, context)
    }

    func draw(_ place: DrawingPlace, into words: UnsafeMutableRawBufferPointer) throws(HelperRefusal) {
        Fonts.complaint = nil
        _ = overrides_damaged_jpeg()
        try drawOnce(place, into: words)
        let damage = String(cString: overrides_damaged_jpeg())
        if complaint.isEmpty { complaint = Self.said }
        if complaint.isEmpty, !damage.isEmpty { complaint = "a picture is damaged: \(damage)" }
        let isWhole = Double(place.columns.count) >= place.width && Double(place.rows.count) >= place.height
        let pixels = words.bindMemory(to: UInt32.self)
        if complaint.isEmpty, isWhole, pixels.allSatisfy({ $0 == pixels[0] }),
            text.contains(where: { !$0.isWhitespace })
        {
            complaint = "nothing of its text is seen"
        }
    }

    // MARK: - Names

    private var points: (width: Double, height: Double) { (size.width / Self.pixels, size.height / Self.pixels) }

    /// The edges of each place of a text from top to bottom, as parts of the page's width and height: where there are whole words,
    /// of those, or else of parts of words. At most 1000 places, so that an answer stays small.
    func boxes(of text: String) -> [[Double]] {
        let (width, height) = points
        // Programs that plot write the minus sign.
        let minus = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "-" ? "\u{2212}" : $0 }))
        for extent in [POPPLER_FIND_WHOLE_WORDS_ONLY.rawValue, 0] {
            for text in [text, minus] {
                // Forwards, poppler leaves out what reaches beyond the page's upper edge.
                let flags = POPPLER_FIND_CASE_SENSITIVE.rawValue | POPPLER_FIND_BACKWARDS.rawValue | extent
                let found = poppler_page_find_text_with_options(page, text, PopplerFindFlags(flags))
                defer {
                    g_list_free_full(found) {
                        poppler_rectangle_free($0?.assumingMemoryBound(to: PopplerRectangle.self))
                    }
                }
                let boxes = Self.elements(of: found, PopplerRectangle.self).prefix(1000).map {
                    [$0.x1 / width, 1 - $0.y2 / height, $0.x2 / width, 1 - $0.y1 / height]
                }
                if !boxes.isEmpty { return boxes.reversed() }
            }
        }
        return []
    }

    /// The edges of what lies nearer to a text's box than to any letter beside, above or beneath it, as parts of the page's width
    /// and height.
    func room(around box: [Double]) -> [Double] {
        var room = [0.0, 0, 1, 1]
        for letter in letters {
            func overlap(_ axis: Int) -> Double { min(letter[axis + 2], box[axis + 2]) - max(letter[axis], box[axis]) }
            let (across, down) = (overlap(0), overlap(1))
            let isWithin = across > 0.5 * (letter[2] - letter[0]) && down > 0.5 * (letter[3] - letter[1])
            // Boxes of letters are as high as lines, and those of two lines may overlap a little.
            let axis = down > 0.3 * (letter[3] - letter[1]) ? 0 : 1
            guard !isWithin, axis == 0 || across > 0 else { continue }
            if letter[axis] + letter[axis + 2] < box[axis] + box[axis + 2] {
                room[axis] = max(room[axis], min(box[axis], (letter[axis + 2] + box[axis]) / 2))
            } else {
                room[axis + 2] = min(room[axis + 2], max(box[axis + 2], (letter[axis] + box[axis + 2]) / 2))
            }
        }
        return room
    }

    /// The edges of all letters that are seen, as parts of the page's width and height.
    private lazy var letters: [SIMD4<Double>] = {
        let (width, height) = points
        var (rectangles, count): (UnsafeMutablePointer<PopplerRectangle>?, guint) = (nil, 0)
        guard let text = poppler_page_get_text(page), poppler_page_get_text_layout(page, &rectangles, &count) != 0
        else { return [] }
        defer {
            g_free(text)
            g_free(rectangles)
        }
        return zip(String(cString: text).unicodeScalars, UnsafeBufferPointer(start: rectangles, count: Int(count)))
            .filter { !$0.0.properties.isWhitespace }
            .map { SIMD4($1.x1 / width, $1.y1 / height, $1.x2 / width, $1.y2 / height) }
    }()

    /// Nearly all texts, some of them several times: poppler leaves out what it reads before the text that is nearest to the first
    /// corner.
    var text: String {
        let (width, height) = points
        return [(0, 0), (width / 2, 0), (0, height / 2)].map { x, y in
            var area = PopplerRectangle(x1: x, y1: y, x2: width, y2: height)
            let text = poppler_page_get_selected_text(page, POPPLER_SELECTION_WORD, &area)
            defer { g_free(text) }
            return text.map { String(cString: $0) } ?? ""
        }.joined(separator: "\n")
    }

    // MARK: - Facts

    /// At most this many of each kind are kept, with names of so many bytes, so that an answer stays small.
    private static let (most, longestName) = (10_000, 100)

    /// Writes what the page consists of: its pictures, each font and size of its texts once, and the fonts of all pages up
    /// to this one.
    func writeFacts(to answer: inout MessageWriter) {
        write(pictures, to: &answer)
        write(texts, to: &answer)
        write(fonts, to: &answer)
    }

    /// Each as the bytes of an entry.
    private func write(_ entries: [MessageWriter], to answer: inout MessageWriter) {
        answer.write(UInt32(entries.count))
        for entry in entries { answer.write(rest: entry.bytes) }
    }

    private var pictures: [MessageWriter] {
        let images = poppler_page_get_image_mapping(page)
        defer { poppler_page_free_image_mapping(images) }
        var entries: [MessageWriter] = []
        for entry in Self.elements(of: images, PopplerImageMapping.self) {
            let box = entry.area
            let area = abs((box.x2 - box.x1) * (box.y2 - box.y1))
            guard area > 0, let surface = poppler_page_get_image(page, entry.image_id) else { continue }
            let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
            cairo_surface_destroy(surface)
            let density = (Double(width) * Double(height) / area).squareRoot() * 72
            // What is squeezed into nothing has no resolution.
            guard density.isFinite else { continue }
            var writer = MessageWriter()
            writer.write(UInt32(clamping: width))
            writer.write(UInt32(clamping: height))
            writer.write(density)
            entries.append(writer)
            if entries.count == Self.most { break }
        }
        return entries
    }

    private var texts: [MessageWriter] {
        let texts = poppler_page_get_text_attributes(page)
        defer { poppler_page_free_text_attributes(texts) }
        var known: Set<[UInt8]> = []
        var entries: [MessageWriter] = []
        for entry in Self.elements(of: texts, PopplerTextAttributes.self) where entry.font_size.isFinite {
            var writer = MessageWriter()
            writer.write(entry.font_size)
            writer.write(block: Self.plain(entry.font_name.map { String(cString: $0) } ?? ""))
            if known.insert(writer.bytes).inserted { entries.append(writer) }
            if entries.count == Self.most { break }
        }
        return entries
    }

    private var fonts: [MessageWriter] {
        guard let info = poppler_font_info_new(document) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(info)) }
        var iterator: OpaquePointer?
        guard poppler_font_info_scan(info, Int32(number), &iterator) != 0, let iterator else { return [] }
        defer { poppler_fonts_iter_free(iterator) }
        var known: Set<[UInt8]> = []
        var entries: [MessageWriter] = []
        repeat {
            var writer = MessageWriter()
            let isType3 = poppler_fonts_iter_get_font_type(iterator) == POPPLER_FONT_TYPE_TYPE3
            writer.write(UInt8(isType3 ? 2 : poppler_fonts_iter_is_embedded(iterator) != 0 ? 1 : 0))
            let name = poppler_fonts_iter_get_name(iterator).map { String(cString: $0) }
            writer.write(block: Self.plain(name ?? "without a name"))
            if known.insert(writer.bytes).inserted { entries.append(writer) }
        } while poppler_fonts_iter_next(iterator) != 0 && entries.count < Self.most
        return entries
    }

    /// A font's name without the six letters and the plus sign of a subset (ISO 32000-1, 9.6.4), and not too long.
    private static func plain(_ name: String) -> Substring.UTF8View {
        let letters = name.utf8.prefix(7)
        let isSubset = letters.count == 7 && letters.last == UInt8(ascii: "+")
        return name.utf8.dropFirst(isSubset ? 7 : 0).prefix(longestName)
    }

    private static func elements<Element>(
        of list: UnsafeMutablePointer<GList>?, _: Element.Type
    ) -> some Sequence<Element> {
        sequence(first: list) { $0?.pointee.next }.prefix { $0 != nil }.lazy
            .compactMap { $0?.pointee.data?.assumingMemoryBound(to: Element.self).pointee }
    }
}
