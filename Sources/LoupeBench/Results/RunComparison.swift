import LoupeJSON

/// A run compared with a saved one of the same device and driver.
public struct RunComparison: Hashable, Sendable {
    /// A case that both runs have.
    public struct Row: Hashable, Sendable {
        /// The case's name.
        public let name: String
        /// How many times as long it takes now.
        public let ratio: Ratio
        /// Whether the whole interval is above 1 and the estimate above 1 + ``RunComparison/leastSlowdown``.
        public var isRegression: Bool { ratio.low > 1 && ratio.estimate > 1 + RunComparison.leastSlowdown }
        /// Whether it is faster or slower now.
        public var verdict: SpeedVerdict { SpeedVerdict(ratio) }
    }

    /// A slowdown by less than this part is no regression.
    public static let leastSlowdown = 0.05

    /// The cases that both runs have.
    public let rows: [Row]
    /// Cases of this run that the saved one lacks.
    public let newNames: [String]

    /// - Throws: `BenchError.otherDevice` if the runs are of different devices or drivers.
    public init(_ run: BenchRun, to base: SavedRun) throws(BenchError) {
        guard run.context.deviceName == base.deviceName else {
            throw .otherDevice(base: base.deviceName, here: run.context.deviceName)
        }
        rows = run.entries.compactMap { entry in
            base.times[entry.name].map { Row(name: entry.name, ratio: Ratio(unpaired: entry.times, to: $0)) }
        }
        newNames = run.entries.map(\.name).filter { base.times[$0] == nil }
    }

    /// The cases that became slower.
    public var regressions: [Row] { rows.filter(\.isRegression) }
}

// MARK: - Text

extension RunComparison {
    private var table: Table {
        var table = Table(
            headings: ["case", "time / saved run", ""], isNumeric: [false, false, false])
        for row in rows {
            let isSlower = row.isRegression
            table.tones[table.rows.count] = isSlower ? .worse : row.verdict == .slower ? .even : row.verdict.tone
            table.rows.append([row.name, row.ratio.text, isSlower ? "SLOWER" : row.verdict.rawValue])
        }
        table.rows += newNames.map { [$0, "", "new"] }
        return table
    }

    /// The comparison as a table for a terminal.
    public var text: String { styledText { text, _ in text } }

    /// The same with colours or marks, as in ``BenchRun/styledText(_:)``.
    public func styledText(_ style: BenchTextStyle) -> String {
        table.styledText(style) + "\n" + style(sentence, regressions.isEmpty ? .better : .worse) + "\n"
    }

    /// The same as GitHub-flavoured Markdown.
    public var markdown: String { table.markdown + "\n" + sentence + "\n" }

    /// The result in one sentence.
    public var sentence: String {
        let least = (RunComparison.leastSlowdown * 100).jsonText
        return regressions.isEmpty
            ? "none of \(rows.count) cases is slower than in the saved run by more than \(least) %"
            : "\(regressions.count) of \(rows.count) cases are slower than in the saved run by more than \(least) %"
    }
}

extension RunComparison.Row {
    /// The row in one line.
    public var text: String { "\(name): takes \(ratio.text) times as long" }
}
