/// Rows of text under headings, for terminals and for Markdown.
struct Table {
    let headings: [String]
    /// Whether a column holds numbers, and goes to the right.
    let isNumeric: [Bool]
    var rows: [[String]] = []

    var text: String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([headings] + rows).map { row in
            var line = ""
            for column in row.indices {
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                line += (column > 0 ? "  " : "") + (isNumeric[column] ? space + row[column] : row[column] + space)
            }
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    var markdown: String {
        let rule = isNumeric.map { $0 ? "---:" : "---" }
        return ([headings, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
