/// How many times as long one thing takes as another, with an interval that holds 95 % of bootstrap resamples.
public struct Ratio: Hashable, Sendable {
    /// The most likely value.
    public let estimate: Double
    /// The lower end of the interval.
    public let low: Double
    /// The upper end of the interval.
    public let high: Double
}

extension Ratio {
    /// The number of bootstrap resamples.
    static let resamples = 2000

    /// The ratio of times measured side by side: `times[i]` and `base[i]` in the same block.
    ///
    /// The ratio of each pair is taken first, so slowdowns of a whole block cancel. Then blocks are drawn with replacement
    /// (Efron's percentile bootstrap of the median).
    /// - Precondition: both have the same count, at least one.
    public init(paired times: [Double], to base: [Double], seed: UInt64 = 1) {
        precondition(times.count == base.count && !times.isEmpty)
        let ratios = zip(times, base).map { $0 / $1 }
        var random = SplitMix64(seed: seed)
        let medians = (0..<Self.resamples).map { _ in ratios.resampled(&random).median }
        self.init(estimate: ratios.median, bootstrapped: medians)
    }

    /// The ratio of times of two separate runs; each run is resampled separately.
    public init(unpaired times: [Double], to base: [Double], seed: UInt64 = 1) {
        precondition(!times.isEmpty && !base.isEmpty)
        var random = SplitMix64(seed: seed)
        let ratios = (0..<Self.resamples).map { _ in
            times.resampled(&random).median / base.resampled(&random).median
        }
        self.init(estimate: times.median / base.median, bootstrapped: ratios)
    }

    private init(estimate: Double, bootstrapped values: [Double]) {
        let sorted = values.sorted()
        self.init(estimate: estimate, low: sorted.quantileOfSorted(0.025), high: sorted.quantileOfSorted(0.975))
    }
}

extension [Double] {
    fileprivate func resampled(_ random: inout SplitMix64) -> [Double] {
        map { _ in self[Int.random(in: 0..<count, using: &random)] }
    }
}

/// What a ratio of times shows.
public enum SpeedVerdict: String, Hashable, Sendable {
    /// The whole interval is below 1.
    case faster
    /// The whole interval is above 1.
    case slower
    /// The interval holds 1.
    case noDifference = "no difference"

    /// The verdict on a ratio.
    public init(_ ratio: Ratio) {
        if ratio.high < 1 {
            self = .faster
        } else if ratio.low > 1 {
            self = .slower
        } else {
            self = .noDifference
        }
    }
}
