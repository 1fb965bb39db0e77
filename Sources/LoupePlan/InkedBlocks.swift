import LoupeBase
import LoupeScene

/// The square blocks of pixels that hold ink.
struct InkedBlocks: Sendable {
    /// The side of a block, in pixels: small where blocks are drawn as they are, larger where a disc's border may need a
    /// draw call for each.
    private let side: Int
    /// In blocks, counted from the canvas's first pixel.
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// Row by row.
    private var isInked: [Bool]

    /// Blocks without a pixel of the region count as plain.
    init(_ sorter: InkSorter, of region: Region) {
        side = region.isBlock ? 16 : 64
        let tiles = side / InkTiles.side
        columns = Self.blocks(of: sorter.columns, each: tiles)
        rows = Self.blocks(of: sorter.rows, each: tiles)
        isInked = [Bool](repeating: false, count: columns.count * rows.count)
        for tile in sorter.counts.indices where sorter.counts[tile] > 0 {
            let (row, column) = tile.quotientAndRemainder(dividingBy: sorter.columns.count)
            let block = index(
                column: Self.block(of: sorter.columns.lowerBound + column, each: tiles),
                row: Self.block(of: sorter.rows.lowerBound + row, each: tiles))
            isInked[block] = true
        }
        for row in rows {
            for column in columns where isInked[index(column: column, row: row)] {
                let (x, y) = (column * side, row * side)
                let pixels = PixelRect(minX: x, minY: y, maxX: x + side, maxY: y + side)
                isInked[index(column: column, row: row)] = region.meets(pixels)
            }
        }
    }

    var hasInk: Bool { isInked.contains(true) }

    /// Cuts a rect within the blocks into what may hold ink and what holds none.
    func split(_ rect: PixelRect) -> (inked: [PixelRect], plain: [PixelRect]) {
        var inked: [PixelRect] = []
        var plain: [PixelRect] = []
        guard !rect.isEmpty else { return (inked, plain) }
        for row in Self.blocks(of: rect.minY..<rect.maxY, each: side) {
            let (top, bottom) = (max(row * side, rect.minY), min((row + 1) * side, rect.maxY))
            for (isInked, run) in runs(inRow: row, of: rect.minX..<rect.maxX) {
                let part = PixelRect(minX: run.lowerBound, minY: top, maxX: run.upperBound, maxY: bottom)
                if isInked { inked.appendBelow(part) } else { plain.appendBelow(part) }
            }
        }
        return (inked, plain)
    }

    /// The pixels of a row of blocks, in the longest runs that are wholly inked or wholly plain.
    private func runs(inRow row: Int, of pixels: Range<Int>) -> [(isInked: Bool, pixels: Range<Int>)] {
        var runs: [(isInked: Bool, pixels: Range<Int>)] = []
        for column in Self.blocks(of: pixels, each: side) {
            let part = (column * side..<(column + 1) * side).clamped(to: pixels)
            let isInked = isInked[index(column: column, row: row)]
            if let last = runs.last, last.isInked == isInked {
                runs[runs.count - 1].pixels = last.pixels.lowerBound..<part.upperBound
            } else {
                runs.append((isInked, part))
            }
        }
        return runs
    }

    private func index(column: Int, row: Int) -> Int {
        (row - rows.lowerBound) * columns.count + column - columns.lowerBound
    }

    private static func block(of index: Int, each length: Int) -> Int {
        Int((Double(index) / Double(length)).rounded(.down))
    }

    private static func blocks(of range: Range<Int>, each length: Int) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return block(of: range.lowerBound, each: length)..<block(of: range.upperBound - 1, each: length) + 1
    }
}
