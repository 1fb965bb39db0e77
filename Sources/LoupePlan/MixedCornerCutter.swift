import LoupeBase
import LoupeScene

/// Cuts the plane along the changes of an outline's coverage, for an outline whose corners differ: one band of rows after
/// another.
///
/// In each band there is, from left to right: outside, the left edge or corner, inside or the top or bottom edge, the
/// right edge or corner, outside.
struct MixedCornerCutter {
    let outline: Outline
    let region: Region
    private let x: AxisBands
    private let y: AxisBands
    private var pieces: [Piece] = []

    /// The rows of a band in a corner zone, as `PieceCutter` has it.
    private static let bandHeight = 16

    init(outline: Outline, region: Region) {
        self.outline = outline
        self.region = region
        x = AxisBands(low: outline.rect.minX, high: outline.rect.maxX, radius: 0)
        y = AxisBands(low: outline.rect.minY, high: outline.rect.maxY, radius: 0)
    }

    mutating func cut() -> [Piece] {
        let bounds = region.bounds
        add(bounds.minX, bounds.maxX, bounds.minY..<max(bounds.minY, y.outerLow), .outside)
        add(bounds.minX, bounds.maxX, min(y.outerHigh, bounds.maxY)..<bounds.maxY, .outside)
        for rows in bands { addBand(rows) }
        return pieces
    }

    private mutating func add(_ low: Int, _ high: Int, _ rows: Range<Int>, _ state: ClipState) {
        let rect = PixelRect(minX: low, minY: rows.lowerBound, maxX: high, maxY: rows.upperBound)
            .intersection(region.bounds)
        guard !rect.isEmpty, region.meets(rect) else { return }
        pieces.append(Piece(rect: rect, state: state))
    }

    // MARK: - Bands

    /// Bands of rows in the same corner zones and the same feathers of the top and bottom edges.
    private var bands: [Range<Int>] {
        var cuts: Set<Int> = [y.outerLow, y.innerLow, y.innerHigh, y.outerHigh]
        for position in CornerPosition.allCases {
            let zone = rows(of: position)
            cuts.formUnion([zone.lowerBound, zone.upperBound])
        }
        let (low, high) = (max(y.outerLow, region.bounds.minY), min(y.outerHigh, region.bounds.maxY))
        guard low < high else { return [] }
        let sorted = ([low] + cuts.filter { $0 > low && $0 < high } + [high]).sorted()
        return zip(sorted, sorted.dropFirst()).flatMap { start, end -> [Range<Int>] in
            let meetsCorner = CornerPosition.allCases.contains { rows(of: $0).overlaps(start..<end) }
            guard meetsCorner else { return [start..<end] }
            return stride(from: start, to: end, by: Self.bandHeight).map { $0..<min($0 + Self.bandHeight, end) }
        }
    }

    /// The rows of a corner's zone.
    private func rows(of position: CornerPosition) -> Range<Int> {
        let (rect, reach) = (outline.rect, outline.radii[position].y)
        if position.isTop {
            return y.outerLow..<max(y.innerLow, AxisBands.firstPixel(centeredAtLeast: rect.minY + reach + 0.5))
        }
        return min(y.innerHigh, AxisBands.firstPixel(centeredAbove: rect.maxY - reach - 0.5))..<y.outerHigh
    }

    /// The columns of a corner's zone.
    private func columns(of position: CornerPosition) -> Range<Int> {
        let (rect, reach) = (outline.rect, outline.radii[position].x)
        if position.isLeft {
            return x.outerLow..<max(x.innerLow, AxisBands.firstPixel(centeredAtLeast: rect.minX + reach + 0.5))
        }
        return min(x.innerHigh, AxisBands.firstPixel(centeredAbove: rect.maxX - reach - 0.5))..<x.outerHigh
    }

    private mutating func addBand(_ rows: Range<Int>) {
        let left = boundary(rows, isLeft: true)
        let right = boundary(rows, isLeft: false)
        add(region.bounds.minX, left.empty, rows, .outside)
        add(right.empty, region.bounds.maxX, rows, .outside)
        guard left.covered <= right.covered, !outline.isThin else {
            return add(left.empty, right.empty, rows, .corner)
        }
        add(left.empty, left.covered, rows, left.isCorner ? .corner : .singleEdge)
        add(right.covered, right.empty, rows, right.isCorner ? .corner : .singleEdge)
        let meetsEdge = rows.lowerBound < y.innerLow || rows.upperBound > y.innerHigh
        add(left.covered, right.covered, rows, meetsEdge ? .singleEdge : .noEdge)
    }

    // MARK: - Boundaries

    /// The two columns between which one side of a band goes from outside to inside. On the left, pixels before `empty`
    /// are not covered and pixels from `covered` on are; on the right it is the other way round.
    private struct Boundary {
        var empty: Int
        var covered: Int
        var isCorner: Bool
    }

    private func boundary(_ rows: Range<Int>, isLeft: Bool) -> Boundary {
        let corners = CornerPosition.allCases.filter { $0.isLeft == isLeft && self.rows(of: $0).overlaps(rows) }
        let edge =
            isLeft
            ? Boundary(empty: x.outerLow, covered: x.innerLow, isCorner: false)
            : Boundary(empty: x.outerHigh, covered: x.innerHigh, isCorner: false)
        guard !corners.isEmpty else { return edge }
        let each = corners.map { boundary(of: $0, rows) }
        let (empties, covereds) = (each.map { $0.empty }, each.map { $0.covered })
        let (empty, covered) =
            isLeft
            ? (empties.min() ?? 0, covereds.max() ?? 0) : (empties.max() ?? 0, covereds.min() ?? 0)
        // Where two corners meet, one may be outside before the other is inside.
        return isLeft
            ? Boundary(empty: min(empty, covered), covered: covered, isCorner: true)
            : Boundary(empty: max(empty, covered), covered: covered, isCorner: true)
    }

    /// A pixel's coverage is 1 if the square of half-width ½ about its centre is inside the curve, and 0 if that square is
    /// outside; both bounds err towards the corner shader.
    private func boundary(of position: CornerPosition, _ rows: Range<Int>) -> Boundary {
        let radius = outline.radii[position]
        let zone = columns(of: position)
        let centerY = position.isTop ? outline.rect.minY + radius.y : outline.rect.maxY - radius.y
        let (top, bottom) = (Double(rows.lowerBound), Double(rows.upperBound))
        // The band's extent away from the corner's centre.
        let outermost = position.isTop ? centerY - top : bottom - centerY
        let innermost = position.isTop ? centerY - bottom : top - centerY
        let inner = position.isLeft ? zone.upperBound : zone.lowerBound
        return Boundary(
            empty: innermost < radius.y ? column(of: position, at: innermost, isOutside: true) : inner,
            covered: outermost <= radius.y && radius.y > 0
                ? column(of: position, at: outermost, isOutside: false) : inner,
            isCorner: true)
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
