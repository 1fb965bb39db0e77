import LoupeBase
import LoupeScene

/// A set of pixels with at most one run in each row: the whole canvas, or what a loupe or another convex border covers
/// (specification, section 7).
package struct Region: Hashable, Sendable {
    /// Every pixel of the region lies in this block.
    package let bounds: PixelRect
    /// The columns in each row of the bounds; nil where the region is all of them.
    private let runs: [Range<Int>]?
    /// The rows that are drawn together, from the first to the last.
    private let bands: [Range<Int>]

    /// All pixels of a block.
    package init(bounds: PixelRect) {
        (self.bounds, runs, bands) = (bounds, nil, [bounds.minY..<max(bounds.minY, bounds.maxY)])
    }

    /// The pixels of a block whose centres lie deeper in a border than some depth.
    /// - Parameter depth: In output pixels; negative outside.
    package init(of border: Border, deeperThan depth: Double, within block: PixelRect) {
        let near = border.block(grownBy: 1 - min(depth, 0)).intersection(block)
        let rows = near.isEmpty ? 0..<0 : near.minY..<near.maxY
        let found = rows.map { border.columns(inRow: $0, deeperThan: depth).clamped(to: near.minX..<near.maxX) }
        let filled = found.indices.filter { !found[$0].isEmpty }
        guard let first = filled.first, let last = filled.last else {
            (bounds, runs, bands) = (PixelRect(width: 0, height: 0), [], [])
            return
        }
        let columns = filled.reduce(found[first]) {
            min($0.lowerBound, found[$1].lowerBound)..<max($0.upperBound, found[$1].upperBound)
        }
        bounds = PixelRect(columns, rows.lowerBound + first..<rows.lowerBound + last + 1)
        let runs = Array(found[first...last])
        (self.runs, bands) = (runs, Self.bands(of: runs, from: bounds.minY))
    }

    /// How many pixels beyond the region the block of a band may have, where it has more rows than devices shade together: what
    /// the two triangles of another block cost.
    private static let mostBeyond = 128

    /// Parts rows where devices do, and joins those again whose block has few pixels beyond the runs.
    private static func bands(of runs: [Range<Int>], from top: Int) -> [Range<Int>] {
        var bands: [Range<Int>] = []
        var (columns, pixels) = (0..<0, 0)
        var row = 0
        while row < runs.count {
            let end = min(DeviceBlock.start(to: top + row) + DeviceBlock.side - top, runs.count)
            let here = runs[row..<end].reduce(0..<0) { $0.joined(with: $1) }
            let count = runs[row..<end].reduce(0) { $0 + $1.count }
            let joined = columns.joined(with: here)
            if let last = bands.last, joined.count * (top + end - last.lowerBound) - pixels - count <= mostBeyond {
                bands[bands.count - 1] = last.lowerBound..<top + end
                (columns, pixels) = (joined, pixels + count)
            } else {
                bands.append(top + row..<top + end)
                (columns, pixels) = (here, count)
            }
            row = end
        }
        return bands
    }

    /// The region of a view of the scene: the canvas, or the pixels on it that the loupe covers at least in part.
    package init(of view: View, in scene: Scene) {
        if let loupe = view.loupe(in: scene) {
            self.init(of: Border(of: loupe), deeperThan: -0.5, within: scene.canvas.pixels)
        } else {
            self.init(bounds: scene.canvas.pixels)
        }
    }

    /// Whether every pixel of the bounds belongs to it.
    var isBlock: Bool { runs == nil }

    /// The columns of the region in one row of `rect`; empty when there are none.
    package func columns(inRow row: Int, of rect: PixelRect) -> Range<Int> {
        let block = bounds.intersection(rect)
        guard !block.isEmpty, block.minY..<block.maxY ~= row else { return 0..<0 }
        let columns = block.minX..<block.maxX
        return runs.map { $0[row - bounds.minY].clamped(to: columns) } ?? columns
    }

    /// How many pixels of the region lie in `rect`.
    package func pixelCount(in rect: PixelRect) -> Int {
        let block = bounds.intersection(rect)
        if isBlock || block.isEmpty { return block.pixelCount }
        return (block.minY..<block.maxY).reduce(0) { $0 + columns(inRow: $1, of: block).count }
    }

    /// How many pixels the region has.
    package var pixelCount: Int { pixelCount(in: bounds) }

    /// Whether any pixel of the region lies in `rect`.
    package func meets(_ rect: PixelRect) -> Bool {
        let block = bounds.intersection(rect)
        if isBlock || block.isEmpty { return !block.isEmpty }
        return (block.minY..<block.maxY).contains { !columns(inRow: $0, of: block).isEmpty }
    }
}

// MARK: - Blocks

/// What is drawn of a region are blocks of whole pixels: few of them, and few pixels beyond the region. The rows of a band are drawn
/// together, so every block lies in those of any other cut of the region.
extension Region {
    /// Blocks, no two of which overlap, that hold the region's pixels in some others.
    package func blocks(in rects: [PixelRect]) -> [PixelRect] { rects.flatMap(blocks(in:)) }

