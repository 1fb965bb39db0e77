/// Reads a JSON value strictly: each method says what it needs, and its error names the key's path, what the
/// value holds and what is allowed.
///
/// For an object, take its keys with `required` and `optional`, then call `finish()`, which refuses any key
/// that was never asked for:
/// ```swift
/// var rim = try loupe.required("rim")
/// let width = try rim.required("width").number(in: 0...radius)
/// let color = try rim.optional("color")?.color() ?? .white
/// try rim.finish()
/// ```
package struct JSONReader: Sendable {
    package let value: JSONValue
    package let path: JSONPath
    /// The keys that were asked for, in that order.
    private var knownKeys: [String] = []
    /// Whether the key of the schema is allowed beside these.
    private var mayNameSchema = false

    package init(_ value: JSONValue, path: JSONPath = .document) {
        self.value = value
        self.path = path
    }

    /// A reader of the document that UTF-8 text holds.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        self.init(try JSONValue(parsing: bytes))
    }

    /// An error about this value.
    package func error(_ problem: String) -> DocumentError {
        DocumentError(at: .key(path: path.description), problem)
    }

    private func error(needing needed: String) -> DocumentError {
        error("\(value.kind); \(needed) is needed")
    }
}

// MARK: - Objects

extension JSONReader {
    /// The value of a key; an error where it is missing.
    package mutating func required(_ key: String) throws(DocumentError) -> JSONReader {
        if let member = try optional(key) { return member }
        throw error(missing: key)
    }

    /// An error about a key that an object needs.
    package func error(missing key: String) -> DocumentError { error(at: key, "missing; \(heldKeys)") }

    /// The value of a key, or nil where it is missing. `null` is a value like any other.
    package mutating func optional(_ key: String) throws(DocumentError) -> JSONReader? {
        if !knownKeys.contains(key) { knownKeys.append(key) }
        return try member(key)
    }

    /// The same where it is no matter for `finish` that the key was asked for.
    package func member(_ key: String) throws(DocumentError) -> JSONReader? {
        try object()[key].map { JSONReader($0, path: .key(key, in: path)) }
    }

    /// How many keys an object has.
    package var count: Int { get throws(DocumentError) { try object().members.count } }

    /// Whether an object has a key; false for other values.
    package func has(_ key: String) -> Bool {
        if case .object(let object) = value { object[key] != nil } else { false }
    }

    /// The object of a key, or an empty one where it is missing.
    package mutating func optionalObject(_ key: String) throws(DocumentError) -> JSONReader {
        try optional(key) ?? JSONReader([:], path: .key(key, in: path))
    }

    /// The keys of an object whose names are not known beforehand.
    package func keys() throws(DocumentError) -> [String] { try object().members.map { $0.key } }

    /// Accepts the key that names a document's schema, which is for editors.
    package mutating func acceptSchema() throws(DocumentError) {
        guard let schema = try object()["$schema"] else { return }
        _ = try JSONReader(schema, path: .key("$schema", in: path)).string()
        mayNameSchema = true
    }

    /// Refuses keys that were never asked for.
    package func finish() throws(DocumentError) {
        guard
            let key = try object().members.first(where: {
                !knownKeys.contains($0.key) && !(mayNameSchema && $0.key == "$schema")
            })?.key
        else { return }
        throw error(at: key, "unknown key; allowed are \(knownKeys.joined(separator: ", "))")
    }

    /// An error about a key that is not, or should not be, in this object.
    package func error(at key: String, _ problem: String) -> DocumentError {
        DocumentError(at: .key(path: JSONPath.key(key, in: path).description), problem)
    }

    private func object() throws(DocumentError) -> JSONObject {
        guard case .object(let object) = value else { throw error(needing: "an object") }
        return object
    }

    /// The keys that the object has. A missing key may be among them, misspelt.
    private var heldKeys: String {
        guard case .object(let object) = value, !object.members.isEmpty else { return "the object is empty" }
        let keys = object.members.prefix(8).map { JSONValue.string($0.key).excerpt }
        return "the object has \(keys.joined(separator: ", "))\(keys.count < object.members.count ? ", …" : "")"
    }
}

// MARK: - Arrays

extension JSONReader {
    package func array() throws(DocumentError) -> [JSONReader] {
        guard case .array(let elements) = value else { throw error(needing: "an array") }
        return elements.enumerated().map { JSONReader($1, path: .index($0, in: path)) }
    }

    /// An array of fixed length, whose elements have names for the error.
    package func tuple(_ names: String...) throws(DocumentError) -> [JSONReader] { try tuple(names) }

    package func tuple(_ names: [String]) throws(DocumentError) -> [JSONReader] {
        let needed = "an array [\(names.joined(separator: ", "))]"
        guard case .array(let elements) = value else { throw error(needing: needed) }
        guard elements.count == names.count else {
            throw error("its length is \(elements.count); \(needed) is needed")
        }
        return try array()
    }
}

// MARK: - Scalars

extension JSONReader {
    package func bool() throws(DocumentError) -> Bool {
        guard case .bool(let bool) = value else { throw error(needing: "true or false") }
        return bool
    }

    /// A number in a range, whose upper end may need words: `half the rect's shorter side`.
    package func number(in range: ClosedRange<Double>, upTo limit: String? = nil) throws(DocumentError) -> Double {
        guard case .number(let number) = value else { throw error(needing: "a number in \(range.words)") }
        guard range.contains(number) else {
            let reason = limit.map { ", \($0)" } ?? ""
            throw error("\(value.excerpt) is out of range; allowed is \(range.words)\(reason)")
        }
        // No length, time or factor is so small; the reciprocal of such a number may be infinite.
        return abs(number) < 1e-100 ? 0 : number
    }

    /// A whole number in a range; `1.0` and `1e3` are whole. Numbers are exact within ±2⁵³.
    package func integer(in range: ClosedRange<Int>) throws(DocumentError) -> Int {
        let needed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .number(let number) = value else { throw error(needing: needed) }
        guard number == number.rounded() else { throw error("\(value.excerpt) is not whole; \(needed) is needed") }
        guard let integer = Int(exactly: number), range.contains(integer) else {
            throw error("\(value.excerpt) is out of range; allowed is \(range.words)")
        }
        return integer
    }

    /// - Parameter needed: what the error asks for.
    package func string(needed: String = "a string") throws(DocumentError) -> String {
        guard case .string(let string) = value else { throw error(needing: needed) }
        return string
    }

    /// A string that names a case of an enumeration.
    package func choice<Choice>(of _: Choice.Type) throws(DocumentError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        let names = Choice.allCases.map { $0.rawValue }.joined(separator: ", ")
        guard let choice = Choice(rawValue: try string(needed: "one of \(names)")) else {
            throw error("\(value.excerpt) is not allowed; allowed are \(names)")
        }
        return choice
    }
}
