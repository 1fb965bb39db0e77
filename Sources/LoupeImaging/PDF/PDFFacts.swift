import Glibc
import LoupeSandbox

/// What a page of a PDF consists of, as far as journals ask: its pictures of pixels, its texts, and the document's fonts.
public struct PDFFacts: Hashable, Sendable {
    /// A picture of pixels on the page.
    public struct Picture: Hashable, Sendable {
        /// In its own pixels.
        public let width, height: Int
        /// How many of its pixels lie on an inch of paper, the mean of both directions.
        public let pixelsPerInch: Double
    }

    /// Texts of one font and size.
    public struct Text: Hashable, Sendable {
        /// The font's name, without the letters that mark a subset.
        public let font: String
        /// In points.
        public let size: Double
    }

    /// A font of the document.
    public struct Font: Hashable, Sendable {
        /// Its name, without the letters that mark a subset.
        public let name: String
        /// Whether the file has its letters.
        public let isEmbedded: Bool
    }

    /// In the order of the file.
    public internal(set) var pictures: [Picture] = []
    /// Each font and size once.
    public internal(set) var texts: [Text] = []
    /// The fonts of all pages up to this one.
    public internal(set) var fonts: [Font] = []
}

extension ImageFile {
    /// What a page of a PDF consists of; nil for other formats.
    /// - Throws: ``ImageError/helperFailed(name:reason:)`` and its like.
    public func pdfFacts() throws(ImageError) -> PDFFacts? {
        guard format == .pdf else { return nil }
        return try document?.facts()
    }
}

// MARK: - Poppler

extension PDFHandle {
    /// At most this many of each kind are kept, with names of so many bytes, so that an answer stays small.
    private static let (most, longestName) = (10_000, 100)

    /// The functions of poppler that say what a page consists of, as its headers declare them.
    private struct Inspector {
        typealias Object = RSVGLibrary.Object
        let imageMapping, textAttributes: @convention(c) (Object) -> Object?
        let freeImageMapping, freeTextAttributes: @convention(c) (Object?) -> Void
        /// Page and the image's number.
        let image: @convention(c) (Object, Int32) -> Object?
        let newFontInfo: @convention(c) (Object) -> Object?
        /// Info, number of pages, iterator.
        let scan: @convention(c) (Object, Int32, UnsafeMutablePointer<Object?>) -> Int32
        let fontName: @convention(c) (Object) -> UnsafePointer<CChar>?
        let isEmbedded, nextFont: @convention(c) (Object) -> Int32
        let freeFonts: @convention(c) (Object?) -> Void
        let surfaceWidth, surfaceHeight: @convention(c) (Object) -> Int32

        init?(_ poppler: PopplerLibrary, _ library: RSVGLibrary) {
            var isComplete = true
            func function<Signature>(_ symbol: Object?) -> Signature {
                if symbol == nil { isComplete = false }
                return unsafeBitCast(symbol ?? Object(bitPattern: 1)!, to: Signature.self)
            }
            imageMapping = function(poppler.symbol("page_get_image_mapping"))
            textAttributes = function(poppler.symbol("page_get_text_attributes"))
            freeImageMapping = function(poppler.symbol("page_free_image_mapping"))
            freeTextAttributes = function(poppler.symbol("page_free_text_attributes"))
            image = function(poppler.symbol("page_get_image"))
            newFontInfo = function(poppler.symbol("font_info_new"))
            scan = function(poppler.symbol("font_info_scan"))
            fontName = function(poppler.symbol("fonts_iter_get_name"))
            isEmbedded = function(poppler.symbol("fonts_iter_is_embedded"))
            nextFont = function(poppler.symbol("fonts_iter_next"))
            freeFonts = function(poppler.symbol("fonts_iter_free"))
            surfaceWidth = function(library.symbol("cairo_image_surface_get_width"))
            surfaceHeight = function(library.symbol("cairo_image_surface_get_height"))
            guard isComplete else { return nil }
        }
    }

