import LoupeSandbox

/// Finds what an SVG refers to outside itself, with the XML parser that librsvg uses.
///
/// librsvg gets no folder, and the helper process may open no such file, so that nothing outside is ever read. This check
/// makes a document that needs it an error instead of a wrong picture.
struct SVGReferences {
    /// What the check found.
    enum Result: Equatable {
        case inside
        /// What the document refers to, as "'photo.png' in <image>".
        case refused(String)
        /// Something embedded is too large or of another kind; a clause.
        case notDrawn(String)
        /// It is no XML; a clause.
        case unreadable(String)
    }

    /// All embedded images together, in pixels. Drawing one takes two copies, at 4 bytes a pixel.
    static let mostPixels = 1 << 26
    /// How many SVGs may be embedded in one another.
    private static let deepest = 4

    private let library: RSVGLibrary
    private let depth: Int
    /// Where embedded images are counted.
    private final class Count { var pixels = 0 }
    private let count: Count

    init(_ library: RSVGLibrary) { self.init(library, depth: 0, count: Count()) }

    private init(_ library: RSVGLibrary, depth: Int, count: Count) {
        (self.library, self.depth, self.count) = (library, depth, count)
    }

    func check(_ document: [UInt8]) -> Result {
        do throws(Finding) {
            try checkEntities(document[...])
            try checkElements(document)
            return .inside
        } catch {
            return error.result
        }
    }

    private struct Finding: Error {
        let result: Result

        /// What is outside, and which element or attribute refers to it.
        static func external(_ reference: some StringProtocol, _ place: String) -> Finding {
            let shown = reference.count > 60 ? reference.prefix(57) + "…" : String(reference)[...]
            return Finding(result: .refused("'\(shown)' in \(place)"))
        }
    }

    // MARK: - The document

