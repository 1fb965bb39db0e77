import LoupeGeometry

/// A block of a view's region that one shader draws.
public struct Piece: Hashable, Sendable {
    public let rect: PixelRect
    public let state: ClipState
    /// The edge that a `singleEdge` piece measures its distance to; nil for every other state.
    public let edge: Edge?

    public init(rect: PixelRect, state: ClipState, edge: Edge? = nil) {
        self.rect = rect
        self.state = state
        self.edge = edge
    }

    /// The part in a block; nil where there is none.
    public func cut(to block: PixelRect) -> Piece? {
        let part = rect.intersection(block)
        return part.isEmpty ? nil : Piece(rect: part, state: state, edge: edge)
    }
}

/// A side of a layer's rect.
public enum Edge: Hashable, Sendable, CaseIterable {
    case left, top, right, bottom
}

extension PlacedOutline {
    /// Cuts a region into blocks so that every pixel of it lies in exactly one block, whose shader
    /// is the cheapest that is exact there (SPEC 7). Blocks that hold no pixel of the region are left out.
    public func pieces(in region: Region) -> [Piece] {
        guard isEven else {
            var cutter = UnevenCutter(outline: self, region: region)
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
    let outline: PlacedOutline
    let region: Region
    let x: AxisBands
    let y: AxisBands
    private var pieces: [Piece] = []

    /// A corner zone is cut into bands of this many rows, each split where the curve enters and
    /// leaves it. Lower bands shade fewer pixels with the corner shader but cost more triangles.
    private static let bandHeight = 16

    init(outline: PlacedOutline, region: Region) {
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
        for columns in [x.lowZone, x.highZone] {
            for rows in [y.lowZone, y.highZone] { addCorner(columns, rows) }
        }
        return pieces
    }

    private mutating func add(_ columns: Range<Int>, _ rows: Range<Int>, _ state: ClipState, edge: Edge? = nil) {
        let rect = PixelRect(
            minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound
        ).intersection(region.bounds)
        guard region.meets(rect) else { return }
        pieces.append(Piece(rect: rect, state: state, edge: edge))
    }

    private mutating func addOutside() {
        let bounds = region.bounds
        let columns = bounds.minX..<max(bounds.minX, bounds.maxX)
        let rows = y.outerLow..<y.outerHigh
        add(columns, span(bounds.minY, y.outerLow), .outside)
        add(columns, span(y.outerHigh, bounds.maxY), .outside)
        add(span(bounds.minX, x.outerLow), rows, .outside)
        add(span(x.outerHigh, bounds.maxX), rows, .outside)
    }

    /// The rows between the corner zones: an edge on each side, everything between them inside.
    private mutating func addMiddleRows() {
        let rows = y.zoneLow..<y.zoneHigh
        add(x.outerLow..<x.innerLow, rows, .singleEdge, edge: .left)
        add(x.innerLow..<x.innerHigh, rows, .noEdge)
        add(x.innerHigh..<x.outerHigh, rows, .singleEdge, edge: .right)
    }

    /// Between the upper two corner zones, and between the lower two.
    private mutating func addTopAndBottom() {
        let columns = x.zoneLow..<x.zoneHigh
        add(columns, y.outerLow..<y.innerLow, .singleEdge, edge: .top)
        add(columns, y.innerLow..<y.zoneLow, .noEdge)
        add(columns, y.zoneHigh..<y.innerHigh, .noEdge)
        add(columns, y.innerHigh..<y.outerHigh, .singleEdge, edge: .bottom)
    }

    private mutating func addCorner(_ columns: Range<Int>, _ rows: Range<Int>) {
        let low = max(rows.lowerBound, region.bounds.minY)
        let high = min(rows.upperBound, region.bounds.maxY)
        for top in stride(from: low, to: high, by: Self.bandHeight) {
            addCornerBand(columns, top..<min(top + Self.bandHeight, high))
        }
    }

    /// One band of a corner zone: outside beyond the curve, no-edge well within it, the corner shader between.
    ///
    /// A pixel's coverage is 1 if the square of half-width ½ about its centre is inside the curve,
    /// and 0 if that square is outside; both bounds err towards the corner shader.
    private mutating func addCornerBand(_ columns: Range<Int>, _ rows: Range<Int>) {
        let isLeft = columns == x.lowZone
        let isTop = rows.upperBound <= y.zoneLow
        let centerX = isLeft ? outline.rect.minX + outline.radius : outline.rect.maxX - outline.radius
        let centerY = isTop ? outline.rect.minY + outline.radius : outline.rect.maxY - outline.radius
        // The band's extent away from the corner's centre, squares of half a pixel included.
        let outermost = isTop ? centerY - Double(rows.lowerBound) : Double(rows.upperBound) - centerY
        let innermost = isTop ? centerY - Double(rows.upperBound) : Double(rows.lowerBound) - centerY
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
        let empty = boundary(outside, isOutside: true)
        if isLeft {
            add(columns.lowerBound..<empty, rows, .outside)
            add(span(empty, covered), rows, .corner)
            add(max(empty, covered)..<columns.upperBound, rows, .noEdge)
        } else {
            add(columns.lowerBound..<min(covered, empty), rows, .noEdge)
            add(span(covered, empty), rows, .corner)
            add(empty..<columns.upperBound, rows, .outside)
        }
    }

    private func span(_ low: Int, _ high: Int) -> Range<Int> { low..<max(low, high) }
}
