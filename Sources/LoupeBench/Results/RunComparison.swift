/// A run held against a saved one of the same device and driver.
public struct RunComparison: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
        public let name: String
        /// How many times as long it takes now.
        public let ratio: Ratio
        /// Slower for certain, and by enough to matter.
        public var isRegression: Bool { ratio.low > 1 && ratio.estimate > 1 + RunComparison.leastSlowdown }
        public var verdict: Verdict { Verdict(ratio) }
    }

    /// Less than this is not worth failing for.
    public static let leastSlowdown = 0.05

    /// The cases that both runs have.
    public let rows: [Row]
    /// Cases of this run that the saved one lacks.
    public let newNames: [String]

    /// - Throws: `otherDevice` where the runs are of different devices or drivers.
    public init(_ run: BenchRun, to base: SavedRun) throws(BenchError) {
        guard run.context.deviceName == base.deviceName else {
            throw .otherDevice(base: base.deviceName, here: run.context.deviceName)
        }
        rows = run.entries.compactMap { entry in
            base.times[entry.name].map { Row(name: entry.name, ratio: Ratio(unpaired: entry.times, to: $0)) }
        }
        newNames = run.entries.map(\.name).filter { base.times[$0] == nil }
    }

    public var regressions: [Row] { rows.filter(\.isRegression) }
}
