import LoupeFiles
import LoupeImaging
import LoupeScene

/// How two pictures are compared: the metric, how much may differ, and what is left out.
public struct Comparison: Sendable {
    public var metric: Metric
    public var allowance: Allowance
    public var exclusion: Exclusion
    /// The scene that the reference shows, where differences are to be told apart by region.
    public var scene: Scene?

    public init(
        metric: Metric = .channel(Tolerance()), allowance: Allowance = Allowance(),
        exclusion: Exclusion = Exclusion(), scene: Scene? = nil
    ) {
        self.metric = metric
        self.allowance = allowance
        self.exclusion = exclusion
        self.scene = scene
    }

    /// Compares two pictures pixel by pixel, on all cores; the result does not depend on their number.
    ///
    /// Pictures of different size are compared over their union: a pixel that only one of them has always differs, by
    /// the most there is, and together they are never the same.
    /// - Throws: `DiffError` where the mask or the scene is of another size than the pictures, or where there is no memory.
    public func compare(reference: Image, actual: Image) throws(DiffError) -> Difference {
        let pair = PicturePair(reference, actual)
        if let canvas = scene?.canvas, canvas.width != reference.width || canvas.height != reference.height {
            throw .sceneSize(
                width: canvas.width, height: canvas.height, neededWidth: reference.width,
                neededHeight: reference.height)
        }
        // For what is left out, regions, and the differing runs of a picture where every other pixel differs.
        guard Memory.hasRoom(forPixels: pair.width, pair.height, bytesPerPixel: 24) else {
            throw .outOfMemory(width: pair.width, height: pair.height)
        }
        let excluded = try exclusion.bitmap(width: pair.width, height: pair.height)
        return Difference(of: pair, comparison: self, tally: tally(pair, excluded), excluded: excluded)
    }

    /// Rows that one thread takes at a time.
    private static let bandHeight = 64

    private func tally(_ pair: PicturePair, _ excluded: [Bool]?) -> Tally {
        let regions = scene.map(RegionMap.init)
        let bands = (pair.height + Self.bandHeight - 1) / Self.bandHeight
        let tallies = pair.withWords { reference, actual in
            let scanner = RowScanner(metric: metric, pair: pair, reference: reference, actual: actual)
            return Parallel.map(count: bands) { band in
                var tally = Tally(width: pair.width, excluded: excluded, regions: regions, hasLevels: metric.hasLevels)
                let start = band * Self.bandHeight
                for row in start..<min(start + Self.bandHeight, pair.height) { scanner.scan(row: row, into: &tally) }
                return tally
            }
        }
        return tallies.dropFirst().reduce(into: tallies[0]) { $0.append($1) }
    }
}

extension Metric {
    var hasLevels: Bool {
        switch self {
        case .channel: true
        case .yiq: false
        }
    }
}
