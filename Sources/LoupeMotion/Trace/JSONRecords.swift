import LoupeBase

/// The objects of a JSON text with their positions: an object a line (JSON Lines), or the elements of an array.
///
/// JSON Lines are parsed one by one, so a long recording needs memory for one event at a time.
enum JSONRecords {
    /// Calls `body` with each value and its position, for errors about it as a whole.
    /// - Returns: The position of the last value.
    /// - Throws: An error with its line, or with its path in the array.
    @discardableResult
    static func forEach(
        in bytes: [UInt8],
        _ body: (_ value: JSONReader, _ position: DocumentError.Position) throws(DocumentError) -> Void
    ) throws(DocumentError) -> DocumentError.Position {
        var last = DocumentError.Position.text(line: 1, column: 1)
        if bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[") {
            for element in try JSONReader(parsing: bytes).array() {
                last = .key(path: element.path.description)
                try body(element, last)
            }
            return last
        }
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            guard line.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
            last = .text(line: number, column: 1)
            do {
                try body(try JSONReader(parsing: Array(line)), last)
            } catch {
                switch error.position {
                case .text(1, let column): throw DocumentError(at: .text(line: number, column: column), error.problem)
                case .text: throw error
                case .key: throw DocumentError(at: last, error.description)
                }
            }
        }
        return last
    }

    /// The keys of the first object of a text; none where there is no object. Events hold no other objects.
    static func firstKeys(in bytes: [UInt8]) -> [String] {
        guard let start = bytes.firstIndex(of: UInt8(ascii: "{")),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "}")),
            let value = try? JSONValue(parsing: Array(bytes[start...end])), case .object(let object) = value
        else { return [] }
        return object.members.map { $0.key }
    }
}
