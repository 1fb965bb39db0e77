import LoupeBase
import LoupeSystem

/// The result of a comparison.
public struct Difference: Sendable {
    /// The differences in one region of a scene's picture.
    public struct Part: Hashable, Sendable {
        /// The region.
        public let region: PictureRegion
        /// How many of its compared pixels differ.
        public let differingPixels: Int
        /// The largest difference of its compared pixels, within tolerance or not; 0 if all are equal.
        public let maxDelta: Double
    }

    /// Limits with which the pictures would pass.
    public struct WouldPass: Hashable, Sendable {
        /// The same metric with the smallest limit that passes with the allowed number of differing pixels. Tolerances of
        /// regions stay as given, but are raised to the base. The threshold of `yiq` is never below the given one. Nil where no
        /// limit passes, as too many pixels are in one picture alone.
        public let metric: Metric?
        /// The smallest number of differing pixels to allow that passes with the metric as it was given; nil where none does, as
        /// the mean error is too large.
        public let maxPixels: Int?
        /// The part of the pixels that has to be allowed together with `maxPixels`; nil where no such limit is given.
        public let maxRatio: Double?
    }

    /// The metric of the comparison.
    public let metric: Metric
    /// Whether no more pixels differ than allowed, both sizes are equal or may differ, and nothing differs beside the pixels
    /// where that counts.
    public var isSame: Bool {
        isWithinLimits && !hasTooManyCut && !(countsMetadata && (!metadata.isEmpty || cutPixels > 0))
    }
    let isWithinLimits: Bool
    /// How many pixels may differ.
    private let allowedPixels: Int
    /// How many pixels are equal only as colours beyond sRGB are cut to it.
    public internal(set) var cutPixels = 0
    /// Whether the metric `channel` allows fewer of them.
    var hasTooManyCut: Bool {
        if case .channel = metric { cutPixels > 0 && differingPixels + cutPixels > allowedPixels } else { false }
    }
    /// Whether pictures differ of which anything differs beside the pixels.
    let countsMetadata: Bool
    /// How many of the compared pixels differ. Where sizes may differ, pixels that only one picture has are among them.
    public let differingPixels: Int
    /// How many pixels were compared: those that both pictures have, without those left out; where sizes may differ, all that
    /// one of them has.
    public let totalPixels: Int
    /// How many pixels count as differing as only one picture has them. 0 where sizes are equal or must be.
    public let unsharedPixels: Int
    /// How many pixels of the reference were left out.
    public let ignoredPixels: Int
    /// Bits of a channel of the deeper picture, 8 or 16.
    public let depth: Int
    /// The name of the colours in which the pictures were compared.
    public package(set) var colors = "sRGB"
    /// What differs beside the pixels, a clause for each.
    public package(set) var metadata: [String] = []
    /// What a person should know about a file, a sentence for each.
    public package(set) var warnings: [String] = []
    /// The largest difference of any compared pixel, within limits or not. For `channel` that of a channel, 0…255; for
    /// `yiq` the smallest threshold at which the pixel does not differ, 0…1.
    public let maxDelta: Double
    /// The first pixel in reading order with that difference; nil if all are equal.
    public let maxAt: (x: Int, y: Int)?
    /// The bounding boxes of differing pixels that touch each other, largest first, at most `namedBoxes`.
    public let boxes: [Box]
    /// How many boxes there are in all.
    public let boxCount: Int
    /// Nil if the sizes differ, or what is beside the pixels where that counts, since no limit would pass.
    public internal(set) var wouldPass: WouldPass?
    /// One entry for each region if a scene was given, else none.
    public let regions: [Part]
    /// The errors in numbers; nil for metrics that only compare pixels.
    public var statistics: ErrorStatistics? { errorMap?.statistics }
    /// How many of the compared pixels differ before samples of 16 bits are rounded to 8, as other metrics than `channel` do;
    /// nil where nothing is rounded.
    let unroundedPixels: Int?
    /// The reference's size.
    public let referenceSize: ImageSize
    /// The actual picture's size.
    public let actualSize: ImageSize
    /// Where the top left corner of an actual picture of another size lies on the reference, in pixels.
    public let offset: (x: Int, y: Int)

