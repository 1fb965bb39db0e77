/// A JSON value (RFC 8259) as its text has it: objects keep their keys' order.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// Finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Reads UTF-8 text strictly: a duplicate key, a trailing comma, a byte order mark, a number beyond
    /// `Double` or nesting deeper than `JSONParser.maximumDepth` is an error with its line and column.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        var parser = JSONParser(bytes: bytes)
        self = try parser.document()
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self = .string(text) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Members whose value is nil are left out.
    /// - Precondition: no key occurs twice.
    package init(dictionaryLiteral members: (String, JSONValue?)...) {
        var object = JSONObject()
        for case (let key, let value?) in members {
            let isNew = object.append(value, forKey: key)
            precondition(isNew, "the key \(key) occurs twice")
        }
        self = .object(object)
    }
}
