/// Values as error messages quote them: on one line, and shortened.
extension JSONValue {
    /// The value's text, cut short where it is long.
    package var excerpt: String {
        if case .string(let string) = self { return string.shortened.jsonQuoted }
        return line.shortened
    }

    /// What the value is: `"wide" is a string`.
    var kind: String {
        switch self {
        case .null: "it is null"
        case .bool: "\(excerpt) is a boolean"
        case .number: "\(excerpt) is a number"
        case .string: "\(excerpt) is a string"
        case .array: "it is an array"
        case .object: "it is an object"
        }
    }
}

extension String {
    /// The text as a sentence quotes it: at most 200 characters, of a longer one its start and its end, since the end of a
    /// path says most.
    package var quotable: String {
        // A character has at least one scalar, so this counts no more than 200 of either.
        let scalars = unicodeScalars
        guard let end = scalars.index(startIndex, offsetBy: 200, limitedBy: endIndex), end < endIndex else {
            return self
        }
        return String(scalars.prefix(120)) + "…" + String(scalars.suffix(79))
    }

    /// The first 40 scalars, with an ellipsis where there are more.
    var shortened: String {
        let head = unicodeScalars.prefix(40)
        return head.endIndex == endIndex ? self : String(head) + "…"
    }
}

extension ClosedRange<Int> {
    package var words: String { "\(lowerBound)…\(upperBound)" }
}

extension ClosedRange<Double> {
    package var words: String { "\(lowerBound.jsonText)…\(upperBound.jsonText)" }
}
