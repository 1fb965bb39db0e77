/// The text of an SVG with other widths of strokes.
package enum SVGStrokes {
    /// The document with the width, the dashes and the dash offset of each stroke times a factor.
    ///
    /// They are changed where they stand, in attributes and in styles. The root is given the width that strokes have
    /// where nothing says one, 1, times the factor.
    package static func scaled(_ document: [UInt8], by factor: Double) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(document.count + 64)
        var rest = document[...]
        if let root = SVGSignature.root(of: rest) {
            let tag = rest[root...].prefix { $0 != UInt8(ascii: ">") }
            let name = tag.prefix { !" \t\r\n/".utf8.contains($0) }
            text += rest[..<name.endIndex]
            if tag.start(of: "stroke-width") == nil { text += " stroke-width=\"\(factor)\"".utf8 }
            rest = rest[name.endIndex...]
        }
        while let start = rest.start(of: "stroke-") {
            text += rest[..<start]
            rest = rest[start...]
            let name = properties.first { rest.starts(with: $0.utf8) } ?? "stroke-"
            text += name.utf8
            rest = rest.dropFirst(name.utf8.count)
            if name != "stroke-" { copyLengths(&rest, to: &text, times: factor) }
        }
        return text + rest
    }

    private static let properties = ["stroke-width", "stroke-dasharray", "stroke-dashoffset"]
    private static let spaces = " \t\r\n".utf8

    /// Copies the value of an attribute or a property, up to its end.
    private static func copyLengths(_ rest: inout ArraySlice<UInt8>, to text: inout [UInt8], times factor: Double) {
        func copy(_ part: ArraySlice<UInt8>) {
            text += part
            rest = rest[part.endIndex...]
        }
        copy(rest.prefix { spaces.contains($0) })
        guard let sign = rest.first, ":=".utf8.contains(sign) else { return }
        copy(rest.prefix(1))
        copy(rest.prefix { spaces.contains($0) || "\"'".utf8.contains($0) })
        while let byte = rest.first, !";}\"'<>!".utf8.contains(byte) {
            let digits = number(at: rest)
            if let value = Double(String(decoding: digits, as: UTF8.self)) {
                text += "\(value * factor)".utf8
                rest = rest[digits.endIndex...]
            } else {
                copy(rest.prefix(1))
            }
        }
    }

    /// The number that a text begins with; empty where it begins with none.
    private static func number(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.startIndex
        func skip(_ accepted: String) -> Bool {
            guard end < text.endIndex, accepted.utf8.contains(text[end]) else { return false }
            end += 1
            return true
        }
        _ = skip("+-")
        while skip("0123456789.") {}
        let mantissa = end
        if skip("eE") {
            _ = skip("+-")
            guard skip("0123456789") else { return text[..<mantissa] }
            while skip("0123456789") {}
        }
        return text[..<end]
    }
}
