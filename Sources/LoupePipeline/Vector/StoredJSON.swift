/// A JSON text on one line, stored in a PDF or an SVG beside the drawing, as PNGs store texts.
///
/// A PDF has it as a comment before its last `startxref`, where it moves no object; an SVG as its last element, `metadata`.
/// It is plain ASCII, so that it can be found and read without any library. Programs that write the file anew may drop it.
package enum StoredJSON {
    /// Adds a text to a file. A file of another shape than the writers give stays as it is.
    /// - Parameters:
    ///   - text: without line breaks.
    ///   - keyword: ASCII letters, digits and hyphens.
    package static func add(
        _ text: String, named keyword: String, to file: inout [UInt8], _ format: VectorFormat
    ) {
        guard let place = file.last(marker(of: format)) else { return }
        let (start, end) = frame(keyword, format)
        file.insert(contentsOf: start + ascii(text) + end, at: place)
    }

    /// The text that a file has under a keyword; nil where it has none.
    package static func read(named keyword: String, from file: [UInt8], _ format: VectorFormat) -> String? {
        let (start, end) = frame(keyword, format)
        guard let place = file.last(marker(of: format)), file[..<place].reversed().starts(with: end.reversed()) else {
            return nil
        }
        let text = file[..<(place - end.count)]
        guard let begin = Array(text).last(start) else { return nil }
        let bytes = text[(begin + start.count)...]
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func marker(of format: VectorFormat) -> [UInt8] {
        Array((format == .pdf ? "startxref" : "</svg>").utf8)
    }

    private static func frame(_ keyword: String, _ format: VectorFormat) -> (start: [UInt8], end: [UInt8]) {
        switch format {
        case .pdf: (Array("%\(keyword) ".utf8), Array("\n".utf8))
        case .svg: (Array("<metadata id=\"\(keyword)\">".utf8), Array("</metadata>\n".utf8))
        }
    }

    /// In JSON, only strings have other characters, and those that XML gives a meaning, and may have them as escapes.
    private static func ascii(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        for unit in text.utf16 {
            if 0x20..<0x7f ~= unit, !"&<>".utf16.contains(unit) {
                result.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16)
                result += "\\u".utf8 + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.count) + digits.utf8
            }
        }
        return result
    }
}

extension [UInt8] {
    /// Where some bytes occur last.
    func last(_ bytes: [UInt8]) -> Int? {
        var place = count - bytes.count
        while place >= 0 {
            if self[place] == bytes[0], self[place..<place + bytes.count].elementsEqual(bytes) { return place }
            place -= 1
        }
        return nil
    }
}