    private func blocks(in rect: PixelRect) -> [PixelRect] {
        let part = rect.intersection(bounds)
        if isBlock || part.isEmpty { return part.isEmpty ? [] : [part] }
        let (columns, rows) = (part.minX..<part.maxX, part.minY..<part.maxY)
        let middle = (part.minY + part.maxY) / 2
        let cut = bands.lazy.map { $0.lowerBound }.filter { rows.lowerBound < $0 && $0 < rows.upperBound }
            .min { abs($0 - middle) < abs($1 - middle) }
        let common = self.columns(inAllOf: rows).clamped(to: columns)
        guard let cut, common != columns else {
            let any = self.columns(inAnyOf: rows).clamped(to: columns)
            return any.isEmpty ? [] : [PixelRect(any, rows)]
        }
        let sides =
            common.isEmpty
            ? [columns] : [columns.lowerBound..<common.lowerBound, common.upperBound..<columns.upperBound]
        return (common.isEmpty ? [] : [PixelRect(common, rows)])
            + sides.flatMap { side in
                [part.minY..<cut, cut..<part.maxY].flatMap { blocks(in: PixelRect(side, $0)) }
            }
    }

    /// Blocks, no two of which overlap, that hold the region's pixels outside of another region.
    package func blocks(without inside: Region) -> [PixelRect] {
        var (left, right): ([PixelRect], [PixelRect]) = ([], [])
        for rows in bands where !rows.isEmpty {
            let all = columns(inAnyOf: rows)
            for rows in inside.parts(of: rows) {
                let hole = inside.columns(inAllOf: rows).clamped(to: all)
                if hole.isEmpty {
                    left.appendBelow(PixelRect(all, rows))
                } else {
                    left.appendBelow(PixelRect(all.lowerBound..<hole.lowerBound, rows))
                    right.appendBelow(PixelRect(hole.upperBound..<all.upperBound, rows))
                }
            }
        }
        return (left + right).filter { !$0.isEmpty }
    }

    /// Rows cut where the region begins and ends, and between its bands.
    private func parts(of rows: Range<Int>) -> [Range<Int>] {
        let inner = (bands.map { $0.lowerBound } + [bounds.maxY]).filter {
            rows.lowerBound < $0 && $0 < rows.upperBound
        }
        let cuts = [rows.lowerBound] + inner + [rows.upperBound]
        return zip(cuts, cuts.dropFirst()).map { $0..<$1 }
    }

    /// The columns that the region has in every one of some rows. As it is convex, the first and the last decide.
    func columns(inAllOf rows: Range<Int>) -> Range<Int> {
        columns(inRow: rows.lowerBound, of: bounds).clamped(to: columns(inRow: rows.upperBound - 1, of: bounds))
    }

    /// Columns that include all that the region has in some rows.
    private func columns(inAnyOf rows: Range<Int>) -> Range<Int> {
        rows.reduce(0..<0) { $0.joined(with: columns(inRow: $1, of: bounds)) }
    }
}

extension Range<Int> {
    /// The numbers from the least to the greatest of both.
    fileprivate func joined(with other: Range<Int>) -> Range<Int> {
        if isEmpty || other.isEmpty { return isEmpty ? other : self }
        return Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

// MARK: - Runs

extension Border {
    /// The columns of a row whose pixels' centres lie deeper than some depth.
    fileprivate func columns(inRow row: Int, deeperThan depth: Double) -> Range<Int> {
        switch self {
        case .disc(let disc): Circle(center: disc.center, radius: disc.radius - depth).columns(inRow: row)
        case .outline(let outline): SpanSeeker(outline: outline, depth: depth).columns(inRow: row)
        }
    }
}

extension Circle {
    /// The columns whose centres lie strictly inside, in one row.
    fileprivate func columns(inRow row: Int) -> Range<Int> {
        let dy = Double(row) + 0.5 - center.y
        let square = radius * radius - dy * dy
        guard radius > 0, square > 0 else { return 0..<0 }
        func contains(_ column: Int) -> Bool {
            let dx = Double(column) + 0.5 - center.x
            return dx * dx + dy * dy < radius * radius
        }
        let half = square.squareRoot()
        var first = Int(bounded: (center.x - half - 0.5).rounded(.down))
        var last = Int(bounded: (center.x + half - 0.5).rounded(.up))
        // The square root rounds; membership itself decides at the ends.
        while first <= last && !contains(first) { first += 1 }
        while last >= first && !contains(last) { last -= 1 }
        return first..<(last + 1)
    }
}

/// Looks for the ends of an outline's runs.
private struct SpanSeeker {
    let outline: Outline
    let depth: Double

    func columns(inRow row: Int) -> Range<Int> {
        let middle = Int(axis(atRow: row).rounded(.down))
        guard let start = [middle, middle - 1, middle + 1].first(where: { isDeep($0, row) }) else { return 0..<0 }
        let reach = Int(bounded: (outline.rect.width - min(depth, 0)).rounded(.up)) + 2
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
