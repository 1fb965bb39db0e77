/// The ratio of the times that two things take, with an interval that holds 95 % of bootstrap resamples.
package struct Ratio: Hashable, Sendable {
    /// The most likely value.
    let estimate: Double
    /// The lower end of the interval.
    let low: Double
    /// The upper end of the interval.
    let high: Double
}

extension Ratio {
    /// The number of bootstrap resamples.
    static let resamples = 2000

    /// The ratio of times measured side by side: `times[i]` and `base[i]` in the same block, so that slowdowns of a whole
    /// block cancel.
    /// - Precondition: both have the same count, at least one.
    package init(paired times: [Double], to base: [Double], seed: UInt64 = 1) {
        precondition(times.count == base.count)
        self.init(clusters: zip(times, base).map { [$0 / $1] }, seed: seed)
    }

    /// A ratio estimated from clusters of measurements, for example one cluster for each pair of processes.
    ///
    /// The estimate is the median of the clusters' medians, so that each cluster counts as one. Clusters are drawn with
    /// replacement, and then measurements of each one drawn (the two-stage bootstrap of Davison and Hinkley, Bootstrap
    /// Methods and their Application, 3.8), so that the interval holds what makes whole clusters differ.
    /// - Parameter errorRate: the part of the resamples that the interval leaves out.
    /// - Precondition: there is a cluster, and none is empty.
    init(clusters: [[Double]], errorRate: Double = 0.05, seed: UInt64 = 1) {
        precondition(!clusters.isEmpty && clusters.allSatisfy { !$0.isEmpty })
        var random = SplitMix64(seed: seed)
        let medians = (0..<Self.resamples).map { _ in
            clusters.indices.map { _ in
                clusters[Int.random(in: 0..<clusters.count, using: &random)].resampled(&random).median
            }.median
        }
        let sorted = medians.sorted()
        self.init(
            estimate: clusters.map(\.median).median, low: sorted.quantileOfSorted(errorRate / 2),
            high: sorted.quantileOfSorted(1 - errorRate / 2))
    }

    /// Whether the whole interval is above 1, and the estimate by more than a part.
    func isAbove(_ threshold: Double) -> Bool { low > 1 && estimate > 1 + threshold }
}

extension [Double] {
    fileprivate func resampled(_ random: inout SplitMix64) -> [Double] {
        map { _ in self[Int.random(in: 0..<count, using: &random)] }
    }
}

/// The verdict on a ratio of times.
package enum SpeedVerdict: String, Hashable, Sendable {
    /// The whole interval is below 1.
    case faster
    /// The whole interval is above 1.
    case slower
    /// The interval holds 1.
    case noDifference = "no difference"

    /// The verdict on a ratio.
    package init(_ ratio: Ratio) {
        self = ratio.high < 1 ? .faster : ratio.low > 1 ? .slower : .noDifference
    }
}
