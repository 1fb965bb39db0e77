import LoupeBase
import LoupeScene

/// A block of a view's region that one shader draws.
package struct Piece: Hashable, Sendable {
    /// Its pixels; some may lie outside of the region.
    package let rect: PixelRect
    /// The shader that draws it.
    package let state: ClipState

    /// The part in a block; nil where there is none.
    package func cut(to block: PixelRect) -> Piece? {
        let part = rect.intersection(block)
        return part.isEmpty ? nil : Piece(rect: part, state: state)
    }
}

extension Outline {
    /// Cuts a region into blocks so that every pixel of it lies in exactly one block, whose shader is the cheapest that is
    /// exact there (specification, section 7). Blocks that hold no pixel of the region are omitted.
    package func pieces(in region: Region) -> [Piece] {
        var cutter = PieceCutter(outline: self, region: region)
        return cutter.cut()
    }
}

/// Cuts the plane along the changes of an outline's coverage, in groups of rows that are in the same corner zones and the
/// same feathers.
///
///     outside │ outside                       │ outside
///     ────────┼────────┬─────────────┬────────┼────────
///     outside │ corner │ single-edge │ corner │ outside
///             │        ├─────────────┤        │
///     ────────┼────┬───┴─────────────┴───┬────┼────────
///     outside │edge│       no-edge       │edge│ outside
private struct PieceCutter {
    let outline: Outline
    let region: Region
    private let x: AxisBands
    private let y: AxisBands
    private var pieces: [Piece] = []

    /// In rows. Lower bands shade fewer pixels with the corner shader but cost more triangles.
    private static let bandHeight = DeviceBlock.side
    /// The smallest number of pixels that a cut must take from the corner shader. Blocks have a cost too, narrow ones most.
    private static let leastGain = 64

    init(outline: Outline, region: Region) {
        self.outline = outline
        self.region = region
        (x, y) = (outline.columns, outline.rows)
    }

    mutating func cut() -> [Piece] {
        let bounds = region.bounds
        let columns = bounds.minX..<max(bounds.minX, bounds.maxX)
        add(columns, bounds.minY..<max(bounds.minY, y.outerLow), .outside)
        add(columns, min(y.outerHigh, bounds.maxY)..<bounds.maxY, .outside)
        for rows in groups {
            add(bounds.minX..<max(bounds.minX, x.outerLow), rows, .outside)
            add(min(x.outerHigh, bounds.maxX)..<bounds.maxX, rows, .outside)
            if outline.isThin {
                add(x.outerLow..<x.outerHigh, rows, .corner)
            } else {
                add(rows)
            }
        }
        return pieces
    }

    private mutating func add(_ columns: Range<Int>, _ rows: Range<Int>, _ state: ClipState) {
        let rect = PixelRect(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound
        ).intersection(region.bounds)
        guard region.meets(rect) else { return }
        pieces.append(Piece(rect: rect, state: state))
    }

    /// The visible rows that the outline reaches, parted where a feather or a corner's zone begins or ends.
    private var groups: [Range<Int>] {
        var cuts: Set<Int> = [y.innerLow, y.innerHigh]
        for position in CornerPosition.allCases {
            let zone = rows(of: position)
            cuts.formUnion([zone.lowerBound, zone.upperBound])
        }
        let (low, high) = (max(y.outerLow, region.bounds.minY), min(y.outerHigh, region.bounds.maxY))
        guard low < high else { return [] }
        let sorted = [low] + cuts.filter { low < $0 && $0 < high }.sorted() + [high]
        return zip(sorted, sorted.dropFirst()).map { $0..<$1 }
    }

    /// A group of rows.
    private mutating func add(_ rows: Range<Int>) {
        let left = CornerPosition.allCases.filter { $0.isLeft && self.rows(of: $0).overlaps(rows) }
        let right = CornerPosition.allCases.filter { !$0.isLeft && self.rows(of: $0).overlaps(rows) }
        let start = left.reduce(x.innerLow) { max($0, columns(of: $1).upperBound) }
        let end = right.reduce(x.innerHigh) { min($0, columns(of: $1).lowerBound) }
        guard start <= end else { return addCurves(x.outerLow..<x.outerHigh, rows, left, right) }
        let meetsEdge = rows.lowerBound < y.innerLow || rows.upperBound > y.innerHigh
        add(start..<end, rows, meetsEdge ? .singleEdge : .noEdge)
        addCurves(x.outerLow..<start, rows, left, [])
        addCurves(end..<x.outerHigh, rows, [], right)
    }

    // MARK: - Curves

