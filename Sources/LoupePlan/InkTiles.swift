import LoupeBase
import LoupeScene

/// A layer's strokes in one view: for each tile of 8×8 pixels, the strokes that touch it.
///
/// Tiles are counted from the canvas's first pixel, so that a part of a view is drawn as the whole would be.
/// A tile's list is a chain of strokes from the topmost down, each of them some of `entries`:
///
///     (n, reach, next, nearest)   the number of segments; half the width plus half a pixel; the index of the next
///                                 stroke, 0 after the last; 0 where the stroke covers the tile, else a huge number
///     colour                      premultiplied, in the working space
///     (x, y, dx, dy) n times      a segment's start and the vector to its end
///
/// Lengths are in output pixels. Positions are relative to the tile's centre, so that 32-bit floats are precise at any
/// zoom.
package struct InkTiles: Sendable {
    /// The side of a tile, in pixels.
    package static let side = 8

    /// The pixels that the tiles cover.
    package let block: PixelRect
    /// The columns of tiles, counted from the canvas's first.
    package let columns: Range<Int>
    /// The rows of tiles, counted from the canvas's first.
    package let rows: Range<Int>
    /// For each tile, row by row: the index in `entries` of its topmost stroke; 0 where it has none.
    package let starts: [Float]
    /// The lists of all tiles, as described above.
    package let entries: [SIMD4<Float>]
    /// The side of a cell, in pixels: small on the canvas, larger in a loupe, whose blocks are cut by its border too.
    private let cellSide: Int
    /// The square cells that hold ink and a pixel of the region, counted from the canvas's first.
    private var inkedCells: Set<SIMD2<Int>> = []

    init(_ sorter: InkSorter, colors: [SIMD4<Float>], of region: Region) {
        block = sorter.block
        columns = sorter.columns
        rows = sorter.rows
        let chains = InkChains(sorter, colors: colors)
        starts = chains.starts
        entries = chains.entries
        cellSide = region.isBlock ? 16 : 64
        for tile in sorter.counts.indices where sorter.counts[tile] > 0 {
            let center = sorter.center(ofTile: tile)
            let shift = cellSide.trailingZeroBitCount
            inkedCells.insert(SIMD2(Int(center.x) >> shift, Int(center.y) >> shift))
        }
        inkedCells = inkedCells.filter { region.meets(pixels(ofCell: $0)) }
    }

    /// Whether there is ink at all.
    var hasInk: Bool { !inkedCells.isEmpty }

    /// Cuts the part of a block that the tiles cover into blocks that may hold ink and blocks that hold none.
    package func split(_ rect: PixelRect) -> (inked: [PixelRect], plain: [PixelRect]) {
        let part = rect.intersection(block)
        var split: (inked: [PixelRect], plain: [PixelRect]) = ([], [])
        for row in cells(of: part.minY..<max(part.minY, part.maxY)) {
            // The longest runs of cells that are wholly inked or wholly plain.
            var runs: [(isInked: Bool, rect: PixelRect)] = []
            for column in cells(of: part.minX..<max(part.minX, part.maxX)) {
                let (cell, isInked) = (SIMD2(column, row), inkedCells.contains(SIMD2(column, row)))
                let pixels = pixels(ofCell: cell).intersection(part)
                if let last = runs.last, last.isInked == isInked {
                    runs[runs.count - 1].rect.maxX = pixels.maxX
                } else {
                    runs.append((isInked, pixels))
                }
            }
            for run in runs {
                if run.isInked { split.inked.appendBelow(run.rect) } else { split.plain.appendBelow(run.rect) }
            }
        }
        return split
    }

    private func pixels(ofCell cell: SIMD2<Int>) -> PixelRect {
        let (x, y) = (cell.x * cellSide, cell.y * cellSide)
        return PixelRect(minX: x, minY: y, maxX: x + cellSide, maxY: y + cellSide)
    }

    /// The cells that hold some columns or rows of pixels; their side is a power of two.
    private func cells(of pixels: Range<Int>) -> Range<Int> {
        let shift = cellSide.trailingZeroBitCount
        return pixels.isEmpty ? 0..<0 : pixels.lowerBound >> shift..<(pixels.upperBound - 1) >> shift + 1
    }
}

