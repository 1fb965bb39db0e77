import LoupeBase

/// Times two builds side by side: batches of both take turns, so whatever the machine does meanwhile happens to both, and
/// each case is judged by the ratios of neighbouring batches.
///
/// Both builds run in processes of their own, which are started anew several times: where a process's memory lies changes
/// its speed by a few percent, and that is no difference of the builds. The first pass only finds suspects: each case
/// that looks slower by half of the threshold or more is timed again, by more processes, and the first result is
/// discarded. So few slow cases are missed, and a false alarm needs two chance results.
package struct PairedBench {
    /// This build: a program and its arguments.
    package let here: [String]
    /// The other build.
    package let other: [String]
    /// How often each case is timed in each build; a multiple of ``starts``.
    package var blocks: Int
    /// Slowdowns below this fraction are ignored.
    package var threshold: Double
    /// Called with the name of the current step and the part of the first pass that is done, 0…1.
    package var progress: (_ what: String, _ part: Double) -> Void = { _, _ in }

    /// Slowdowns below this fraction are ignored, unless another threshold is asked for.
    package static let usualThreshold = 0.05
    /// How often the processes are started in the first pass.
    static let starts = 3
    /// How often they are started in the second pass. Processes differ more from each other than the batches of one do, so
    /// more of them say more than longer ones.
    static let startsAgain = 12
    /// How likely any case is called slower by chance alone, of all that are timed again.
    static let errorRate = 0.05

    /// Times two builds, each a program and its arguments with which it serves (`BenchServer`).
    package init(here: [String], other: [String], blocks: Int, threshold: Double) {
        (self.here, self.other, self.blocks, self.threshold) = (here, other, blocks, threshold)
    }

    /// Times everything, and once more what looks slower.
    /// - Throws: `BenchError.otherBuild` where a process ends or answers something else.
    package func run() throws -> PairedRun {
        var random = SplitMix64(seed: 2027)
        let first = try pass(blocks, starts: Self.starts, &random) { _ in true }
        var rows = first.order.compactMap { name in first.times[name].map { PairedRun.Row(name, $0) } }
        let suspects = Set(rows.filter { $0.ratio.estimate > 1 + threshold / 2 }.map(\.name))
        if !suspects.isEmpty {
            let second = try pass(2 * blocks, starts: Self.startsAgain, &random) { !$0.isDisjoint(with: suspects) }
            let rate = Self.errorRate / Double(suspects.count)
            for index in rows.indices where suspects.contains(rows[index].name) {
                let name = rows[index].name
                if let times = second.times[name] { rows[index] = PairedRun.Row(name, times, errorRate: rate) }
            }
        }
        return PairedRun(
            deviceName: first.device, otherDeviceName: first.otherDevice, isSoftware: first.isSoftware,
            threshold: threshold, again: suspects.count, rows: rows)
    }

    private struct Pass {
        var device = ""
        var otherDevice = ""
        var isSoftware = false
        /// The names of the cases.
        var order: [String] = []
        var times: [String: Times] = [:]
    }

    /// Times the things for whose names `wants` is true.
    private func pass(
        _ blocks: Int, starts: Int, _ random: inout SplitMix64, _ wants: (Set<String>) -> Bool
    ) throws -> Pass {
        var pass = Pass()
        for start in 0..<starts {
            let sides = try [here, other].map { try BenchClient($0) }
            pass.device = sides[0].device
            pass.otherDevice = sides[1].device
            pass.isSoftware = sides.allSatisfy(\.isSoftware)
            let shared = sides[0].groups.filter(sides[1].groups.contains)
            for (number, group) in shared.enumerated() {
                let part = (Double(start) + Double(number) / Double(shared.count)) / Double(starts)
                progress(group, part)
                let things = try sides.map { try $0.prepare(group) }
                let pairs = things[0].indices.compactMap { index -> (index: [Int], names: [String])? in
                    let other = things[1].firstIndex { $0.contains(things[0][index][0]) }
                    guard let other, wants(Set(things[0][index])) else { return nil }
                    return ([index, other], things[0][index].filter(things[1][other].contains))
                }
                for name in pairs.flatMap(\.names) {
                    if pass.times[name] == nil { pass.order.append(name) }
                    pass.times[name, default: Times()].ratios.append([])
                }
                let repetitions = try pairs.map { try sides[0].calibrate($0.index[0]) }
                for _ in 0..<max(1, (blocks + starts - 1) / starts) {
                    for pair in pairs.indices.shuffled(using: &random) {
                        var taken = [(wall: 0.0, processor: 0.0), (wall: 0.0, processor: 0.0)]
                        for side in [0, 1].shuffled(using: &random) {
                            taken[side] = try sides[side].time(pairs[pair].index[side], repetitions[pair])
                        }
                        let judged = taken.map { pass.isSoftware ? $0.processor : $0.wall }
                        for name in pairs[pair].names { pass.times[name]?.append(here: judged[0], other: judged[1]) }
                    }
                }
            }
        }
        return pass
    }
}

