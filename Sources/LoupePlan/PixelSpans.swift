import LoupeBase
import LoupeScene

/// The pixels whose centres lie deeper in an outline than some depth. As the outline is convex, they are one run in each
/// row.
package struct PixelSpans: Hashable, Sendable {
    /// Every pixel lies in this block.
    package let bounds: PixelRect
    private let columns: [Range<Int>]

    /// - Parameters:
    ///   - depth: In output pixels; negative outside.
    ///   - block: Other pixels are not included.
    package init(of outline: Outline, deeperThan depth: Double, within block: PixelRect) {
        let seeker = SpanSeeker(outline: outline, depth: depth)
        let low = Int((outline.rect.minY + min(depth, 0) - 1).rounded(.down))
        let high = Int((outline.rect.maxY - min(depth, 0) + 1).rounded(.up))
        let rows = max(low, block.minY)..<max(low, block.minY, min(high, block.maxY))
        let found = rows.map { seeker.columns(inRow: $0).clamped(to: block.minX..<max(block.minX, block.maxX)) }
        let filled = zip(rows, found).filter { !$0.1.isEmpty }
        bounds = PixelRect(
            minX: filled.map { $0.1.lowerBound }.min() ?? 0, minY: filled.first?.0 ?? 0,
            maxX: filled.map { $0.1.upperBound }.max() ?? 0, maxY: filled.last.map { $0.0 + 1 } ?? 0)
        columns = filled.isEmpty ? [] : Array(found[(bounds.minY - rows.lowerBound)..<(bounds.maxY - rows.lowerBound)])
    }

    /// The run in a row; empty where there is none.
    package func columns(inRow row: Int) -> Range<Int> {
        row >= bounds.minY && row < bounds.maxY ? columns[row - bounds.minY] : 0..<0
    }

    /// Whether any pixel lies in a block.
    func meets(_ rect: PixelRect) -> Bool {
        let block = rect.intersection(bounds)
        return !block.isEmpty
            && (block.minY..<block.maxY).contains { row in
                let run = columns(inRow: row)
                return run.lowerBound < block.maxX && run.upperBound > block.minX && !run.isEmpty
            }
    }

    /// Blocks of these pixels alone, from top to bottom: bands of rows, each with the columns that all of its rows have.
    package var blocks: [PixelRect] {
        stride(from: bounds.minY, to: bounds.maxY, by: Self.blockHeight).reduce(into: []) { blocks, top in
            let rows = top..<min(top + Self.blockHeight, bounds.maxY)
            let runs = rows.map(columns(inRow:))
            let low = runs.map { $0.lowerBound }.max() ?? 0
            let high = runs.map { $0.upperBound }.min() ?? 0
            guard low < high, !runs.contains(where: { $0.isEmpty }) else { return }
            blocks.appendBelow(PixelRect(minX: low, minY: top, maxX: high, maxY: rows.upperBound))
        }
    }

    private static let blockHeight = 16
}

/// Looks for the ends of the runs.
private struct SpanSeeker {
    let outline: Outline
    let depth: Double

    func columns(inRow row: Int) -> Range<Int> {
        let middle = Int(axis(atRow: row).rounded(.down))
        guard let start = [middle, middle - 1, middle + 1].first(where: { isDeep($0, row) }) else { return 0..<0 }
        let reach = Int(outline.rect.width.rounded(.up)) + 2
        let low = Self.lastTrue(upTo: reach) { isDeep(start - $0, row) }
        let high = Self.lastTrue(upTo: reach) { isDeep(start + $0, row) }
        return start - low..<start + high + 1
    }

    private func isDeep(_ column: Int, _ row: Int) -> Bool {
        let center = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
        return outline.signedDistance(to: center, within: abs(depth) + 1) > depth
    }

    /// The x at which the line between the middles of the straight parts of the top and the bottom edge crosses a row.
    private func axis(atRow row: Int) -> Double {
        let (rect, radii) = (outline.rect, outline.radii)
        let top = rect.center.x + (radii[.topLeft].x - radii[.topRight].x) / 2
        let bottom = rect.center.x + (radii[.bottomLeft].x - radii[.bottomRight].x) / 2
        let fraction = (Double(row) + 0.5 - rect.minY) / rect.height
        return top + min(max(fraction, 0), 1) * (bottom - top)
    }

    /// The last number for which a condition is true. It is true for 0, and false for every number after the first false one.
    private static func lastTrue(upTo limit: Int, _ condition: (Int) -> Bool) -> Int {
        var (low, high) = (0, limit + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if condition(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