    /// The differing pixels, in reading order.
    let runs: [DifferingRun]
    /// For each pixel, whether it was left out; nil if none was.
    let excluded: [Bool]?
    /// The error of each pixel, for a metric that has them.
    let errorMap: ErrorMap?
    /// For the metric `channel`, how many pixels differ by each level 0…255.
    private let levels: [Int]

    /// The largest number of `boxes`.
    public static let namedBoxes = 8

    /// The fraction of the compared pixels that differ, 0…1.
    public var ratio: Double { totalPixels == 0 ? 0 : Double(differingPixels) / Double(totalPixels) }

    /// How many pixels differ by more than a level of the metric `channel`, regardless of the tolerance.
    public func pixels(over level: Int) -> Int {
        levels[(level + 1)...].reduce(0, +)
    }

    init(of pair: PicturePair, comparison: Comparison, tally: Tally, excluded: [Bool]?, errorMap: ErrorMap? = nil) {
        metric = comparison.metric
        depth = pair.depth
        self.excluded = excluded
        ignoredPixels = excluded?.count { $0 } ?? 0
        unsharedPixels = comparison.allowsSize ? pair.unshared(excluded) : 0
        totalPixels = pair.comparedPixels(excluded) + unsharedPixels
        differingPixels = tally.parts.reduce(0) { $0 + $1.differing } + unsharedPixels
        let allowed = comparison.allowance.pixels(of: totalPixels)
        allowedPixels = allowed
        self.errorMap = errorMap
        if case .channel = metric {
            unroundedPixels = nil
        } else {
            unroundedPixels = pair.tallyOf16Bits(Tolerance()).map { $0.parts[0].differing }
        }
        // With a limit of 0, pictures that are equal only once they are rounded are not the same.
        let needed = max(differingPixels, metric.isExact ? (unroundedPixels ?? 0) + unsharedPixels : 0)
        let mayBeSame = pair.isSameSize || comparison.allowsSize
        let hasMean = metric.allowsMean(of: errorMap)
        countsMetadata = comparison.countsMetadata
        isWithinLimits = mayBeSame && needed <= allowed && hasMean
        maxDelta = metric.readable(tally.largest)
        maxAt = tally.largestAt.map { ($0.column, $0.row) }
        runs = tally.runs
        let found = ConnectedBoxes.find(in: runs)
        boxes = Array(found.prefix(Self.namedBoxes))
        boxCount = found.count
        let (left, total) = (allowed - unsharedPixels, totalPixels)
        let isLimited = left >= 0 && needed == differingPixels
        wouldPass =
            !mayBeSame
            ? nil
            : WouldPass(
                metric: isLimited ? metric.passing(tally, allowed: left, mean: errorMap?.meanError) : nil,
                maxPixels: hasMean ? needed : nil,
                maxRatio: comparison.allowance.maxRatio.map { max($0, Double(needed) / Double(max(total, 1))) })
        regions =
            comparison.scene == nil
            ? []
            : zip(PictureRegion.allCases, tally.parts).map {
                Part(region: $0, differingPixels: $1.differing, maxDelta: comparison.metric.readable($1.largest))
            }
        levels = tally.levels
        offset = pair.offset
        referenceSize = pair.referenceSize
        actualSize = pair.actualSize
    }
}

extension Tally {
    /// The levels of all regions together.
    fileprivate var levels: [Int] {
        parts.dropFirst().reduce(parts[0].levels) { sums, part in zip(sums, part.levels).map(+) }
    }

