/// Strings and their escapes.
extension JSONParser {
    /// The string whose opening quote is at `index`.
    mutating func string() throws(DocumentError) -> String {
        let start = index
        index += 1
        var runStart = index
        var unescaped: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let run = bytes[runStart..<index]
                index += 1
                return try validated(unescaped.isEmpty ? run : unescaped[...] + run, from: start)
            case UInt8(ascii: "\\"):
                unescaped += bytes[runStart..<index]
                try escape(into: &unescaped)
                runStart = index
            case 0..<0x20:
                throw failure("a control character stands in a string; an escape such as \\n is needed")
            default:
                index += 1
            }
        }
        throw failure("the string that starts here has no closing quote", at: start)
    }

    private func validated(_ text: ArraySlice<UInt8>, from start: Int) throws(DocumentError) -> String {
        if let string = String(validating: text, as: UTF8.self) { return string }
        // Escapes are ASCII, so the string as it is written is invalid at the very same byte.
        let offset = start + Self.validPrefix(of: bytes[start..<index])
        throw failure("the byte 0x\(String(bytes[offset], radix: 16)) is not valid UTF-8", at: offset)
    }

    /// How many bytes there are before the first that is not UTF-8.
    private static func validPrefix(of text: ArraySlice<UInt8>) -> Int {
        var source = text.makeIterator()
        var decoder = UTF8()
        var valid = 0
        while case .scalarValue(let scalar) = decoder.decode(&source) { valid += UTF8.width(scalar) }
        return min(valid, text.count - 1)
    }

    /// Appends what the escape at `index` stands for, and steps over it.
    private mutating func escape(into text: inout [UInt8]) throws(DocumentError) {
        let start = index
        index += 1
        let letter = next
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[index - 1])
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += UTF8.encode(try escapedScalar(from: start)) ?? .init()
        default: throw failure("an unknown escape; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", at: start)
        }
    }

    /// The scalar that the hexadecimal digits at `index` name, after `\u`; two escapes where it takes a surrogate pair.
    private mutating func escapedScalar(from start: Int) throws(DocumentError) -> Unicode.Scalar {
        let first = try hexadecimalUnit(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if UTF16.isLeadSurrogate(first), take("\\"), take("u") {
            let second = try hexadecimalUnit(from: start)
            if UTF16.isTrailSurrogate(second) { return UTF16.decode(UTF16.EncodedScalar([first, second])) }
        }
        throw failure("the escape is half a surrogate pair; its other half is needed", at: start)
    }

    private mutating func hexadecimalUnit(from start: Int) throws(DocumentError) -> UInt16 {
        let digits = bytes[min(index, bytes.count)..<min(index + 4, bytes.count)]
        var unit: UInt16 = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { break }
            unit = unit << 4 | UInt16(value)
            index += 1
        }
        guard index == digits.startIndex + 4 else {
            throw failure("four hexadecimal digits must follow \\u", at: start)
        }
        return unit
    }
}
