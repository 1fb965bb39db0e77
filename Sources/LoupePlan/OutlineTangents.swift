import LoupeBase
import LoupeScene

/// An outline as the tangent lines that shaders measure distance to.
///
/// The outline is convex, so its signed distance, positive inside, is the least over all directions θ of h(θ) − p·n(θ),
/// where n is the unit normal and h the support function. The formula holds inside, outside, beyond the evolute and at the
/// kinks of a bevel alike. A finite set of directions errs by at most ρ·Δθ²/8, ρ being the radius of curvature; directions
/// are halved until that is below `tolerance`, and only where a pixel can see the curve. So d = minₖ gₖ over lines k.
///
/// Each quarter turn of directions belongs to one corner, whose curve is cut where its curvature is largest or smallest.
/// Within such a section let the lines be ordered so that the radius of curvature ρ falls, and let x be the slope of the
/// normal against the axis at which the quarter turn starts in that order. Then T(x), how far a point lies up the
/// tangent, is convex, as its second derivative is −ρ′(x)/√(1 + x²); g falls where T > 0; and T falls where the
/// point lies beyond the curve's centre of curvature along that axis. So T has at most one change from + to −, which
/// is the section's only minimum of g between its ends. Bisection finds it: it lies further on where T > 0 and T falls.
struct OutlineTangents: Hashable, Sendable {
    /// The line's signed distance a·x + b·y + c, positive inside; x and y from `origin`, in output pixels.
    struct Line: Hashable, Sendable {
        /// The coefficients of the distance, in output pixels.
        let a, b, c: Double
        /// The curve's centre of curvature along its section's axis.
        let turn: Double
    }

    /// The part of a corner's curve on one side of its turn.
    struct Section: Hashable, Sendable {
        /// Outward, ±1 each.
        let outward: Vector
        /// Only points whose outward coordinates are larger than these are near the section.
        let least: Vector
        /// Its lines, by decreasing radius of curvature.
        let lines: Range<Int>
        /// Whether the section's axis is vertical.
        let isVertical: Bool
    }

    /// The origin of x and y: a pixel's corner near the visible part, so that 32-bit floats are precise.
    let origin: Point
    /// The lines of all sections, one section after the other.
    let lines: [Line]
    /// At most two for each corner; those that no pixel is near are left out.
    let sections: [Section]

    /// The largest error of the distance, in output pixels. An 8-bit step of coverage is 0.004; in linear light a
    /// dark background makes 13 steps of one, and ten times as many tangents cost two halvings more.
    static let tolerance = 0.0002

    /// The lines that pixels of these blocks need.
    ///
    /// - Parameters:
    ///   - depth: Up to which distance inside the result has to be exact, in output pixels.
    ///   - reach: Up to which distance outside.
    ///   - tolerance: The largest error of the distance, in output pixels.
    init(
        of outline: Outline, seenIn blocks: [PixelRect], depth: Double = 0.5, reach: Double = 0.5,
        tolerance: Double = Self.tolerance
    ) {
        let sight = PixelRect.union(of: blocks)
        origin = Point(x: Double((sight.minX + sight.maxX) / 2), y: Double((sight.minY + sight.maxY) / 2))
        var fan = LineFan(blocks: blocks, origin: origin, depth: depth, reach: reach, tolerance: tolerance)
        for position in CornerPosition.allCases { fan.add(position, of: outline) }
        lines = fan.lines
        sections = fan.sections
    }
}

/// Halves the directions of each section until neighbouring tangents agree.
private struct LineFan {
    let blocks: [PixelRect]
    let origin: Point
    let depth: Double
    let reach: Double
    let tolerance: Double
    var lines: [OutlineTangents.Line] = []
    var sections: [OutlineTangents.Section] = []

    /// How far beyond `depth` and `reach` pixels are still counted as near, in output pixels.
    private static let margin = 1.5

    private typealias Tangent = (direction: Double, touch: Vector)

    mutating func add(_ position: CornerPosition, of outline: Outline) {
        let corner = PlacedCorner(position, of: outline)
        let curve = corner.curve
        let turn = curve.turn
        let start: Tangent = (0, Vector(dx: curve.radius.x, dy: 0))
        let end: Tangent = (.pi / 2, Vector(dx: 0, dy: curve.radius.y))
        let rises = curve.rises
        add(corner, from: start, to: turn, isRising: rises.before, least: Vector(dx: turn.touch.dx, dy: 0))
        add(corner, from: turn, to: end, isRising: rises.beyond, least: Vector(dx: 0, dy: turn.touch.dy))
    }