    /// The smallest base of a tolerance at which no pixel of the metric `channel` differs: the largest difference that no
    /// region's own tolerance lets pass.
    fileprivate func largest(beyond tolerance: Tolerance) -> Double {
        if parts.count == 1 { return parts[0].largest }
        return zip(PictureRegion.allCases, parts).reduce(0) { largest, entry in
            let isPassed = tolerance.regions[entry.0].map { entry.1.largest <= $0 } ?? false
            return isPassed ? largest : max(largest, entry.1.largest)
        }
    }

    /// How many pixels of the metric `channel` would differ at a tolerance of whole numbers.
    fileprivate func differing(at tolerance: Tolerance) -> Int {
        let regions = parts.count == 1 ? [nil] : PictureRegion.allCases.map { Optional($0) }
        return zip(regions, parts).reduce(0) { sum, entry in
            sum + entry.1.levels[(Int(tolerance[entry.0]) + 1)...].reduce(0, +)
        }
    }
}

extension Difference.WouldPass {
    /// Limits with which two results of the same comparison pass.
    func joined(with other: Self) -> Self {
        Self(
            metric: metric.flatMap { one in other.metric.map { one.joined(with: $0) } },
            maxPixels: maxPixels.flatMap { one in other.maxPixels.map { max(one, $0) } },
            maxRatio: maxRatio.map { max($0, other.maxRatio ?? $0) })
    }
}

extension Metric {
    /// A difference in the metric's internal unit, converted to the unit of results.
    fileprivate func readable(_ difference: Double) -> Double {
        switch self {
        case .channel: difference
        case .yiq: YIQScanner.threshold(ofDelta: difference)
        case .error: difference
        }
    }

    /// The same metric with the smallest limit at which no more than `allowed` pixels differ.
    fileprivate func passing(_ tally: Tally, allowed: Int, mean: Double?) -> Metric {
        switch self {
        case .channel(let tolerance):
            if allowed == 0 { return .channel(tolerance.based(on: tally.largest(beyond: tolerance))) }
            let levels = (0...255).lazy.map { tolerance.based(on: Double($0)) }
            return .channel(levels.first { tally.differing(at: $0) <= allowed } ?? tolerance.based(on: 255))
        case .yiq(let threshold, let includesAntialiased):
            guard tally.deltas.count > allowed else { return self }
            let needed = allowed == 0 ? tally.deltas.reduce(0, max) : tally.deltas.sorted(by: >)[allowed]
            return .yiq(
                threshold: max(threshold, YIQScanner.threshold(ofDelta: needed)),
                includesAntialiased: includesAntialiased)
        case .error(let metric, var limits):
            if let threshold = limits.threshold, tally.deltas.count > allowed {
                limits.threshold = max(threshold, tally.deltas.sorted(by: >)[allowed])
            }
            if let limit = limits.mean, let mean { limits.mean = max(limit, mean) }
            return .error(metric, limits)
        }
    }

    /// The metric with the larger limits of both.
    fileprivate func joined(with other: Metric) -> Metric {
        switch (self, other) {
        case (.channel(let one), .channel(let other)): .channel(one.based(on: max(one.base, other.base)))
        case (.yiq(let one, let includes), .yiq(let other, _)):
            .yiq(threshold: max(one, other), includesAntialiased: includes)
        case (.error(let metric, let one), .error(_, let other)):
            .error(
                metric,
                ErrorLimits(
                    threshold: one.threshold.map { max($0, other.threshold ?? $0) },
                    mean: one.mean.map { max($0, other.mean ?? $0) }))
        default: self
        }
    }

    /// Whether a limit lets no difference pass.
    fileprivate var isExact: Bool {
        switch self {
        case .channel(let tolerance): tolerance == Tolerance()
        case .yiq(let threshold, _): threshold == 0
        case .error(_, let limits): limits.threshold == 0 || limits.mean == 0
        }
    }

    /// Whether the mean of the errors is within its limit.
    fileprivate func allowsMean(of map: ErrorMap?) -> Bool {
        guard case .error(_, let limits) = self, let limit = limits.mean, let map else { return true }
        return map.meanError <= limit
    }
}
