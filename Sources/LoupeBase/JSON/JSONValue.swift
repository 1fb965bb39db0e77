/// A JSON value (RFC 8259). Objects keep the order of their keys.
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

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(integerLiteral number: Int) { self = .number(Double(number)) }
    package init(floatLiteral number: Double) { self = .number(number) }

    /// As ``JSONObject/init(_:)``.
    package init(dictionaryLiteral members: (String, JSONValue?)...) { self = .object(JSONObject(members)) }
}

extension JSONValue {
    /// The value of keys with dots between them, such as `shadow.offset.0`; nil where one is missing.
    package func value(at path: String) -> JSONValue? {
        var value = self
        for key in path.split(separator: ".") {
            if case .object(let object) = value, let member = object[String(key)] {
                value = member
            } else if case .array(let elements) = value, let index = Int(key), elements.indices.contains(index) {
                value = elements[index]
            } else {
                return nil
            }
        }
        return value
    }

    /// The same with another value at keys with dots between them. Objects on the way that are missing are added.
    package func setting(_ path: some StringProtocol, to new: JSONValue) -> JSONValue {
        guard !path.isEmpty else { return new }
        let key = path.prefix { $0 != "." }
        let rest = path.dropFirst(key.count + 1)
        if case .array(var elements) = self, let index = Int(key), elements.indices.contains(index) {
            elements[index] = elements[index].setting(rest, to: new)
            return .array(elements)
        }
        var members: [(String, JSONValue?)] = []
        if case .object(let object) = self { members = object.members.map { ($0.key, $0.value) } }
        if let index = members.firstIndex(where: { $0.0 == key }) {
            members[index].1 = members[index].1?.setting(rest, to: new)
        } else {
            members.append((String(key), JSONValue.object(JSONObject()).setting(rest, to: new)))
        }
        return .object(JSONObject(members))
    }
}

/// The members of a JSON object, in the order of its text, each key once.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue
    }

    package private(set) var members: [Member] = []
    /// Each key's index in `members`; empty while there are so few members that a linear search is faster.
    private var indices: [String: Int] = [:]

    /// Up to this many members are searched linearly. No object of a scene has more.
    private static let searchedMembers = 16

    package init() {}

    /// Members in this order; those whose value is nil are left out.
    /// - Precondition: no key occurs twice.
    package init(_ members: [(String, JSONValue?)]) {
        for case (let key, let value?) in members {
            let isNew = append(value, forKey: key)
            precondition(isNew, "the key \(key) occurs twice")
        }
    }

    package subscript(key: String) -> JSONValue? {
        index(of: key).map { members[$0].value }
    }

    /// Adds a member at the end; returns false and changes nothing where the key exists.
    package mutating func append(_ value: JSONValue, forKey key: String) -> Bool {
        guard index(of: key) == nil else { return false }
        members.append(Member(key: key, value: value))
        if members.count > Self.searchedMembers { indexNewMembers() }
        return true
    }

    private func index(of key: String) -> Int? {
        indices.isEmpty ? members.firstIndex { $0.key == key } : indices[key]
    }

    private mutating func indexNewMembers() {
        for index in indices.count..<members.count { indices[members[index].key] = index }
    }
}
