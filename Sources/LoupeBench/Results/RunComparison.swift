import LoupeJSON

/// A run compared with a saved one of the same device and driver.
///
/// The times of each are multiples of its calibration's, which costs the same in both, so that a machine that was faster or
/// slower at one of the two times does not count.
public struct RunComparison: Hashable, Sendable {
    /// A case that both runs have.
    public struct Row: Hashable, Sendable {
        /// The case's name.
        public let name: String
        /// How many times as long it takes now, relative to the calibrations.
        public let ratio: Ratio
        /// Whether the whole interval is above 1 and the estimate above 1 and the threshold.
        public let isRegression: Bool
        /// Whether it is faster or slower now.
        public var verdict: SpeedVerdict { SpeedVerdict(ratio) }
    }

    /// A slowdown by less than this part is no regression, unless another threshold is asked for.
    public static let usualThreshold = 0.1

    /// The cases that both runs have.
    public let rows: [Row]
    /// Cases of this run that the saved one lacks.
    public let newNames: [String]
    /// A slowdown by less than this part is no regression.
    public let threshold: Double

    /// - Throws: `BenchError.otherDevice` if the runs are of different devices or drivers, or were judged by different
    ///   clocks.
    public init(_ run: BenchRun, to base: SavedRun, threshold: Double = usualThreshold) throws(BenchError) {
        let (here, there) = (run.context.deviceName, base.deviceName)
        guard here == there, run.context.judgedBy == base.judgedBy else {
            throw .otherDevice(
                base: here == there ? "\(there), by \(base.judgedBy)" : there,
                here: here == there ? "\(here), by \(run.context.judgedBy)" : here)
        }
        self.threshold = threshold
        let entries = run.entries.filter { !$0.calibrated.isEmpty }
        rows = entries.compactMap { entry in
            base.calibrated[entry.name].map {
                let ratio = Ratio(unpaired: entry.calibrated, to: $0)
                return Row(name: entry.name, ratio: ratio, isRegression: ratio.isAbove(threshold))
            }
        }
        newNames = entries.map(\.name).filter { base.calibrated[$0] == nil }
    }

    /// The cases that became slower.
    public var regressions: [Row] { rows.filter(\.isRegression) }
}

extension Ratio {
    /// Whether the whole interval is above 1, and the estimate by more than a part.
    func isAbove(_ threshold: Double) -> Bool { low > 1 && estimate > 1 + threshold }
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
        let least = (threshold * 100).jsonText
        return regressions.isEmpty
            ? "none of \(rows.count) cases is slower than in the saved run by more than \(least) %"
            : "\(regressions.count) of \(rows.count) cases are slower than in the saved run by more than \(least) %"
    }
}

extension RunComparison.Row {
    /// The row in one line.
    public var text: String { "\(name): takes \(ratio.text) times as long" }
}
