/// How many times as long one thing takes as another, with the interval that holds 95 % of bootstrap resamples.
public struct Ratio: Hashable, Sendable {
    public let estimate: Double
    public let low: Double
    public let high: Double

    public init(estimate: Double, low: Double, high: Double) {
        self.estimate = estimate
        self.low = low
        self.high = high
    }

    static let resamples = 2000

    /// From times that were taken side by side: `times[i]` and `base[i]` in the same block.
    ///
    /// The ratio of each pair is taken first, so that what slows down a whole block drops out; then blocks are drawn
    /// with replacement (Efron's percentile bootstrap of the median).
    /// - Precondition: both are as many, and at least one.
    public init(paired times: [Double], to base: [Double], seed: UInt64 = 1) {
        precondition(times.count == base.count && !times.isEmpty)
        let ratios = zip(times, base).map { $0 / $1 }
        var random = SplitMix64(seed: seed)
        let medians = (0..<Self.resamples).map { _ in ratios.resampled(&random).median }
        self.init(estimate: ratios.median, bootstrapped: medians)
    }

    /// From times of two separate runs: both are drawn anew, each from its own.
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
