import LoupeGeometry

/// What a comparison found.
public struct Difference: Sendable {
    /// The differences in one region of a scene's picture.
    public struct Part: Hashable, Sendable {
        public let region: PictureRegion
        public let differingPixels: Int
        /// Of all its pixels, those within tolerance included; 0 where they are equal.
        public let maxDelta: Double
    }

    /// What would have let the pictures pass.
    public struct WouldPass: Hashable, Sendable {
        /// The same metric with the smallest limit that passes with as many differing pixels as are allowed. Tolerances
        /// of regions count as given and are raised only to the base. Never below the given threshold of `yiq`.
        public let metric: Metric
        /// The smallest number of differing pixels to allow that passes with the metric as it was given.
        public let maxPixels: Int
    }

    public let metric: Metric
    /// Whether no more pixels differ than are allowed, and the sizes agree.
    public let isSame: Bool
    public let differingPixels: Int
    /// How many pixels were compared: the union of both pictures, less what was left out.
    public let totalPixels: Int
    /// The largest difference of any compared pixel, within limits or not: a channel's, 0…255, or for `yiq` the
    /// threshold up to which it would differ, 0…1.
    public let maxDelta: Double
    /// Where that is, the first in reading order; nil where all are equal.
    public let maxAt: (x: Int, y: Int)?
    /// Of differing pixels that touch each other, largest first, at most `namedBoxes`.
    public let boxes: [Box]
    /// How many boxes there are.
    public let boxCount: Int
    public let densestWindow: Box?
    /// Nil where the sizes differ: nothing would.
    public let wouldPass: WouldPass?
    /// Every region, where a scene was given.
    public let regions: [Part]
    public let referenceSize: PictureSize
    public let actualSize: PictureSize

    let runs: [DifferingRun]
    let excluded: [Bool]?
    /// How many pixels differ by each level of the metric `channel`.
    private let levels: [Int]

    public static let namedBoxes = 8

    /// The share of the compared pixels that differ, 0…1.
    public var ratio: Double { totalPixels == 0 ? 0 : Double(differingPixels) / Double(totalPixels) }

    /// How many pixels differ by more than a level of the metric `channel`, whatever the tolerance.
    public func pixels(over level: Int) -> Int {
        levels.isEmpty ? 0 : levels[(level + 1)...].reduce(0, +)
    }

    init(of pair: PicturePair, comparison: Comparison, tally: Tally, excluded: [Bool]?) {
        metric = comparison.metric
        self.excluded = excluded
        totalPixels = pair.comparedPixels(excluded)
        differingPixels = tally.parts.reduce(0) { $0 + $1.differing }
        let allowed = comparison.allowance.pixels(of: totalPixels)
        isSame = pair.isSameSize && differingPixels <= allowed
        maxDelta = comparison.metric.readable(tally.largest)
        maxAt = tally.largestAt.map { ($0.column, $0.row) }
        runs = tally.runs
        let found = Parallel.map(count: 2) { [runs] search in
            search == 0
                ? ConnectedBoxes.find(in: runs)
                : [DensestWindow.find(in: runs, width: pair.width, height: pair.height)].compactMap(\.self)
        }
        boxes = Array(found[0].prefix(Self.namedBoxes))
        boxCount = found[0].count
        densestWindow = found[1].first
        wouldPass =
            pair.isSameSize
            ? WouldPass(metric: comparison.metric.passing(tally, allowed: allowed), maxPixels: differingPixels) : nil
        regions =
            comparison.scene == nil
            ? []
            : zip(PictureRegion.allCases, tally.parts).map { region, part in
                Part(
                    region: region, differingPixels: part.differing,
                    maxDelta: comparison.metric.readable(part.largest))
            }
        levels = tally.levels
        referenceSize = pair.referenceSize
        actualSize = pair.actualSize
    }
}

extension PicturePair {
    fileprivate func comparedPixels(_ excluded: [Bool]?) -> Int {
        guard let excluded else { return pixelCount }
        return (0..<height).reduce(0) { count, row in
            let start = row * width
            return count + excluded[start..<(start + columns(inRow: row).either)].count { !$0 }
        }
    }
}

extension Tally {
    /// Of all regions together.
    fileprivate var levels: [Int] {
        guard let first = parts.first?.levels else { return [] }
        return parts.dropFirst().reduce(first) { sums, part in zip(sums, part.levels).map(+) }
    }

    /// How many pixels of the metric `channel` would differ at a tolerance.
    fileprivate func differing(at tolerance: Tolerance) -> Int {
        let regions: [PictureRegion?] = parts.count == 1 ? [nil] : PictureRegion.allCases
        return zip(regions, parts).reduce(0) { sum, entry in
            sum + entry.1.levels[(tolerance[entry.0] + 1)...].reduce(0, +)
        }
    }
}

extension Metric {
    /// A difference in the metric's own unit as results tell it.
    fileprivate func readable(_ difference: Double) -> Double {
        switch self {
        case .channel: difference
        case .yiq: YIQScanner.threshold(ofDelta: difference)
        }
    }

    /// The same metric with the smallest limit at which no more than `allowed` pixels differ.
    fileprivate func passing(_ tally: Tally, allowed: Int) -> Metric {
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
        }
    }
}
