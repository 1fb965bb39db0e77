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

    /// The value of a number; NaN for anything else.
    var number: Double { if case .number(let number) = self { number } else { .nan } }

    /// The numbers of an array or of an object.
    var numbers: [Double] { (elements + members.map(\.value)).map(\.number) }
}