    /// Nil where poppler has not all functions.
    func facts() -> PDFFacts? {
        guard let inspector = Inspector(poppler, library) else { return nil }
        var facts = PDFFacts()
        let images = inspector.imageMapping(page)
        for entry in Self.elements(of: images) {
            // A PopplerRectangle of four numbers, in points, and the image's number.
            let box = (0..<4).map { entry.load(fromByteOffset: 8 * $0, as: Double.self) }
            let area = abs((box[2] - box[0]) * (box[3] - box[1]))
            let number = entry.load(fromByteOffset: 32, as: Int32.self)
            guard area > 0, let surface = inspector.image(page, number) else { continue }
            let (width, height) = (Int(inspector.surfaceWidth(surface)), Int(inspector.surfaceHeight(surface)))
            library.freeSurface(surface)
            let picture = PDFFacts.Picture(
                width: width, height: height, pixelsPerInch: (Double(width * height) / area).squareRoot() * 72)
            // What is squeezed into nothing has no resolution.
            if picture.pixelsPerInch.isFinite { facts.pictures.append(picture) }
            if facts.pictures.count == Self.most { break }
        }
        inspector.freeImageMapping(images)
        let texts = inspector.textAttributes(page)
        var known: Set<PDFFacts.Text> = []
        for entry in Self.elements(of: texts) {
            // The font's name, and its size in points.
            let name = entry.load(as: UnsafePointer<CChar>?.self).map { String(cString: $0) } ?? ""
            let text = PDFFacts.Text(
                font: Self.plain(name), size: entry.load(fromByteOffset: 8, as: Double.self))
            if text.size.isFinite, known.insert(text).inserted { facts.texts.append(text) }
            if facts.texts.count == Self.most { break }
        }
        inspector.freeTextAttributes(texts)
        facts.fonts = fonts(inspector)
        return facts
    }

    private func fonts(_ inspector: Inspector) -> [PDFFacts.Font] {
        guard let info = inspector.newFontInfo(document) else { return [] }
        defer { library.unref(info) }
        var iterator: RSVGLibrary.Object?
        guard inspector.scan(info, Int32(number), &iterator) != 0, let iterator else { return [] }
        defer { inspector.freeFonts(iterator) }
        var fonts: [PDFFacts.Font] = []
        var known: Set<PDFFacts.Font> = []
        repeat {
            let name = inspector.fontName(iterator).map { String(cString: $0) } ?? "without a name"
            let font = PDFFacts.Font(name: Self.plain(name), isEmbedded: inspector.isEmbedded(iterator) != 0)
            if known.insert(font).inserted { fonts.append(font) }
        } while inspector.nextFont(iterator) != 0 && fonts.count < Self.most
        return fonts
    }

    /// A font's name without the six letters and the plus sign of a subset (ISO 32000-1, 9.6.4), and not too long.
    private static func plain(_ name: String) -> String {
        let letters = name.utf8.prefix(7)
        let isSubset = letters.count == 7 && letters.last == UInt8(ascii: "+")
        return String(decoding: name.utf8.dropFirst(isSubset ? 7 : 0).prefix(longestName), as: UTF8.self)
    }

    /// The elements of a GList, whose fields are the element and the rest.
    private static func elements(of list: RSVGLibrary.Object?) -> [RSVGLibrary.Object] {
        var (elements, rest): ([RSVGLibrary.Object], RSVGLibrary.Object?) = ([], list)
        while let node = rest {
            if let element = node.load(as: RSVGLibrary.Object?.self) { elements.append(element) }
            rest = node.load(fromByteOffset: 8, as: RSVGLibrary.Object?.self)
        }
        return elements
    }
}

// MARK: - Messages

extension PDFFacts {
    var bytes: [UInt8] {
        var writer = MessageWriter()
        func write(_ text: String) {
            writer.write(UInt32(text.utf8.count))
            writer.write(rest: text.utf8)
        }
        writer.write(UInt32(pictures.count))
        for picture in pictures {
            writer.write(UInt32(clamping: picture.width))
            writer.write(UInt32(clamping: picture.height))
            writer.write(picture.pixelsPerInch)
        }
        writer.write(UInt32(texts.count))
        for text in texts {
            writer.write(text.size)
            write(text.font)
        }
        writer.write(UInt32(fonts.count))
        for font in fonts {
            writer.write(UInt8(font.isEmbedded ? 1 : 0))
            write(font.name)
        }
        return writer.bytes
    }

    /// Nil for what ``bytes`` never gives.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        func list<Element>(_ read: () -> Element?) -> [Element]? {
            guard let count = reader.number(UInt32.self) else { return nil }
            var list: [Element] = []
            for _ in 0..<count {
                guard let element = read() else { return nil }
                list.append(element)
            }
            return list
        }
        func text() -> String? {
            reader.number(UInt32.self).flatMap { reader.bytes(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
        }
        func number() -> Double? { reader.double().flatMap { $0.isFinite ? $0 : nil } }
        let pictures = list { () -> Picture? in
            guard let width = reader.number(UInt32.self), let height = reader.number(UInt32.self),
                let density = number()
            else { return nil }
            return Picture(width: Int(width), height: Int(height), pixelsPerInch: density)
        }
        let texts = list { () -> Text? in
            guard let size = number(), let font = text() else { return nil }
            return Text(font: font, size: size)
        }
        let fonts = list { () -> Font? in
            guard let isEmbedded = reader.number(UInt8.self), let name = text() else { return nil }
            return Font(name: name, isEmbedded: isEmbedded != 0)
        }
        guard let pictures, let texts, let fonts, reader.takeRest().isEmpty else { return nil }
        (self.pictures, self.texts, self.fonts) = (pictures, texts, fonts)
    }
}
