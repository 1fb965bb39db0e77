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
        /// regions stay as given, but are raised to the base. The threshold of `yiq` is never below the given one.
        public let metric: Metric
        /// The smallest number of differing pixels to allow that passes with the metric as it was given; nil where none does, as
        /// the mean error is too large.
        public let maxPixels: Int?
    }

    /// The metric of the comparison.
    public let metric: Metric
    /// Whether both sizes are equal and no more pixels differ than allowed.
    public let isSame: Bool
    /// How many of the compared pixels differ.
    public let differingPixels: Int
    /// How many pixels were compared: those that both pictures have, without those left out.
    public let totalPixels: Int
    /// The largest difference of any compared pixel, within limits or not. For `channel` that of a channel, 0…255; for
    /// `yiq` the smallest threshold at which the pixel does not differ, 0…1.
    public let maxDelta: Double
    /// The first pixel in reading order with that difference; nil if all are equal.
    public let maxAt: (x: Int, y: Int)?
    /// The bounding boxes of differing pixels that touch each other, largest first, at most `namedBoxes`.
    public let boxes: [Box]
    /// How many boxes there are in all.
    public let boxCount: Int
    /// Nil if the sizes differ, since no limit would pass.
    public let wouldPass: WouldPass?
    /// One entry for each region if a scene was given, else none.
    public let regions: [Part]
    /// The errors in numbers; nil for metrics that only compare pixels.
    public var statistics: ErrorStatistics? { errorMap?.statistics }
    /// What samples of 16 bits say, for the metric `channel`; nil where no picture has them.
    public let deep: DeepDifference?
    /// Whether samples of 16 bits were rounded to 8, as other metrics than `channel` do.
    let isRounded: Bool
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

    init(
        of pair: PicturePair, comparison: Comparison, tally: Tally, excluded: [Bool]?, errorMap: ErrorMap? = nil,
        deep: DeepDifference? = nil, isRounded: Bool = false
    ) {
        (self.deep, self.isRounded) = (deep, isRounded)
        metric = comparison.metric
        self.excluded = excluded
        totalPixels = pair.comparedPixels(excluded)
        differingPixels = tally.parts.reduce(0) { $0 + $1.differing }
        let allowed = comparison.allowance.pixels(of: totalPixels)
        self.errorMap = errorMap
        isSame =
            pair.isSameSize && max(differingPixels, deep?.differingPixels ?? 0) <= allowed
            && comparison.metric.allowsMean(of: errorMap)
        maxDelta = comparison.metric.readable(tally.largest)
        maxAt = tally.largestAt.map { ($0.column, $0.row) }
        runs = tally.runs
        let found = ConnectedBoxes.find(in: runs)
        boxes = Array(found.prefix(Self.namedBoxes))
        boxCount = found.count
        wouldPass =
            pair.isSameSize
            ? WouldPass(
                metric: comparison.metric.passing(tally, allowed: allowed, mean: errorMap?.meanError)
                    .passing(deep, allowed: allowed),
                maxPixels: comparison.metric.allowsMean(of: errorMap)
                    ? max(differingPixels, deep?.differingPixels ?? 0) : nil) : nil
        regions =
            comparison.scene == nil
            ? []
            : zip(PictureRegion.allCases, tally.parts).map { region, part in
                Part(
                    region: region, differingPixels: part.differing,
                    maxDelta: comparison.metric.readable(part.largest))
            }
        levels = tally.levels
        offset = pair.offset
        referenceSize = pair.referenceSize
        actualSize = pair.actualSize
    }
}

extension PicturePair {
    /// How many pixels are compared.
    fileprivate func comparedPixels(_ excluded: [Bool]?) -> Int {
        guard let excluded else { return shared.width * shared.height }
        return (0..<height).reduce(0) { count, row in
            count + columns(inRow: row).count { !excluded[row * width + $0] }
        }
    }
}

extension Tally {
    /// The levels of all regions together.
    fileprivate var levels: [Int] {
        parts.dropFirst().reduce(parts[0].levels) { sums, part in zip(sums, part.levels).map(+) }
    }

    /// How many pixels of the metric `channel` would differ at a tolerance.
    fileprivate func differing(at tolerance: Tolerance) -> Int {
        let regions = parts.count == 1 ? [nil] : PictureRegion.allCases.map { Optional($0) }
        return zip(regions, parts).reduce(0) { sum, entry in
            sum + entry.1.levels[(tolerance[entry.0] + 1)...].reduce(0, +)
        }
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
            let passing = Tolerance.range.lazy.map(tolerance.based).first { tally.differing(at: $0) <= allowed }
            return .channel(passing ?? tolerance.based(on: Tolerance.range.upperBound))
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

    /// The same metric with a tolerance at which samples of 16 bits pass, too.
    fileprivate func passing(_ deep: DeepDifference?, allowed: Int) -> Metric {
        guard case .channel(let tolerance) = self, let deep, deep.differingPixels > allowed else { return self }
        return .channel(tolerance.based(on: max(tolerance.base, Int(deep.maxDelta.rounded(.up)))))
    }

    /// Whether the mean of the errors is within its limit.
    fileprivate func allowsMean(of map: ErrorMap?) -> Bool {
        guard case .error(_, let limits) = self, let limit = limits.mean, let map else { return true }
        return map.meanError <= limit
    }
}
