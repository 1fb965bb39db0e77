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
        guard hasUniformCorners else {
            var cutter = MixedCornerCutter(outline: self, region: region)
            return cutter.cut()
        }
        var cutter = PieceCutter(outline: self, region: region)
        return cutter.cut()
    }
}

/// Cuts the plane along the changes of an outline's coverage.
///
///     outside │ outside                       │ outside
///     ────────┼────────┬─────────────┬────────┼────────
///     outside │ corner │ single-edge │ corner │ outside
///             ├────┬───┴─────────────┴───┬────┤
///             │edge│       no-edge       │edge│
///             ├────┴───┬─────────────┬───┴────┤
///     outside │ corner │ single-edge │ corner │ outside
private struct PieceCutter {
    let outline: Outline
    let region: Region
    let x: AxisBands
    let y: AxisBands
    private var pieces: [Piece] = []

    /// In rows. Lower bands shade fewer pixels with the corner shader but cost more triangles.
    private static let bandHeight = DeviceBlock.side
    /// The smallest number of pixels that a cut must take from the corner shader. Blocks have a cost too, narrow ones most.
    private static let leastGain = 64

    init(outline: Outline, region: Region) {
        self.outline = outline
        self.region = region
        x = outline.columns
        y = outline.rows
    }

    mutating func cut() -> [Piece] {
        addOutside()
        if outline.isThin {
            add(x.outerLow..<x.outerHigh, y.outerLow..<y.outerHigh, .corner)
            return pieces
        }
        addMiddleRows()
        addTopAndBottom()
        for columns in [x.lowEnd, x.highEnd] {
            for rows in [y.lowEnd, y.highEnd] {
                let corner = ZoneCorner(outline: outline, isLeft: columns == x.lowEnd, isTop: rows == y.lowEnd)
                addCorner(columns, rows, of: corner)
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

    private mutating func addOutside() {
        let bounds = region.bounds
        let columns = bounds.minX..<max(bounds.minX, bounds.maxX)
        add(columns, span(bounds.minY, y.outerLow), .outside)
        add(columns, span(y.outerHigh, bounds.maxY), .outside)
        // In the same rows as the pieces between them, so that the background under both is one block.
        for rows in [y.lowEnd, y.between, y.highEnd] {
            add(span(bounds.minX, x.outerLow), rows, .outside)
            add(span(x.outerHigh, bounds.maxX), rows, .outside)
        }
    }

    /// The rows between the corner zones: an edge on each side, everything between them inside.
    private mutating func addMiddleRows() {
        let rows = y.between
        add(x.outerLow..<x.innerLow, rows, .singleEdge)
        add(x.innerLow..<x.innerHigh, rows, .noEdge)
        add(x.innerHigh..<x.outerHigh, rows, .singleEdge)
    }

    /// Between the upper two corner zones, and between the lower two.
    private mutating func addTopAndBottom() {
        let columns = x.between
        add(columns, y.outerLow..<y.innerLow, .singleEdge)
        add(columns, y.innerLow..<y.cutLow, .noEdge)
        add(columns, y.cutHigh..<y.innerHigh, .noEdge)
        add(columns, y.innerHigh..<y.outerHigh, .singleEdge)
    }

    /// A block of a corner zone: outside beyond the curve, no-edge well within it, and between them two halves cut
    /// likewise, until a band is low enough for the corner shader.
    private mutating func addCorner(_ columns: Range<Int>, _ rows: Range<Int>, of corner: ZoneCorner) {
        let rows = rows.clamped(to: region.bounds.minY..<max(region.bounds.minY, region.bounds.maxY))
        guard !rows.isEmpty, !columns.isEmpty else { return }
        addCorner(columns, rows, curved: corner.curved(in: rows, of: columns), of: corner)
    }

    /// - Parameter middle: The columns through which the curve may run.
    private mutating func addCorner(
        _ columns: Range<Int>, _ rows: Range<Int>, curved middle: Range<Int>, of corner: ZoneCorner
    ) {
        if corner.isLeft {
            add(columns.lowerBound..<middle.lowerBound, rows, .outside)
            add(middle.upperBound..<columns.upperBound, rows, .noEdge)
        } else {
            add(columns.lowerBound..<middle.lowerBound, rows, .noEdge)
            add(middle.upperBound..<columns.upperBound, rows, .outside)
        }
        let halves = halves(of: rows, middle, corner)
        if halves.isEmpty { addCurve(middle, rows) }
        for half in halves { addCorner(middle, half.rows, curved: half.curved, of: corner) }
    }

    /// A block through which the curve may run. Its part outside of the corner zone has at most one edge.
    private mutating func addCurve(_ columns: Range<Int>, _ rows: Range<Int>) {
        let (zoneColumns, zoneRows) = (x.zoned(columns), y.zoned(rows))
        add(zoneColumns, zoneRows, .corner)
        for beyond in columns.without(zoneColumns) { addStraight(beyond, rows) }
        for beyond in rows.without(zoneRows) { addStraight(zoneColumns, beyond) }
    }

    /// A block beside a corner zone, inside of one edge at least.
    private mutating func addStraight(_ columns: Range<Int>, _ rows: Range<Int>) {
        let (insideColumns, insideRows) = (columns.clamped(to: x.inside), rows.clamped(to: y.inside))
        add(insideColumns, insideRows, .noEdge)
        for edge in columns.without(insideColumns) { add(edge, rows, .singleEdge) }
        for edge in rows.without(insideRows) { add(insideColumns, edge, .singleEdge) }
    }

    /// A block's two halves, which meet at a border of device blocks; none where the cut would gain too little.
    private func halves(
        of rows: Range<Int>, _ columns: Range<Int>, _ corner: ZoneCorner
    ) -> [(rows: Range<Int>, curved: Range<Int>)] {
        let half = DeviceBlock.start(to: (rows.lowerBound + rows.upperBound) / 2)
        guard rows.count > Self.bandHeight, half > rows.lowerBound, half < rows.upperBound else { return [] }
        let halves = [rows.lowerBound..<half, half..<rows.upperBound].map {
            (rows: $0, curved: corner.curved(in: $0, of: columns))
        }
        let left = halves.map { $0.rows.count * $0.curved.count }.reduce(0, +)
        return rows.count * columns.count - left >= Self.leastGain ? halves : []
    }

    private func span(_ low: Int, _ high: Int) -> Range<Int> { low..<max(low, high) }
}

/// One of an outline's corners, whose curve runs through a zone.
private struct ZoneCorner {
    let outline: Outline
    let isLeft: Bool
    let isTop: Bool

    /// The columns that may hold pixels which are neither covered nor empty.
    func curved(in rows: Range<Int>, of columns: Range<Int>) -> Range<Int> {
        let (covered, empty) = boundaries(in: rows, of: columns)
        return min(covered, empty)..<max(covered, empty)
    }

    /// The columns at which, in a few rows, pixels begin to be covered and begin to be empty.
    ///
    /// A pixel's coverage is 1 if the square of half-width ½ about its centre is inside the curve,
    /// and 0 if that square is outside; both bounds err towards the corner shader.
    private func boundaries(in rows: Range<Int>, of columns: Range<Int>) -> (covered: Int, empty: Int) {
        let centerX = isLeft ? outline.rect.minX + outline.radius : outline.rect.maxX - outline.radius
        let centerY = isTop ? outline.rect.minY + outline.radius : outline.rect.maxY - outline.radius
        // The rows' extent away from the corner's centre, squares of half a pixel included. A few rows at its own height
        // reach beyond it, to where the curve of the corner opposite may turn away again.
        let (up, down) = (centerY - Double(rows.lowerBound), Double(rows.upperBound) - centerY)
        let (outermost, innermost) = (max(up, down), isTop ? -down : -up)
        // A pixel column whose square ends at `inside` or nearer is covered; one that starts at `outside` is not.
        let inside = outermost <= outline.radius ? outline.ordinate(at: outermost) : -.infinity
        let outside = innermost < outline.radius ? outline.ordinate(at: innermost) : -.infinity
        func boundary(_ distance: Double, isOutside: Bool) -> Int {
            guard distance > -.infinity else { return isLeft ? columns.upperBound : columns.lowerBound }
            let exact = isLeft ? centerX - distance : centerX + distance
            let rounded = exact.rounded(isLeft != isOutside ? .up : .down)
            return Int(min(max(rounded, Double(columns.lowerBound)), Double(columns.upperBound)))
        }
        let covered = boundary(inside, isOutside: false)
        let blockEnd = isLeft ? DeviceBlock.end(from: covered) : DeviceBlock.start(to: covered)
        return (min(max(blockEnd, columns.lowerBound), columns.upperBound), boundary(outside, isOutside: true))
    }
}

extension Range<Int> {
    /// What lies before and after another one.
    fileprivate func without(_ other: Range<Int>) -> [Range<Int>] {
        let before = Swift.max(lowerBound, Swift.min(upperBound, other.lowerBound))
        let after = Swift.max(lowerBound, Swift.min(upperBound, other.upperBound))
        return [lowerBound..<before, after..<upperBound].filter { !$0.isEmpty }
    }
}
