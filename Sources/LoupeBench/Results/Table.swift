import LoupeSystem

/// A table of text.
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

    /// The width that tables keep within, in characters.
    static let columns = 100

    /// The table with the names in its first column shortened in their middle, as far as that keeps it within `columns`.
    var text: String {
        var cells = [headings] + rows
        var widths = headings.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let most = max(20, Self.columns - widths.dropFirst().reduce(0) { $0 + $1 + 2 })
        for index in cells.indices { cells[index][0] = cells[index][0].shortened(to: most) }
        widths[0] = min(widths[0], most)
        let lines = cells.map { row in
            let words = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return isNumeric[column] ? space + row[column] : row[column] + space
            }
            var line = words.joined(separator: "  ")[...]
            while line.last == " " { line.removeLast() }
            return String(line)
        }
        return ([title] + lines + [note.isEmpty ? "" : "(\(note))"]).filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
    }
}
