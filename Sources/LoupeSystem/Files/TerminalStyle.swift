/// Marks and colours of lines for a person.
package struct TerminalStyle: Sendable {
    package let hasMarks: Bool
    package let hasColors: Bool

    package init(hasMarks: Bool, hasColors: Bool) { (self.hasMarks, self.hasColors) = (hasMarks, hasColors) }

    /// The colours by what they mean.
    package enum Meaning: String {
        case good = "32"
        case bad = "31"
        case open = "33"
        case faint = "2"
    }

    package func colored(_ text: String, _ meaning: Meaning) -> String {
        hasColors ? "\u{1b}[\(meaning.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// A word for a result, after its mark.
    package func result(_ word: String, _ meaning: Meaning, mark: String) -> String {
        colored(hasMarks ? "\(mark) \(word)" : word, meaning)
    }

    /// What is right or wrong, after `✓` or `✗`.
    package func result(_ word: String, isGood: Bool) -> String {
        result(word, isGood ? .good : .bad, mark: isGood ? "✓" : "✗")
    }
}

extension String {
    /// At most so many characters: a longer text loses those in its middle to an ellipsis.
    package func shortened(to count: Int) -> String {
        guard self.count > count else { return self }
        return "\(prefix((count - 1) / 2))…\(suffix(count / 2))"
    }

    /// With spaces after it, to be so many characters long at least.
    package func padded(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
