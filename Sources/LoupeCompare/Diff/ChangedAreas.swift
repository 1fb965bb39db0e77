import LoupeBase

/// The pixels of two pictures that differ, and the places that hold them all.
struct ChangedAreas: Hashable, Sendable {
    /// How many pixels differ.
    let differingPixels: Int
    /// Not empty.
    let areas: [Box]
}

extension Difference {
    /// What changed and where; nil where that is nowhere or nearly everywhere, or where the sizes differ.
    var change: ChangedAreas? {
        guard referenceSize == actualSize, let areas = changedAreas(atMost: 4), !areas.isEmpty else { return nil }
        return ChangedAreas(
            differingPixels: differingPixels,
            areas: areas.map { Box(bounds: $0, differingPixels: differingPixels(in: $0)) })
    }
}

extension Difference {
    /// The parts of the reference to look at closely: blocks with some room around what changed, which together hold every
    /// differing pixel. In reading order; none where nothing differs.
    ///
    /// Nil where they would cover more than half of the picture: a closer look shows no more there.
    /// - Parameter most: how many blocks at most, at least 1.
    package func changedAreas(atMost most: Int) -> [PixelRect]? {
        let tiles = Tiles(of: referenceSize, marking: runs)
        guard !tiles.isMostlyMarked else { return nil }
        var areas = ConnectedBoxes.find(in: tiles.runs).map { tiles.area(of: $0.bounds) }
        while let pair = Self.cheapestPair(of: areas), pair.cost < 0 || areas.count > most {
            areas[pair.first] = .union(of: [areas[pair.first], areas[pair.second]])
            areas.remove(at: pair.second)
        }
        areas = areas.map { $0.widened(in: referenceSize) }
        let pixels = areas.reduce(0) { $0 + $1.pixelCount }
        guard 2 * pixels <= referenceSize.width * referenceSize.height else { return nil }
        return areas.sorted { ($0.minY, $0.minX) < ($1.minY, $1.minX) }
    }

    /// How many pixels of a part of the reference differ.
    package func differingPixels(in area: PixelRect) -> Int {
        runs.reduce(0) { count, run in
            let columns = run.columns.clamped(to: area.minX..<area.maxX)
            return count + (area.minY..<area.maxY ~= Int(run.row) ? columns.count : 0)
        }
    }

    /// The two blocks around which one block adds the fewest pixels; negative for two that overlap. Nil where there are not two.
    private static func cheapestPair(of areas: [PixelRect]) -> (first: Int, second: Int, cost: Int)? {
        var cheapest: (first: Int, second: Int, cost: Int)?
        for second in areas.indices {
            for first in 0..<second {
                let (one, other) = (areas[first], areas[second])
                let cost = PixelRect.union(of: [one, other]).pixelCount - one.pixelCount - other.pixelCount
                if cost < cheapest?.cost ?? .max { cheapest = (first, second, cost) }
            }
        }
        return cheapest
    }
}

extension PixelRect {
    /// A block around it, within a picture, that is neither much wider than high nor much higher than wide, so that several
    /// can stand beneath each other.
    fileprivate func widened(in size: ImageSize) -> PixelRect {
        let columns = (minX..<maxX).widened(to: 2 * height / 3, below: size.width)
        let rows = (minY..<maxY).widened(to: width / 4, below: size.height)
        return PixelRect(columns, rows)
    }
}

extension Range<Int> {
    /// A range of at least this length around it, from 0 to a limit.
    fileprivate func widened(to length: Int, below limit: Int) -> Range<Int> {
        let length = Swift.max(count, Swift.min(length, limit))
        let start = Swift.max(0, Swift.min(lowerBound - (length - count) / 2, limit - length))
        return start..<start + length
    }
}

/// A picture in square tiles, about 32 along its shorter side, of which some are marked.
private struct Tiles {
    private let size: ImageSize
    private let side: Int
    private let columns: Int
    private var isMarked: [Bool]

    /// - Parameter runs: the pixels whose tiles are marked.
    init(of size: ImageSize, marking runs: [DifferingRun]) {
        self.size = size
        side = max(8, min(size.width, size.height) / 32)
        columns = (size.width + side - 1) / side
        isMarked = Array(repeating: false, count: columns * ((size.height + side - 1) / side))
        for run in runs {
            let row = Int(run.row) / side * columns
            for column in run.columns.lowerBound / side...(run.columns.upperBound - 1) / side {
                isMarked[row + column] = true
            }
        }
    }

    /// Whether more than half of the tiles are.
    var isMostlyMarked: Bool { 2 * isMarked.count(where: { $0 }) > isMarked.count }

    /// The marked tiles, in reading order, neighbours of a row together.
    var runs: [DifferingRun] {
        var runs: [DifferingRun] = []
        for index in isMarked.indices where isMarked[index] {
            let (row, column) = (Int32(index / columns), Int32(index % columns))
            if let last = runs.last, last.row == row, last.end == column {
                runs[runs.count - 1].end += 1
            } else {
                runs.append(DifferingRun(row: row, start: column, end: column + 1))
            }
        }
        return runs
    }

    /// The pixels of some tiles and of those around them.
    func area(of tiles: PixelRect) -> PixelRect {
        PixelRect(
            minX: (tiles.minX - 1) * side, minY: (tiles.minY - 1) * side,
            maxX: (tiles.maxX + 1) * side, maxY: (tiles.maxY + 1) * side
        ).intersection(PixelRect(width: size.width, height: size.height))
    }
}
