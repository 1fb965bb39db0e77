import LoupeBase
import LoupeScene

extension JSONValue {
    private var members: [JSONObject.Member] {
        if case .object(let object) = self { object.members } else { [] }
    }

    /// The keys of an object, in the order of its text; none for anything else.
    var keys: [String] { members.map(\.key) }

    /// `null` where there is no such member.
    subscript(key: String) -> JSONValue { members.first { $0.key == key }?.value ?? .null }

    /// The elements of an array; none for anything else.
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The text of a string; nil for anything else.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The sum of an object's numbers; NaN where a member is not a number.
    var sum: Double {
        members.reduce(0) { sum, member in
            if case .number(let number) = member.value { sum + number } else { .nan }
        }
    }
}
