import LoupeBase

/// Finds the words of a drawing and other small marks on it: connected pieces of what stands out from the pixels around it.
///
/// Letters that nearly touch each other are one piece, and words that stand apart are two.
package struct WordBoxes {
    private let width: Int
    private let height: Int
    /// The size of a cell, in pixels of the page: letters are nearer to each other than lines.
    private let cell: (width: Int, height: Int)
    private let columns: Int
    /// Whether an edge runs through each cell, row by row.
    private var edges: [Bool]
    /// The last row that was taken: `4 * width` bytes, or none.
    private var last: [UInt8] = []

    /// The step of a channel between two neighbours that counts as an edge, of 255: text in light grey has it, the lines of a
    /// faint grid have not.
    private static let leastStep: Int32 = 32
    /// The side up to which pages have the finest cells, in pixels.
    private static let fineSide = 1600

    /// A finder for a page of a size in pixels.
    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        let scale = max(1, max(width, height) / Self.fineSide)
        cell = (4 * scale, 2 * scale)
        columns = (width + cell.width - 1) / cell.width
        edges = [Bool](repeating: false, count: columns * ((height + cell.height - 1) / cell.height))
    }

    /// The boxes of a page in memory: straight 8-bit RGBA, rows from the top.
    package static func found(width: Int, height: Int, pixels: [UInt8]) -> [Rect] {
        var words = WordBoxes(width: width, height: height)
        pixels.withUnsafeBytes { words.take($0, rows: 0..<height) }
        return words.boxes
    }

    /// Takes the next rows, which the page has at these indices.
    /// - Parameter band: straight 8-bit RGBA, `4 * width` bytes a row.
    package mutating func take(_ band: UnsafeRawBufferPointer, rows: Range<Int>) {
        let above = last
        above.withUnsafeBytes { above in
            for row in rows {
                let start = (row - rows.lowerBound) * 4 * width
                let pixels = UnsafeRawBufferPointer(rebasing: band[start..<start + 4 * width])
                mark(row, pixels.dropLast(4), pixels.dropFirst(4))
                if row > rows.lowerBound {
                    mark(row, pixels[...], band[start - 4 * width..<start])
                } else if !above.isEmpty {
                    mark(row, pixels[...], above[...])
                }
            }
        }
        last = Array(band.suffix(4 * width))
    }

    /// Marks the cells of a row in which one pixel stands out from the other.
    private mutating func mark(
        _ row: Int, _ pixels: Slice<UnsafeRawBufferPointer>, _ others: Slice<UnsafeRawBufferPointer>
    ) {
        let (one, two) = (UnsafeRawBufferPointer(rebasing: pixels), UnsafeRawBufferPointer(rebasing: others))
        let start = row / cell.height * columns
        for x in 0..<one.count / 4 {
            let (a, b) = (
                one.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self),
                two.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self)
            )
            // Most neighbours on a drawing are equal.
            if a != b, Self.isEdge(a, b) { edges[start + x / cell.width] = true }
        }
    }

    private static func isEdge(_ one: UInt32, _ other: UInt32) -> Bool {
        stride(from: UInt32(0), to: 32, by: 8).contains { shift in
            abs(Int32(one >> shift & 255) - Int32(other >> shift & 255)) > leastStep
        }
    }

    /// The box of each piece, in pixels of the page, in the order of their first cells.
    package var boxes: [Rect] {
        var (left, boxes) = (edges, [Rect]())
        let rows = left.count / max(1, columns)
        for first in left.indices where left[first] {
            var (x, y) = (first % columns...first % columns, first / columns...first / columns)
            var open = [first]
            left[first] = false
            while let next = open.popLast() {
                let (row, column) = next.quotientAndRemainder(dividingBy: columns)
                x = min(x.lowerBound, column)...max(x.upperBound, column)
                y = min(y.lowerBound, row)...max(y.upperBound, row)
                for near in max(0, row - 1)...min(rows - 1, row + 1) {
                    for beside in max(0, column - 1)...min(columns - 1, column + 1) where left[near * columns + beside]
                    {
                        left[near * columns + beside] = false
                        open.append(near * columns + beside)
                    }
                }
            }
            let (minX, minY) = (x.lowerBound * cell.width, y.lowerBound * cell.height)
            boxes.append(
                Rect(
                    x: Double(minX), y: Double(minY),
                    width: Double(min(width, (x.upperBound + 1) * cell.width + 1) - minX),
                    height: Double(min(height, (y.upperBound + 1) * cell.height) - minY)))
        }
        return boxes
    }
}