    /// Entities whose text is another file.
    private func checkEntities(_ document: ArraySlice<UInt8>) throws(Finding) {
        var rest = document
        while let start = rest.firstRange(of: "<!ENTITY".utf8) {
            rest = rest[start.upperBound...]
            let declared = rest.prefix { $0 != UInt8(ascii: ">") }
            let words = declared.prefix { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"") }
                .split { " \t\r\n".utf8.contains($0) }
            guard words.contains(where: { $0.elementsEqual("SYSTEM".utf8) || $0.elementsEqual("PUBLIC".utf8) }) else {
                continue
            }
            let quoted = declared.split(omittingEmptySubsequences: false) { "'\"".utf8.contains($0) }.dropFirst()
            throw .external(String(decoding: quoted.first ?? [], as: UTF8.self), "<!ENTITY>")
        }
    }

    private func checkElements(_ document: [UInt8]) throws(Finding) {
        guard let reader = XMLReader(document, library) else {
            throw Finding(result: .unreadable("there is no memory to read its XML"))
        }
        /// The text of the style sheets, each by itself, as several pieces may make one.
        var style: String?
        while let node = reader.next() {
            switch node {
            case .element(let element):
                try check(element, reader)
                style = element.isSVG && element.name == "style" ? style ?? "" : style
            case .text(let text): style? += text
            case .end(let element):
                guard element.name == "style", let sheet = style else { continue }
                try checkSheet(sheet, "<style>")
                style = nil
            case .instruction(name: "xml-stylesheet", let text):
                for address in Self.pseudoAttributes("href", of: text) {
                    try checkReference(address, "<?xml-stylesheet?>")
                }
            case .instruction: break
            }
        }
        if reader.hasFailed { throw Finding(result: .unreadable("its XML can't be read")) }
    }

    private func check(_ element: XMLReader.Element, _ reader: XMLReader) throws(Finding) {
        if element.namespace == "http://www.w3.org/2001/XInclude" {
            throw .external(reader.attributes().first { $0.name == "href" }?.value ?? "", "<xi:include>")
        }
        // librsvg leaves other namespaces out. A link is never followed.
        guard element.isSVG else { return }
        for attribute in reader.attributes() {
            let isLink = attribute.namespace == "" || attribute.namespace == "http://www.w3.org/1999/xlink"
            if isLink, attribute.name == "href" || attribute.name == "src" {
                guard element.name != "a" else { continue }
                let embeds = element.name == "image" || element.name == "feImage"
                try checkReference(attribute.value, "<\(element.name)>", embedsImage: embeds)
            } else if attribute.namespace == "", CSSReferences.mayBe(in: attribute.value) {
                try checkSheet(attribute.value, attribute.name)
            }
        }
    }

    /// The values of an attribute in the text of a processing instruction.
    private static func pseudoAttributes(_ name: String, of text: String) -> [String] {
        var values: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: name) {
            rest = rest[start.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\t" || $0 == "\n" }
            guard let quote = rest.first, quote == "\"" || quote == "'" else { continue }
            values.append(String(rest.dropFirst().prefix { $0 != quote }))
        }
        return values
    }

    // MARK: - References

    /// A part of this document (`#name`) and embedded data are inside; anything else is not.
    private func checkReference(_ text: String, _ place: String, embedsImage: Bool = false) throws(Finding) {
        let address = text.utf8.drop { " \t\r\n".utf8.contains($0) }
        guard let first = address.first, first != UInt8(ascii: "#") else { return }
        guard address.count >= 5, address.prefix(5).elementsEqual("data:".utf8, by: { $0 | 32 == $1 | 32 }) else {
            throw .external(text, place)
        }
        guard let comma = address.firstIndex(of: UInt8(ascii: ",")) else { return }
        let head = String(decoding: address[..<comma], as: UTF8.self).lowercased()
        var bytes = Self.percentDecoded(address[address.index(after: comma)...])
        if head.split(separator: ";").contains(where: { $0.drop { $0 == " " } == "base64" }) {
            bytes = Self.base64Decoded(bytes)
        }
        try checkEmbedded(bytes, place, mustBeImage: embedsImage)
    }

    /// Embedded SVGs are checked as this one is, and images' pixels are counted.
    private func checkEmbedded(_ bytes: [UInt8], _ place: String, mustBeImage: Bool) throws(Finding) {
        if bytes.starts(with: [0x1f, 0x8b]) {
            throw Finding(result: .notDrawn("an embedded SVG in \(place) is compressed; embed it uncompressed"))
        }
        if bytes.drop(while: { " \t\r\n\u{feff}".utf8.contains($0) }).first == UInt8(ascii: "<") {
            guard depth < Self.deepest else {
                throw Finding(result: .notDrawn("more than \(Self.deepest) SVGs are embedded in one another"))
            }
            switch SVGReferences(library, depth: depth + 1, count: count).check(bytes) {
            case .inside, .unreadable: return
            case .refused(let what): throw Finding(result: .refused("\(what) of an SVG embedded in \(place)"))
            case let result: throw Finding(result: result)
            }
        }
        let size: (width: Int, height: Int)?
        if bytes.starts(with: "GIF8".utf8), bytes.count >= 10 {
            size = (Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
        } else if let format = ImageFile.Format(of: bytes), format != .svg {
            // A damaged image shows nothing, in librsvg as in browsers.
            size = (try? ImageFile(bytes, name: "").size).map { ($0.width, $0.height) }
        } else if mustBeImage, !bytes.isEmpty {
            throw Finding(result: .notDrawn("an embedded image in \(place) is no PNG, JPEG, WebP, GIF or SVG"))
        } else {
            return
        }
        guard let size else { return }
        let (pixels, isTooMany) = size.width.multipliedReportingOverflow(by: size.height)
        count.pixels = isTooMany || pixels > Self.mostPixels ? Self.mostPixels + 1 : count.pixels + pixels
        if count.pixels > Self.mostPixels {
            throw Finding(
                result: .notDrawn(
                    "its embedded images have more than \(Self.mostPixels) pixels, with one of \(size.width)×\(size.height)"
                ))
        }
    }

    private static func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        func digit(_ letter: UInt8?) -> UInt8? {
            letter.flatMap { Character(UnicodeScalar($0)).hexDigitValue }.map(UInt8.init)
        }
        let letters = Array(text)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count)
        var index = 0
        while index < letters.count {
            if letters[index] == UInt8(ascii: "%"), index + 2 < letters.count, let high = digit(letters[index + 1]),
                let low = digit(letters[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(letters[index])
                index += 1
            }
        }
        return bytes
    }

    /// Other letters are passed over.
    private static func base64Decoded(_ letters: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in letters {
            let value: UInt8
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    // MARK: - Style sheets

    /// `url(…)` and `@import` of a style sheet or of an attribute.
    private func checkSheet(_ text: String, _ place: String) throws(Finding) {
        for reference in CSSReferences.all(in: text) { try checkReference(reference, place) }
    }
}

/// Finds the addresses in CSS.
enum CSSReferences {
    /// Whether a text may have one. Most attributes have none, and are not searched.
    static func mayBe(in text: String) -> Bool {
        let letters = Array(text.utf8)
        return letters.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "@") }
            || letters.indices.dropLast(3).contains { index in
                let word = letters[index..<(index + 3)].map { $0 | 32 }
                return word.elementsEqual("url".utf8) || word.elementsEqual("src".utf8)
            }
    }

    /// The arguments of `url()` and the strings after `@import`, with escapes resolved. Comments are left out.
    static func all(in text: String) -> [String] {
        var rest = Substring.UnicodeScalarView(text.unicodeScalars)
        var references: [String] = []
        /// The last letters outside strings, in lower case.
        var word = ""
        /// Whether the next string is the address of an `@import`.
        var isImport = false
        while let letter = rest.first {
            if rest.starts(with: "/*".unicodeScalars) {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".unicodeScalars) { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else if letter == "\"" || letter == "'" {
                let content = string(&rest)
                if isImport { references.append(content) }
                (word, isImport) = ("", false)
            } else {
                rest = rest.dropFirst()
                let scalar = letter == "\\" ? escaped(&rest) : letter
                guard let scalar else { continue }
                if letter != "\\", scalar == "(" {
                    if word.hasSuffix("url") || word.hasSuffix("src") { references.append(argument(&rest)) }
                    (word, isImport) = ("", false)
                } else if letter != "\\", " \t\r\n;{},:".unicodeScalars.contains(scalar) {
                    if scalar == ";" || scalar == "{" { isImport = false }
                    word = ""
                } else {
                    word = String(word.suffix(7)) + String(scalar).lowercased()
                    if word.hasSuffix("@import") { (word, isImport) = ("", true) }
                }
            }
        }
        return references
    }

    /// What follows `url(` up to its end: a string, or letters.
    private static func argument(_ rest: inout Substring.UnicodeScalarView) -> String {
        rest = rest.drop { " \t\r\n\u{c}".unicodeScalars.contains($0) }
        if let quote = rest.first, quote == "\"" || quote == "'" { return string(&rest) }
        var content = String.UnicodeScalarView()
        while let letter = rest.popFirst(), letter != ")" {
            if let scalar = letter == "\\" ? escaped(&rest) : letter { content.append(scalar) }
        }
        while content.last.map({ " \t\r\n\u{c}".unicodeScalars.contains($0) }) == true { content.removeLast() }
        return String(content)
    }

    private static func string(_ rest: inout Substring.UnicodeScalarView) -> String {
        let quote = rest.removeFirst()
        var content = String.UnicodeScalarView()
        while let letter = rest.popFirst(), letter != quote {
            if let scalar = letter == "\\" ? escaped(&rest) : letter { content.append(scalar) }
        }
        return String(content)
    }

    /// What follows a backslash: up to six hexadecimal digits and one space, or a letter; nil for a line's end.
    private static func escaped(_ rest: inout Substring.UnicodeScalarView) -> UnicodeScalar? {
        let digits = rest.prefix(6).prefix { $0.isASCII && $0.properties.isASCIIHexDigit }
        guard !digits.isEmpty else {
            guard let letter = rest.popFirst(), letter != "\n" else { return nil }
            return letter
        }
        rest = rest.dropFirst(digits.count)
        if let space = rest.first, " \t\r\n\u{c}".unicodeScalars.contains(space) { rest = rest.dropFirst() }
        return UInt32(String(digits), radix: 16).flatMap(UnicodeScalar.init) ?? "\u{fffd}"
    }
}
