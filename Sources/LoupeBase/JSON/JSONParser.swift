/// A strict reader of JSON text (RFC 8259).
///
/// Foundation's parser loses the order of keys, accepts duplicate keys silently and costs start-up time. This one
/// walks the bytes once, so its time is linear in the length of the text.
struct JSONParser {
    /// How deep arrays and objects may be nested. Deeper text could overflow the stack.
    static let maximumDepth = 64

    let bytes: [UInt8]
    /// The next byte to read.
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// The one value that the text consists of.
    mutating func document() throws(DocumentError) -> JSONValue {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw failure("the text starts with a byte order mark; UTF-8 without one is needed")
        }
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard next == nil else { throw failure(needing: "the end of the text") }
        return value
    }

    private mutating func value(depth: Int) throws(DocumentError) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: "-"): .number(try number())
        default: isAtDigit ? .number(try number()) : try word()
        }
    }

    private mutating func array(depth: Int) throws(DocumentError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try list(until: "]", depth: depth) { parser throws(DocumentError) in
            elements.append(try parser.value(depth: depth))
        }
        return elements
    }

    private mutating func object(depth: Int) throws(DocumentError) -> JSONObject {
        var object = JSONObject()
        try list(until: "}", depth: depth) { parser throws(DocumentError) in
            let start = parser.index
            guard parser.next == UInt8(ascii: "\"") else { throw parser.failure(needing: "a key in quotes") }
            let key = try parser.string()
            parser.skipSpace()
            guard parser.take(":") else { throw parser.failure(needing: "\":\"") }
            parser.skipSpace()
            guard object.append(try parser.value(depth: depth), forKey: key) else {
                throw parser.failure("the key \(JSONValue.string(key).excerpt) occurs twice in one object", at: start)
            }
        }
        return object
    }

    /// Reads the elements between the bracket at `index` and `close`, which commas separate.
    private mutating func list(
        until close: Unicode.Scalar, depth: Int, element: (inout JSONParser) throws(DocumentError) -> Void
    ) throws(DocumentError) {
        guard depth <= Self.maximumDepth else {
            throw failure("arrays and objects lie more than \(Self.maximumDepth) deep in each other")
        }
        index += 1
        skipSpace()
        if take(close) { return }
        while true {
            try element(&self)
            skipSpace()
            if take(close) { return }
            let comma = index
            guard take(",") else { throw failure(needing: "\",\" or \"\(close)\"") }
            skipSpace()
            if take(close) { throw failure("a comma stands before \"\(close)\" with nothing after it", at: comma) }
        }
    }

    private mutating func word() throws(DocumentError) -> JSONValue {
        let start = index
        while let byte = next, (byte | 0x20) >= UInt8(ascii: "a"), (byte | 0x20) <= UInt8(ascii: "z") { index += 1 }
        guard index > start else { throw failure(needing: "a value") }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: throw failure("\(word.shortened) is not a JSON value", at: start)
        }
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Steps over `character` where it comes next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}

extension JSONParser {
    /// An error at a byte of the text; by default at the next byte.
    package func failure(_ problem: String, at offset: Int? = nil) -> DocumentError {
        let before = bytes[..<(offset ?? index)]
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let line = before.count { $0 == newline } + 1
        // Continuation bytes of UTF-8 are part of the column of their first byte.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return DocumentError(at: .text(line: line, column: column), problem)
    }

    /// An error at `index`, where something else is needed.
    package func failure(needing needed: String) -> DocumentError {
        guard let byte = next else { return failure("the text ends where \(needed) is needed") }
        let isVisible = byte > 0x20 && byte < 0x7F
        let found =
            isVisible
            ? JSONValue.string(String(Unicode.Scalar(byte))).excerpt : "the byte 0x\(String(byte, radix: 16))"
        return failure("\(found) stands where \(needed) is needed")
    }
}

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
        // Escapes are ASCII, so the text as written is invalid at the same byte.
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

    /// Appends what the escape at `index` means, and steps over it.
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

    /// The scalar that the hexadecimal digits at `index` name, after `\u`; two escapes where the scalar needs a surrogate pair.
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

/// Numbers.
extension JSONParser {
    /// The number that starts at `index`.
    package mutating func number() throws(DocumentError) -> Double {
        let start = index
        if take("-") { try requireDigit(after: "\"-\"") }
        if take("0") {
            guard !isAtDigit else { throw failure("a number must not start with 0 before other digits", at: start) }
        } else {
            skipDigits()
        }
        if take(".") { try digits(after: "the decimal point") }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits(after: "the exponent's mark")
        }
        return try double(start..<index)
    }

    private func double(_ place: Range<Int>) throws(DocumentError) -> Double {
        let text = String(decoding: bytes[place], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw failure("\(text.shortened) is beyond what a number can hold, about 1.8e308", at: place.lowerBound)
        }
        return number
    }

    var isAtDigit: Bool {
        guard let byte = next else { return false }
        return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private mutating func digits(after what: String) throws(DocumentError) {
        try requireDigit(after: what)
        skipDigits()
    }

    private func requireDigit(after what: String) throws(DocumentError) {
        guard isAtDigit else { throw failure("a digit must follow \(what)") }
    }

    private mutating func skipDigits() {
        while isAtDigit { index += 1 }
    }
}
