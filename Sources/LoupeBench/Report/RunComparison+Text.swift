extension RunComparison {
    private var table: Table {
        var table = Table(
            headings: ["case", "against the saved run", ""], isNumeric: [false, false, false])
        table.rows = rows.map { [$0.name, $0.ratio.text, $0.isRegression ? "SLOWER" : $0.verdict.rawValue] }
        table.rows += newNames.map { [$0, "", "not in the saved run"] }
        return table
    }

    /// For a terminal.
    public var text: String { table.text + "\n" + sentence + "\n" }
    public var markdown: String { table.markdown + "\n" + sentence + "\n" }

    /// The whole in one sentence.
    public var sentence: String {
        let least = (RunComparison.leastSlowdown * 100).plain
        return regressions.isEmpty
            ? "none of \(rows.count) cases is slower than in the saved run by more than \(least) %"
            : "\(regressions.count) of \(rows.count) cases are slower than in the saved run by more than \(least) %"
    }
}

extension RunComparison.Row {
    public var text: String { "\(name): \(ratio.text) times as long" }
}
