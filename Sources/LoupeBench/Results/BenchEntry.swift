import LoupePlan
import LoupeScene

/// What one measured thing took: a line of the table, a member of the saved run.
public struct BenchEntry: Hashable, Sendable {
    /// How it stands to something that was timed beside it.
    public struct Comparison: Hashable, Sendable {
        /// The other's name.
        public let base: String
        public let ratio: Ratio
        /// Nil where the two pictures differ: then their times say nothing.
        public let verdict: Verdict?
    }

    public let name: String
    /// How often it was drawn in all.
    public let iterations: Int
    /// Nanoseconds, one for each block.
    public let times: [Double]
    /// The median of what all threads of this process took, nanoseconds.
    public let processorTime: Double
    /// Shaded in one repetition, by program; empty where that has no meaning.
    public let fragments: [String: Int]
    /// Against `pieces` in the same place; 0 where the pictures agree.
    public let pixelsOverTolerance: Int
    public let comparisons: [Comparison]
    /// What was drawn, where it is a loupe.
    public let benchCase: BenchCase?
    /// Of the page's outline in the loupe.
    public let state: ClipState?

    public var summary: Summary { Summary(times) }
    public var totalFragments: Int { fragments.values.reduce(0, +) }
    public var nanosecondsPerFragment: Double? {
        totalFragments > 0 ? summary.median / Double(totalFragments) : nil
    }
}

extension BenchEntry {
    init(_ name: String, _ samples: Samples) {
        self.init(
            name: name, iterations: samples.iterations, times: samples.times,
            processorTime: samples.processorTimes.median, fragments: [:], pixelsOverTolerance: 0, comparisons: [],
            benchCase: nil, state: nil)
    }
}
