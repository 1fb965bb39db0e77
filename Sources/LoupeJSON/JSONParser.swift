/// A strict reader of JSON text (RFC 8259).
///
/// Our own because Foundation's forgets the order of keys, lets a duplicate key win silently, and costs
/// start-up time. It walks bytes once, so time grows linearly with the text.
struct JSONParser {
    /// Arrays and objects may lie this deep in each other; deeper text would only endanger the stack.
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

    /// What stands between the bracket at `index` and `close`, separated by commas.
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
    /// An error at a byte of the text, or where reading has come to.
    package func failure(_ problem: String, at offset: Int? = nil) -> DocumentError {
        let before = bytes[..<(offset ?? index)]
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let line = before.count { $0 == newline } + 1
        // Continuation bytes of UTF-8 open no column.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return DocumentError(at: .text(line: line, column: column), problem)
    }

    /// An error at `index`, where something else should come.
    package func failure(needing needed: String) -> DocumentError {
        guard let byte = next else { return failure("the text ends where \(needed) is needed") }
        let isVisible = byte > 0x20 && byte < 0x7F
        let found =
            isVisible
            ? JSONValue.string(String(Unicode.Scalar(byte))).excerpt : "the byte 0x\(String(byte, radix: 16))"
        return failure("\(found) stands where \(needed) is needed")
    }
}