    private mutating func add(
        _ corner: PlacedCorner, from start: Tangent, to end: Tangent, isRising: Bool, least: Vector
    ) {
        let margin = Vector(dx: depth + Self.margin, dy: depth + Self.margin)
        let low = least - margin
        guard blocks.contains(where: { corner.meets($0, over: low) }) else { return }
        var tangents = [start]
        refine(corner, from: start, to: end, depth: 0, into: &tangents)
        let first = lines.count
        for tangent in isRising ? tangents.reversed() : tangents {
            lines.append(
                corner.line(
                    at: tangent.direction, touching: tangent.touch, from: origin, isVertical: isRising,
                    tolerance: tolerance))
        }
        sections.append(
            OutlineTangents.Section(
                outward: corner.outward, least: low - corner.offset(of: origin), lines: first..<lines.count,
                isVertical: isRising))
    }

    private func refine(
        _ corner: PlacedCorner, from start: Tangent, to end: Tangent, depth: Int, into tangents: inout [Tangent]
    ) {
        let step = end.direction - start.direction
        let chord = (end.touch - start.touch).length
        // ρ·Δθ is the arc's length; a pixel `reach` outside adds that to ρ.
        let error = (chord + reach * step) * step / 8
        if error > 2 * tolerance && depth < 40 && isSeen(corner, start.touch, end.touch) {
            let direction = (start.direction + end.direction) / 2
            let middle: Tangent = (
                direction, corner.curve.touchPoint(toward: Vector(dx: cos(direction), dy: sin(direction)))
            )
            refine(corner, from: start, to: middle, depth: depth + 1, into: &tangents)
            refine(corner, from: middle, to: end, depth: depth + 1, into: &tangents)
        } else {
            tangents.append(end)
        }
    }

    /// Whether the box of two touch points, in which the curve and both tangents lie between them, comes near any pixel.
    private func isSeen(_ corner: PlacedCorner, _ a: Vector, _ b: Vector) -> Bool {
        let distance = max(depth, reach) + Self.margin
        let (p, q) = (corner.point(at: a), corner.point(at: b))
        return blocks.contains { block in
            min(p.x, q.x) - distance <= Double(block.maxX) && max(p.x, q.x) + distance >= Double(block.minX)
                && min(p.y, q.y) - distance <= Double(block.maxY) && max(p.y, q.y) + distance >= Double(block.minY)
        }
    }
}

/// A corner's curve at its position.
struct PlacedCorner {
    let curve: QuarterCurve
    let center: Point
    /// ±1 each.
    let outward: Vector

    init(_ position: CornerPosition, of outline: Outline) {
        let radius = outline.radii[position]
        curve = QuarterCurve(radius: radius, exponent: outline.exponent)
        outward = Vector(dx: position.isLeft ? -1 : 1, dy: position.isTop ? -1 : 1)
        center = Point(
            x: position.isLeft ? outline.rect.minX + radius.x : outline.rect.maxX - radius.x,
            y: position.isTop ? outline.rect.minY + radius.y : outline.rect.maxY - radius.y)
    }

    /// (u, v), outward from the centre.
    func offset(of point: Point) -> Vector {
        Vector(dx: outward.dx * (point.x - center.x), dy: outward.dy * (point.y - center.y))
    }

    func point(at offset: Vector) -> Point {
        Point(x: center.x + outward.dx * offset.dx, y: center.y + outward.dy * offset.dy)
    }

    /// Whether some point of a block lies outward of `low`.
    func meets(_ block: PixelRect, over low: Vector) -> Bool {
        let a = offset(of: Point(x: Double(block.minX), y: Double(block.minY)))
        let b = offset(of: Point(x: Double(block.maxX), y: Double(block.maxY)))
        return max(a.dx, b.dx) > low.dx && max(a.dy, b.dy) > low.dy
    }

    func line(
        at direction: Double, touching touch: Vector, from origin: Point, isVertical: Bool, tolerance: Double
    ) -> OutlineTangents.Line {
        let (a, b) = (cos(direction), sin(direction))
        let start = offset(of: origin)
        let constant = curve.support(at: direction) - a * start.dx - b * start.dy
        let bend = curve.curvatureRadius(at: touch)
        let turn = isVertical ? touch.dy - bend * b - start.dy : touch.dx - bend * a - start.dx
        let isEdge = direction == 0 || direction == .pi / 2
        // Tangents lie outside the curve by up to twice the tolerance; half of that centres the error.
        return OutlineTangents.Line(
            a: -a * outward.dx, b: -b * outward.dy, c: constant - (isEdge ? 0 : tolerance),
            turn: turn.isNaN ? 0 : min(max(turn, -1e30), 1e30))
    }
}
