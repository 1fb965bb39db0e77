/// Writes JSON for people: a value that fits on a line stays on one, any other has a line for each member.
struct JSONWriter {
    /// In characters.
    let lineWidth: Int
    private(set) var text = ""

    init(lineWidth: Int) {
        self.lineWidth = lineWidth
    }

    /// Appends a value to a line that is indented by `indent` and already holds `lead` more characters.
    mutating func write(_ value: JSONValue, indent: Int = 0, lead: Int = 0) {
        if let line = value.line(atMost: lineWidth - indent - lead) {
            text += line
            return
        }
        switch value {
        case .array(let elements):
            block("[", "]", elements, indent: indent) { ("", $0) }
        case .object(let object):
            block("{", "}", object.members, indent: indent) { ("\($0.key.jsonQuoted): ", $0.value) }
        case .null, .bool, .number, .string:
            text += value.line
        }
    }

    private mutating func block<Element>(
        _ open: String, _ close: String, _ elements: [Element], indent: Int,
        member: (Element) -> (label: String, value: JSONValue)
    ) {
        var separator = open
        for (label, value) in elements.lazy.map(member) {
            text += separator + "\n" + String(repeating: " ", count: indent + 2) + label
            write(value, indent: indent + 2, lead: label.count + 1)
            separator = ","
        }
        text += "\n" + String(repeating: " ", count: indent) + close
    }
}

extension JSONValue {
    /// Indented text with lines of up to `lineWidth` characters where possible, without a newline at its end.
    /// Numbers have the fewest digits that read back as the same value; NaN and infinity, which JSON lacks,
    /// become `null`, as in JavaScript.
    package func text(lineWidth: Int = 100) -> String {
        var writer = JSONWriter(lineWidth: lineWidth)
        writer.write(self)
        return writer.text
    }

    /// The whole value on one line.
    package var line: String {
        line(atMost: .max) ?? ""
    }

    /// The value on one line, or nil where that takes more than `limit` bytes.
    func line(atMost limit: Int) -> String? {
        var text = ""
        return append(to: &text, atMost: limit) ? text : nil
    }

    /// Appends the value to `text`. Stops and returns false when the text is longer than `limit` bytes.
    private func append(to text: inout String, atMost limit: Int) -> Bool {
        switch self {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number): text += number.jsonText
        case .string(let string): text += string.jsonQuoted
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += index > 0 ? ", " : ""
                guard element.append(to: &text, atMost: limit) else { return false }
            }
            text += "]"
        case .object(let object):
            text += "{"
            for (index, member) in object.members.enumerated() {
                text += (index > 0 ? ", " : "") + member.key.jsonQuoted + ": "
                guard member.value.append(to: &text, atMost: limit) else { return false }
            }
            text += "}"
        }
        return text.utf8.count <= limit
    }
}

extension Double {
    /// The fewest digits that read back as this number, without a trailing `.0`.
    package var jsonText: String {
        guard isFinite else { return "null" }
        let digits = description
        return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    }

    /// Rounded to a hundredth, for sentences.
    package var hundredths: String { ((self * 100).rounded() / 100).jsonText }
}
