/// The members of a JSON object, in the order of its text, each key once.
package struct JSONObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue
    }

    package private(set) var members: [Member] = []
    /// Each key's place among `members`; empty while there are so few that looking through them is quicker.
    private var places: [String: Int] = [:]

    /// Up to this many members are searched one by one: more than any object of a scene has.
    private static let searchedMembers = 16

    package init() {}

    package subscript(key: String) -> JSONValue? {
        place(of: key).map { members[$0].value }
    }

    /// Adds a member at the end; false, and nothing done, where the key is already there.
    package mutating func append(_ value: JSONValue, forKey key: String) -> Bool {
        guard place(of: key) == nil else { return false }
        members.append(Member(key: key, value: value))
        if members.count > Self.searchedMembers { indexNewMembers() }
        return true
    }

    private func place(of key: String) -> Int? {
        places.isEmpty ? members.firstIndex { $0.key == key } : places[key]
    }

    private mutating func indexNewMembers() {
        for place in places.count..<members.count { places[members[place].key] = place }
    }
}