extension InkTiles {
    /// The strokes of a layer over a block of pixels, in bands of rows so that none has many more entries than `limit`.
    static func bands(
        of strokes: [Stroke], colors: [SIMD4<Float>], in view: View, of region: Region, over block: PixelRect,
        limit: Int
    ) -> [InkTiles] {
        let sorter = InkSorter(strokes, in: view, over: block)
        guard sorter.entryCount > limit, sorter.rows.count > 1 else {
            return [InkTiles(sorter, colors: colors, of: region)]
        }
        var (upper, lower) = (block, block)
        upper.maxY = (sorter.rows.lowerBound + sorter.rows.count / 2) * side
        lower.minY = upper.maxY
        return [upper, lower].flatMap {
            bands(of: strokes, colors: colors, in: view, of: region, over: $0, limit: limit)
        }
    }
}

/// Writes the lists of `InkTiles`, tile by tile, from what an `InkSorter` found.
struct InkChains {
    private(set) var starts: [Float]
    private(set) var entries: [SIMD4<Float>]
    /// For each tile: its last stroke so far and that stroke's index, the index of the next entry, and whether all other
    /// strokes are hidden.
    private var strokes: [Int32]
    private var heads: [Int32]
    private var ends: [Int32]
    private var isHidden: [Bool]

    /// Its square root is a distance at which no stroke has coverage.
    private static let far: Float = 1e18

    init(_ sorter: InkSorter, colors: [SIMD4<Float>]) {
        var end: Int32 = 1
        ends = sorter.counts.map { count in
            defer { end += count }
            return end
        }
        starts = zip(ends, sorter.counts).map { $1 > 0 ? Float($0) : 0 }
        heads = [Int32](repeating: 0, count: ends.count)
        strokes = [Int32](repeating: -1, count: ends.count)
        isHidden = [Bool](repeating: false, count: ends.count)
        entries = [SIMD4<Float>](repeating: .zero, count: Int(end))
        write(sorter, colors)
    }

    /// Writes the hits from the last to the first, since lists begin with the topmost stroke. Where a stroke covers a tile,
    /// the covering hit is its last one there, so it comes before the hits that it makes unnecessary.
    private mutating func write(_ sorter: InkSorter, _ colors: [SIMD4<Float>]) {
        let reaches = sorter.strokes.map(sorter.reach(of:))
        for hit in sorter.hits.reversed() where !isHidden[Int(hit.tile)] {
            let tile = Int(hit.tile)
            let stroke = Int(hit.stroke)
            if strokes[tile] != hit.stroke {
                start(hit, reach: reaches[stroke], color: colors[stroke])
                isHidden[tile] = hit.covers && sorter.strokes[stroke].color.isOpaque
            }
            guard entries[Int(heads[tile])].w > 0 else { continue }
            let reach = reaches[stroke] + Double(2 * InkTiles.side)
            add(sorter.segments[Int(hit.segment)].part(near: sorter.center(ofTile: tile), within: reach), to: tile)
        }
    }

    private mutating func start(_ hit: InkSorter.Hit, reach: Double, color: SIMD4<Float>) {
        let tile = Int(hit.tile)
        let head = ends[tile]
        if strokes[tile] >= 0 { entries[Int(heads[tile])].z = Float(head) }
        entries[Int(head)] = SIMD4(0, Float(reach), 0, hit.covers ? 0 : Self.far)
        entries[Int(head) + 1] = color
        strokes[tile] = hit.stroke
        heads[tile] = head
        ends[tile] = head + 2
    }

    private mutating func add(_ segment: SIMD4<Float>, to tile: Int) {
        entries[Int(ends[tile])] = segment
        ends[tile] += 1
        entries[Int(heads[tile])].x += 1
    }
}
