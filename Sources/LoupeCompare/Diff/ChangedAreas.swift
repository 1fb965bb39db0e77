import LoupeBase

/// The pixels of two pictures that differ, and the places that hold them all.
struct ChangedAreas: Hashable, Sendable {
    /// How many pixels differ.
    let differingPixels: Int
    /// Not empty; those with the most differing pixels first.
    let areas: [Box]
    /// How many places there are, also those that are not among the areas.
    let count: Int
}

extension Difference {
    /// What changed and where; nil where that is nowhere or nearly everywhere, or where the sizes differ.
    var change: ChangedAreas? {
        guard referenceSize == actualSize, let areas = changedAreas(atMost: Self.namedAreas) ?? separateAreas,
            !areas.isEmpty
        else { return nil }
        let boxes = areas.map { Box(bounds: $0, differingPixels: differingPixels(in: $0)) }
        let sorted = boxes.sorted {
            ($1.differingPixels, $0.bounds.minY, $0.bounds.minX) < ($0.differingPixels, $1.bounds.minY, $1.bounds.minX)
        }
        return ChangedAreas(
            differingPixels: differingPixels, areas: Array(sorted.prefix(Self.namedAreas)), count: sorted.count)
    }

    private static let namedAreas = 12

    /// The places where many small ones lie all over the picture, each by itself; nil where hardly anything is equal.
    private var separateAreas: [PixelRect]? {
        let tiles = Tiles(of: referenceSize, marking: runs)
        return tiles.isMostlyMarked ? nil : ConnectedBoxes.find(in: tiles.runs).map { tiles.area(of: $0.bounds) }
    }
}

extension Difference {
    /// The parts of the reference to look at closely: blocks with some room around what changed, which together hold every
    /// differing pixel. In reading order; none where nothing differs.
    ///
    /// Nil where they would cover more than half of the picture: a closer look shows no more there.
    /// - Parameter most: how many blocks at most, at least 1.
    func changedAreas(atMost most: Int) -> [PixelRect]? {
        let tiles = Tiles(of: referenceSize, marking: runs)
        guard !tiles.isMostlyMarked else { return nil }
        var joined = JoinedBlocks(ConnectedBoxes.find(in: tiles.runs).map { tiles.area(of: $0.bounds) })
        while let cost = joined.leastCost, cost < 0 || joined.blocks.count > most { joined.joinCheapest() }
        let areas = joined.blocks.map { $0.widened(in: referenceSize) }
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
}

/// Blocks that are joined in pairs, first those around which one block adds the fewest pixels.
private struct JoinedBlocks {
    private(set) var blocks: [PixelRect]
    /// For each block the earlier one with which it is joined most cheaply, so that a pair is found without trying all.
    private var partners: [Partner?] = []

    private typealias Partner = (index: Int, cost: Int)

    /// - Parameter blocks: none of them empty.
    init(_ blocks: [PixelRect]) {
        self.blocks = blocks
        partners = blocks.indices.map { [self] in partner(of: $0) }
    }

    /// How many pixels the cheapest pair adds; negative for two that overlap. Nil where there are not two.
    var leastCost: Int? { cheapest.map { $0.partner.cost } }

    private var cheapest: (index: Int, partner: Partner)? {
        var cheapest: (index: Int, partner: Partner)?
        for (index, partner) in partners.enumerated() {
            if let partner, partner.cost < cheapest?.partner.cost ?? .max { cheapest = (index, partner) }
        }
        return cheapest
    }

    private func cost(_ first: Int, _ second: Int) -> Int {
        let (one, other) = (blocks[first], blocks[second])
        let width = max(one.maxX, other.maxX) - min(one.minX, other.minX)
        let height = max(one.maxY, other.maxY) - min(one.minY, other.minY)
        return width * height - one.pixelCount - other.pixelCount
    }

    private func partner(of index: Int) -> Partner? {
        var partner: Partner?
        for first in 0..<index {
            let cost = cost(first, index)
            if cost < partner?.cost ?? .max { partner = (first, cost) }
        }
        return partner
    }

    /// Joins the cheapest pair, of which there has to be one.
    mutating func joinCheapest() {
        guard let (second, (first, _)) = cheapest else { return }
        blocks[first] = .union(of: [blocks[first], blocks[second]])
        blocks.remove(at: second)
        partners.remove(at: second)
        for index in blocks.indices.dropFirst(first) {
            guard index > first, let old = partners[index], old.index != first, old.index != second else {
                partners[index] = partner(of: index)
                continue
            }
            let cost = cost(first, index)
            let isCheaper = cost < old.cost || cost == old.cost && first < old.index
            partners[index] = isCheaper ? (first, cost) : (old.index > second ? old.index - 1 : old.index, old.cost)
        }
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