/// The times of one case.
private struct Times {
    var here: [Double] = []
    var other: [Double] = []
    /// The ratios of the batches, for each pair of processes.
    var ratios: [[Double]] = []

    mutating func append(here: Double, other: Double) {
        self.here.append(here)
        self.other.append(other)
        ratios[ratios.count - 1].append(here / other)
    }
}

extension PairedRun.Row {
    fileprivate init(_ name: String, _ times: Times, errorRate: Double = 0.05) {
        self.init(
            name: name, here: times.here.median, other: times.other.median,
            ratio: Ratio(clusters: times.ratios, errorRate: errorRate))
    }
}

/// Two builds compared.
package struct PairedRun: Hashable, Sendable {
    /// A case of both builds.
    package struct Row: Hashable, Sendable {
        /// The case's name.
        package let name: String
        /// Nanoseconds a repetition in this build, by what is judged.
        package let here: Double
        /// The same in the other build.
        package let other: Double
        /// How many times as long it takes as in the other build.
        package let ratio: Ratio
    }

    /// The device of this build.
    let deviceName: String
    /// The device of the other build.
    let otherDeviceName: String
    /// Whether the processor time of all threads is judged, not the clock.
    let isSoftware: Bool
    /// Slowdowns below this fraction are ignored.
    package let threshold: Double
    /// How many cases were timed again.
    package let again: Int
    /// The cases, in the order of the run.
    package let rows: [Row]

    /// The cases that are slower.
    package var regressions: [Row] { rows.filter { $0.ratio.isAbove(threshold) } }

    private var table: Table {
        var table = Table(
            headings: ["case", "ms here", "ms there", "here / there", ""], isNumeric: [false, true, true, false, false])
        table.rows = rows.map { row in
            [
                row.name, row.here.millisecondText, row.other.millisecondText, row.ratio.text,
                row.ratio.isAbove(threshold) ? "SLOWER" : SpeedVerdict(row.ratio).rawValue,
            ]
        }
        table.note = isSoftware ? "processor time of all threads; the clock also measures what other programs do" : ""
        return table
    }

    /// The result in one sentence.
    package var sentence: String {
        let least = (threshold * 100).jsonText
        let again = again > 0 ? "; \(again) timed again" : ""
        return regressions.isEmpty
            ? "none of \(rows.count) cases is slower than in the other build by more than \(least) %\(again)"
            : "\(regressions.count) of \(rows.count) cases are slower than in the other build by more than \(least) %\(again)"
    }

    /// The comparison for a person.
    package var text: String { "device: \(deviceName)\n\n\(table.text)\n\(sentence)\n" }

    /// The comparison as JSON.
    package var jsonText: String {
        let rows = rows.map { row -> JSONValue in
            [
                "name": .string(row.name), "here": .number(row.here.milliseconds),
                "there": .number(row.other.milliseconds), "time_unit": "ms",
                "ratio": .number(row.ratio.estimate.rounded(toPlaces: 4)),
                "low": .number(row.ratio.low.rounded(toPlaces: 4)),
                "high": .number(row.ratio.high.rounded(toPlaces: 4)),
                "verdict": .string(
                    row.ratio.isAbove(threshold) ? "slower" : SpeedVerdict(row.ratio) == .faster ? "faster" : "even"),
            ]
        }
        let value: JSONValue = [
            "device": .string(deviceName), "other_device": .string(otherDeviceName),
            "judged_by": .string(isSoftware ? "processor time" : "clock"), "threshold": .number(threshold),
            "pairs": .array(rows),
        ]
        return value.text() + "\n"
    }
}

extension PairedRun.Row {
    /// The row in one line.
    package var text: String { "\(name): takes \(ratio.text) times as long" }
}
