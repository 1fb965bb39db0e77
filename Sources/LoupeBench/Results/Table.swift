/// A table of text for terminals and for Markdown.
struct Table {
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
    var tones: [Int: BenchTone] = [:]

    /// The width that a terminal's tables keep within.
    static let columns = 100

    /// A label and its value in lines that are not too long; those after the first are indented.
    static func fact(_ label: String, _ value: String, _ style: BenchTextStyle) -> String {
        let indent = 11
        var lines = ["\(label):" + String(repeating: " ", count: max(1, indent - label.count - 1))]
        for word in value.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.count + word.count > columns, last.count > indent {
                lines.append(String(repeating: " ", count: indent) + word + " ")
            } else {
                lines[lines.count - 1] += word + " "
            }
        }
        let text = lines.map { $0.trimmingSpaces + "\n" }.joined()
        return style("\(label):", .label) + text.dropFirst(label.count + 1)
    }

    var text: String { styledText { text, _ in text } }

    func styledText(_ style: BenchTextStyle) -> String { fitting.aligned(style) }

    /// The table with the names in its first column shortened in their middle, as far as that keeps it within `columns`.
    private var fitting: Table {
        let cells = [headings] + rows
        let widths = headings.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let mark = tones.isEmpty ? 0 : 2
        let most = max(20, Self.columns - mark - widths.dropFirst().reduce(0) { $0 + $1 + 2 })
        var table = self
        for index in rows.indices where rows[index][0].count > most {
            let name = rows[index][0]
            table.rows[index][0] = "\(name.prefix((most - 1) / 2))…\(name.suffix(most / 2))"
        }
        return table
    }

    private func aligned(_ style: BenchTextStyle) -> String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        func line(_ row: [String], _ tone: BenchTone?) -> String {
            var line = ""
            for column in row.indices.dropLast(tone == nil ? 0 : 1) {
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                line += (column > 0 ? "  " : "") + (isNumeric[column] ? space + row[column] : row[column] + space)
            }
            guard let tone else { return line.trimmingSpaces }
            return line + "  " + style(row[row.count - 1], tone)
        }
        let head = style(line(headings, nil), .label)
        let lines = [head] + rows.enumerated().map { line($0.element, tones[$0.offset]) }
        return (title.isEmpty ? "" : style(title, .title) + "\n") + lines.map { $0 + "\n" }.joined()
            + (note.isEmpty ? "" : style("(\(note))", .label) + "\n")
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
