import LoupeGeometry
import LoupeScene

/// A layer's strokes as one view shows them: for each tile of 8×8 pixels those that touch it.
///
/// Tiles are counted from the canvas's first pixel, so that a part of a view is drawn as the whole would be.
/// A tile's list is a chain of strokes from the topmost down, each of them some of `entries`:
///
///     (n, reach, next, nearest)   how many segments; half the width and half a pixel; where the next stroke
///                                 stands, 0 after the last; 0 where the stroke covers the tile, else a huge number
///     colour                      premultiplied, in the working space
///     (x, y, dx, dy) n times      a segment's start and the way to its end
///
/// Lengths are in output pixels and places are told from the tile's centre, so that 32-bit floats hold them at any zoom.
public struct InkTiles: Sendable {
    /// Of a tile, in pixels.
    public static let side = 8
    /// How many entries the shader finds in a row of its texture: `entries` are filled up to whole rows.
    public static let entriesInRow = 2048

    /// The pixels that are served.
    public let block: PixelRect
    /// In tiles.
    public let columns: Range<Int>
    public let rows: Range<Int>
    /// For each tile, row by row: where its topmost stroke stands among `entries`; 0 where it has none.
    public let starts: [Float]
    public let entries: [SIMD4<Float>]
    private let inkedBlocks: InkedBlocks

    init(_ sorter: InkSorter, colors: [SIMD4<Float>], of region: Region) {
        block = sorter.block
        columns = sorter.columns
        rows = sorter.rows
        let chains = InkChains(sorter, colors: colors)
        starts = chains.starts
        entries = chains.entries
        inkedBlocks = InkedBlocks(sorter, of: region)
    }

    /// Cuts what of a block is served into where ink may be and where none is.
    public func split(_ rect: PixelRect) -> (inked: [PixelRect], plain: [PixelRect]) {
        inkedBlocks.split(rect.intersection(block))
    }

    /// Whether there is ink at all.
    public var hasInk: Bool { inkedBlocks.hasInk }
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