    /// A block with the curves of corners on its left and on its right: outside beyond them, no-edge well within.
    private mutating func addCurves(
        _ columns: Range<Int>, _ rows: Range<Int>, _ left: [CornerPosition], _ right: [CornerPosition]
    ) {
        let (low, high) = sides(columns, rows, left, right)
        add(columns.lowerBound..<low.lowerBound, rows, .outside)
        add(high.upperBound..<columns.upperBound, rows, .outside)
        if low.upperBound <= high.lowerBound {
            add(low.upperBound..<high.lowerBound, rows, .noEdge)
            addSide(low, rows, left, [])
            addSide(high, rows, [], right)
        } else {
            addSide(low.lowerBound..<high.upperBound, rows, left, right)
        }
    }

    /// A block through which the curves may run: two halves cut likewise, unless the cut would gain too little.
    private mutating func addSide(
        _ columns: Range<Int>, _ rows: Range<Int>, _ left: [CornerPosition], _ right: [CornerPosition]
    ) {
        guard !left.isEmpty || !right.isEmpty else { return add(columns, rows, .singleEdge) }
        let half = DeviceBlock.start(to: (rows.lowerBound + rows.upperBound) / 2)
        guard rows.count > Self.bandHeight, half > rows.lowerBound, half < rows.upperBound else {
            return add(columns, rows, .corner)
        }
        let halves = [rows.lowerBound..<half, half..<rows.upperBound]
        let rest = halves.reduce(0) { sum, rows in
            let (low, high) = sides(columns, rows, left, right)
            let isApart = low.upperBound <= high.lowerBound
            return sum + rows.count * (isApart ? low.count + high.count : high.upperBound - low.lowerBound)
        }
        guard rows.count * columns.count - rest >= Self.leastGain else { return add(columns, rows, .corner) }
        for half in halves { addCurves(columns, half, left, right) }
    }

    /// The columns of a block that may hold pixels which are neither covered nor empty, on both sides.
    private func sides(
        _ columns: Range<Int>, _ rows: Range<Int>, _ left: [CornerPosition], _ right: [CornerPosition]
    ) -> (low: Range<Int>, high: Range<Int>) {
        let (lefts, rights) = (left.map { boundary(of: $0, rows) }, right.map { boundary(of: $0, rows) })
        // Where two corners meet, one may be outside before the other is inside.
        let covered = (
            lefts.map { DeviceBlock.end(from: $0.covered) }.max() ?? x.innerLow,
            rights.map { DeviceBlock.start(to: $0.covered) }.min() ?? x.innerHigh
        )
        let empty = (lefts.map { $0.empty }.min() ?? x.outerLow, rights.map { $0.empty }.max() ?? x.outerHigh)
        return (
            (min(empty.0, covered.0)..<covered.0).clamped(to: columns),
            (covered.1..<max(empty.1, covered.1)).clamped(to: columns)
        )
    }

    // MARK: - Corners

    /// The rows of a corner's zone.
    private func rows(of position: CornerPosition) -> Range<Int> {
        y.zone(ofRadius: outline.radii[position].y, isLow: position.isTop)
    }

    /// The columns of a corner's zone.
    private func columns(of position: CornerPosition) -> Range<Int> {
        x.zone(ofRadius: outline.radii[position].x, isLow: position.isLeft)
    }

    /// The columns of a corner's zone at which, in some rows, pixels begin to be covered and begin to be empty.
    ///
    /// A pixel's coverage is 1 if the square of half-width ½ about its centre is inside the curve, and 0 if that square is
    /// outside; both bounds err towards the corner shader.
    private func boundary(of position: CornerPosition, _ rows: Range<Int>) -> (empty: Int, covered: Int) {
        let radius = outline.radii[position]
        let zone = columns(of: position)
        let centerY = position.isTop ? outline.rect.minY + radius.y : outline.rect.maxY - radius.y
        let (up, down) = (centerY - Double(rows.lowerBound), Double(rows.upperBound) - centerY)
        // The rows' extent away from the corner's centre.
        let (outermost, innermost) = position.isTop ? (up, -down) : (down, -up)
        let inner = position.isLeft ? zone.upperBound : zone.lowerBound
        return (
            innermost < radius.y ? column(of: position, at: innermost, isOutside: true) : inner,
            outermost <= radius.y && radius.y > 0 ? column(of: position, at: outermost, isOutside: false) : inner
        )
    }

    /// The column in a corner's zone at which its curve lies, rounded outward or inward.
    private func column(of position: CornerPosition, at offset: Double, isOutside: Bool) -> Int {
        let radius = outline.radii[position]
        let zone = columns(of: position)
        let fraction = min(max(offset / radius.y, 0), 1)
        let reach = radius.x > 0 ? radius.x * pow(1 - pow(fraction, outline.exponent), 1 / outline.exponent) : 0
        let exact =
            position.isLeft
            ? outline.rect.minX + radius.x - reach : outline.rect.maxX - radius.x + reach
        let rounded = exact.rounded(position.isLeft != isOutside ? .up : .down)
        return Int(min(max(rounded, Double(zone.lowerBound)), Double(zone.upperBound)))
    }
}
