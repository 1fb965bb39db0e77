import LoupeJSON

/// A run compared with a saved one of the same device and driver.
///
/// The times of each are multiples of its calibration's floor, which costs the same in both, so that a machine that was faster
/// or slower at one of the two times does not count. A process is faster or slower than another one of the same build, by
/// where its memory lies, and the machine from moment to moment. So what looks slower is timed again by new processes. The
/// fastest of them counts, and it has to be slower by more than the processes differ.
public struct RunComparison: Hashable, Sendable {
    /// A case that both runs have.
    public struct Row: Hashable, Sendable {
        /// The case's name.
        public let name: String
        /// How many times as long it takes now, relative to the calibrations.
        public fileprivate(set) var ratio: Ratio
        /// The same, of each new process that timed it again.
        fileprivate var again: [Double] = []
        /// Whether the whole interval is above 1 and the estimate above 1 and the threshold, times how many times as long it
        /// took the slowest of the new processes as the fastest.
        public fileprivate(set) var isRegression: Bool
        /// Whether it is faster or slower now.
        public var verdict: SpeedVerdict { SpeedVerdict(ratio) }
    }

    /// A slowdown by less than this part is no regression, unless another threshold is asked for.
    public static let usualThreshold = 0.1

    /// How many new processes time what looks slower, at the most.
    static let starts = 5

    /// The cases that both runs have.
    public private(set) var rows: [Row]
    /// Cases of this run that the saved one lacks.
    public let newNames: [String]
    /// Cases of the saved run that this one lacks; none where this one is of a selection.
    public let goneNames: [String]
    /// A slowdown by less than this part is no regression.
    public let threshold: Double
    /// How many cases were timed again.
    public private(set) var again = 0
    private let base: SavedRun

    /// - Parameter isSelection: whether the run leaves out cases that others have.
    /// - Throws: `BenchError.otherDevice` if the runs are of different devices or drivers, or were judged by different
    ///   clocks; `BenchError.nothingInCommon` if no case is in both.
    public init(
        _ run: BenchRun, to base: SavedRun, threshold: Double = usualThreshold, isSelection: Bool = false
    ) throws(BenchError) {
        let (here, there) = (run.context.deviceName, base.deviceName)
        guard here == there, run.context.judgedBy == base.judgedBy else {
            throw .otherDevice(
                base: here == there ? "\(there), by \(base.judgedBy)" : there,
                here: here == there ? "\(here), by \(run.context.judgedBy)" : here)
        }
        (self.threshold, self.base) = (threshold, base)
        let entries = run.entries.filter { !$0.calibrated.isEmpty }
        rows = entries.compactMap { entry in
            base.calibrated[entry.name].map {
                let ratio = Ratio(floorsOf: entry.calibrated, to: $0)
                return Row(name: entry.name, ratio: ratio, isRegression: ratio.isAbove(threshold))
            }
        }
        newNames = entries.map(\.name).filter { base.calibrated[$0] == nil }
        let names = Set(entries.map(\.name))
        goneNames = isSelection ? [] : base.calibrated.keys.filter { !names.contains($0) }.sorted()
        if rows.isEmpty { throw .nothingInCommon(here: newNames, there: base.calibrated.keys.sorted()) }
    }

    /// The cases that became slower.
    public var regressions: [Row] { rows.filter(\.isRegression) }

    /// Times what looks slower again, by new processes one after another, until nothing does.
    /// - Parameters:
    ///   - command: this build, with the arguments by which it serves the cases of the run (`BenchServer`).
    ///   - blocks: how often each process times a case, at least.
    ///   - seconds: how long it times a group, at least: other programs come and go within seconds.
    ///   - progress: called with the name of the current group and the part of the processes that are done, 0…1.
    /// - Throws: `BenchError.otherBuild` where a process ends or answers something else.
    public mutating func timeAgain(
        by command: [String], blocks: Int, seconds: Double = 4,
        progress: (_ what: String, _ part: Double) -> Void = { _, _ in }
    ) throws {
        again = regressions.count
        var random = SplitMix64(seed: 2028)
        for start in 0..<Self.starts where !regressions.isEmpty {
            let suspects = Set(regressions.map(\.name))
            let client = try BenchClient(command)
            for (number, group) in client.groups.enumerated() {
                let part = (Double(start) + Double(number) / Double(client.groups.count)) / Double(Self.starts)
                progress("again: \(group)", part)
                for (name, times) in try client.calibrated(group, suspects, blocks, seconds, &random) {
                    guard let index = rows.firstIndex(where: { $0.name == name }), let base = base.calibrated[name]
                    else { continue }
                    rows[index].add(Ratio(floorsOf: times, to: base), threshold)
                }
            }
        }
    }
}

extension BenchClient {
    /// Times the suspects of a group beside its calibration.
    /// - Returns: by name, multiples of the calibration's floor.
    fileprivate func calibrated(
        _ group: String, _ suspects: Set<String>, _ blocks: Int, _ seconds: Double, _ random: inout SplitMix64
    ) throws -> [String: [Double]] {
        let things = try prepare(group)
        let wanted = things.indices.filter { !suspects.isDisjoint(with: things[$0]) }
        guard !wanted.isEmpty, let unit = things.firstIndex(where: { $0.contains(where: Calibration.isName) })
        else { return [:] }
        let timed = wanted + [unit, unit]
        let repetitions = try Dictionary(uniqueKeysWithValues: (wanted + [unit]).map { ($0, try calibrate($0)) })
        var times: [Int: [Double]] = [:]
        var done = 0
        let start = ContinuousClock.now
        while done < blocks || ContinuousClock.now - start < .seconds(seconds) {
            done += 1
            for thing in timed.shuffled(using: &random) {
                let taken = try time(thing, repetitions[thing] ?? 1)
                times[thing, default: []].append(isSoftware ? taken.processor : taken.wall)
            }
        }
        let floor = times[unit, default: []].floor
        return wanted.reduce(into: [:]) { result, thing in
            for name in things[thing] { result[name] = times[thing, default: []].map { $0 / floor } }
        }
    }
}

extension RunComparison.Row {
    /// Takes in what another process measured.
    fileprivate mutating func add(_ other: Ratio, _ threshold: Double) {
        again.append(other.estimate)
        if other.estimate < ratio.estimate { ratio = other }
        let spread = (again.max() ?? 1) / (again.min() ?? 1)
        isRegression = ratio.isAbove((1 + threshold) * spread - 1)
    }
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
        table.rows += newNames.map { [$0, "", "new"] } + goneNames.map { [$0, "", "only in the saved run"] }
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
        let again = again > 0 ? "; \(again) timed again" : ""
        return regressions.isEmpty
            ? "none of \(rows.count) cases is slower than in the saved run by more than \(least) %\(again)"
            : "\(regressions.count) of \(rows.count) cases are slower than in the saved run by more than \(least) %\(again)"
    }
}

extension RunComparison.Row {
    /// The row in one line.
    public var text: String { "\(name): takes \(ratio.text) times as long" }
}
