import LoupeJSON

/// The values of a JSON text one after another, each with its line: a value a line (JSON Lines), the elements of an
/// array, or the elements of an array that a member of an object holds.
///
/// Values are separated by their brackets and quotes first, without recursion, and then parsed strictly one by one. So
/// a long recording needs memory for one event at a time, and an error names the line of its event.
struct JSONRecords {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `body` with each value and its line.
    /// - Parameter member: The key of the array, where the text is an object that holds it.
    /// - Returns: The line of the last value.
    /// - Throws: An error with a line where the text is not JSON, and what `body` throws, with the line of its value.
    @discardableResult
    static func forEach(
        in bytes: [UInt8], member: String? = nil,
        _ body: (_ value: JSONReader, _ line: Int) throws(DocumentError) -> Void
    ) throws(DocumentError) -> Int {
        var records = JSONRecords(bytes)
        records.skipSpace()
        if records.next == UInt8(ascii: "[") {
            let last = try records.array(body)
            try records.end()
            return last
        }
        guard let member else { return try lines(bytes, body) }
        return try records.object(member, body)
    }

    /// The keys of the first object of a text, in the text or in its array; none where there is no object.
    static func firstKeys(in bytes: [UInt8]) -> [String] {
        var records = JSONRecords(bytes)
        var keys: [String] = []
        records.skipSpace()
        if records.take("[") { records.skipSpace() }
        guard records.take("{") else { return [] }
        do {
            repeat {
                records.skipSpace()
                keys.append(try records.key())
                _ = try records.value()
                records.skipSpace()
            } while records.take(",")
        } catch {}
        return keys
    }

    // MARK: - The three forms

    private static func lines(
        _ bytes: [UInt8], _ body: (JSONReader, Int) throws(DocumentError) -> Void
    ) throws(DocumentError) -> Int {
        var (number, last) = (0, 1)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
            last = number
            try read(line, line: number, body)
        }
        return last
    }

    private mutating func array(
        _ body: (JSONReader, Int) throws(DocumentError) -> Void
    ) throws(DocumentError) -> Int {
        var last = line
        index += 1
        skipSpace()
        if take("]") { return last }
        while true {
            skipSpace()
            last = line
            let value = try value()
            try Self.read(bytes[value], line: last, body)
            skipSpace()
            if take("]") { return last }
            guard take(",") else { throw failure("\",\" or \"]\"") }
        }
    }

    private mutating func object(
        _ member: String, _ body: (JSONReader, Int) throws(DocumentError) -> Void
    ) throws(DocumentError) -> Int {
        var last: Int?
        guard take("{") else { throw failure("an object with \(member)") }
        repeat {
            skipSpace()
            let key = try key()
            if key == member, last == nil, next == UInt8(ascii: "[") {
                last = try array(body)
            } else {
                let start = line
                let value = try value()
                try Self.read(bytes[value], line: start) { _, _ in }
            }
            skipSpace()
        } while take(",")
        guard take("}") else { throw failure("\",\" or \"}\"") }
        try end()
        guard let last else { throw TraceDecoder.error("the object has no array \(member)", line: 1) }
        return last
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>, line: Int, _ body: (JSONReader, Int) throws(DocumentError) -> Void
    ) throws(DocumentError) {
        let value: JSONReader
        do {
            value = try JSONReader(parsing: Array(bytes))
        } catch {
            guard case .text(let inner, let column) = error.position else { throw error }
            throw DocumentError(at: .text(line: line + inner - 1, column: column), error.problem)
        }
        do {
            try body(value, line)
        } catch {
            guard case .key = error.position else { throw error }
            throw TraceDecoder.error(error.description, line: line)
        }
    }

    // MARK: - Bytes

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, " \t\r\n".utf8.contains(byte) { step(over: byte) }
    }

    private mutating func step(over byte: UInt8) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func key() throws(DocumentError) -> String {
        let start = index
        guard next == UInt8(ascii: "\"") else { throw failure("a key in quotes") }
        try skipString()
        let text = String(decoding: bytes[start + 1..<index - 1], as: UTF8.self)
        skipSpace()
        guard take(":") else { throw failure("\":\"") }
        skipSpace()
        return text
    }

    /// Steps over a value, whose brackets and quotes are closed.
    private mutating func value() throws(DocumentError) -> Range<Int> {
        let (start, startLine) = (index, line)
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                try skipString()
                if depth == 0 { return start..<index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return try ended(from: start) }
                depth -= 1
                if depth == 0 {
                    index += 1
                    return start..<index
                }
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                if depth == 0 { return try ended(from: start) }
            default: break
            }
            step(over: byte)
        }
        guard depth == 0 else {
            throw TraceDecoder.error("the value that starts here is not closed; the text is cut off", line: startLine)
        }
        return try ended(from: start)
    }

    private func ended(from start: Int) throws(DocumentError) -> Range<Int> {
        guard start < index else { throw failure("a value") }
        return start..<index
    }

    private mutating func skipString() throws(DocumentError) {
        let start = line
        index += 1
        while let byte = next {
            if byte == UInt8(ascii: "\"") {
                index += 1
                return
            }
            step(over: byte)
            if byte == UInt8(ascii: "\\"), let escaped = next { step(over: escaped) }
        }
        throw TraceDecoder.error("the string that starts here has no closing quote", line: start)
    }

    private mutating func end() throws(DocumentError) {
        skipSpace()
        guard next == nil else { throw failure("the end of the text") }
    }

    private func failure(_ needed: String) -> DocumentError {
        guard let byte = next else {
            return TraceDecoder.error("the text ends where \(needed) is needed", line: line)
        }
        let found = byte > 0x20 && byte < 0x7F ? "\"\(String(Unicode.Scalar(byte)))\"" : "the byte \(byte)"
        return TraceDecoder.error("\(found) stands where \(needed) is needed", line: line)
    }
}
