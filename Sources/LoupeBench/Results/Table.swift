import LoupeSystem

/// A table of text for terminals and for Markdown.
struct Table {
    /// The meaning of a comparison, for its colour and mark.
    enum Tone {
        /// Faster, or no case slower than in the other build.
        case better
        /// Slower, or another picture.
        case worse
        case even
    }

    /// What it shows.
    var title = ""
    /// The columns' names.
    let headings: [String]
    /// Whether a column holds numbers, which are aligned to the right.
    let isNumeric: [Bool]
    /// The cells.
    var rows: [[String]] = []
    /// What a reader has to know below it; nothing where that is empty.
    var note = ""
    /// What the last cells of rows say that hold a comparison, by the row's index.
    var tones: [Int: Tone] = [:]

    /// The width that a terminal's tables keep within.
    static let columns = 100

    /// A label and its value in lines that are not too long; those after the first are indented.
    static func fact(_ label: String, _ value: String, _ style: TerminalStyle) -> String {
        let indent = 11
        let head = style.colored("\(label):", .faint) + String(repeating: " ", count: max(1, indent - label.count - 1))
        return head + value.wrapped(to: columns - indent).joined(separator: "\n" + "".padded(to: indent)) + "\n"
    }

    var text: String { styledText(.plain) }

    /// The table with the names in its first column shortened in their middle, as far as that keeps it within `columns`.
    func styledText(_ style: TerminalStyle) -> String {
        var cells = [headings] + rows
        var widths = headings.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let mark = tones.isEmpty ? 0 : 2
        let most = max(20, Self.columns - mark - widths.dropFirst().reduce(0) { $0 + $1 + 2 })
        for index in cells.indices { cells[index][0] = cells[index][0].shortened(to: most) }
        widths[0] = min(widths[0], most)
        let lines = cells.enumerated().map { index, row in
            let words = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return isNumeric[column] ? space + row[column] : row[column] + space
            }
            guard let tone = tones[index - 1] else {
                let line = words.joined(separator: "  ").trimmingSpaces
                return index == 0 ? style.colored(line, .faint) : line
            }
            return (words.dropLast() + [Self.marked(row[row.count - 1], tone, style)]).joined(separator: "  ")
        }
        return (title.isEmpty ? "" : style.colored(title, .strong) + "\n") + lines.map { $0 + "\n" }.joined()
            + (note.isEmpty ? "" : style.colored("(\(note))", .faint) + "\n")
    }

    private static func marked(_ text: String, _ tone: Tone, _ style: TerminalStyle) -> String {
        switch tone {
        case .better: style.result(text, isGood: true)
        case .worse: style.result(text, isGood: false)
        case .even: style.hasMarks ? "  \(text)" : text
        }
    }

    var markdown: String {
        let rule = isNumeric.map { $0 ? "---:" : "---" }
        return (title.isEmpty ? "" : "**\(title)**\n\n")
            + ([headings, rule] + rows).map { row in
                "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
            }.joined()
            + (note.isEmpty ? "" : "\n\(note)\n")
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
