import CMath
import LoupeGeometry
import LoupeScene

/// Finds the tangents of a ring's outer edge and a loupe's border by their directions.
///
/// In the direction n a convex outline reaches as far as its support h(n), the largest p·n of its points p; the ring's outer
/// edge, `ringWidth` outside of the source, as far as the source's and `ringWidth` more. Where both reach equally far, the
/// line across n that touches one touches the other. So the tangents lie where the loupe's lead, the difference
/// of both, changes its sign: nowhere if one outline holds the other, else mostly at two places.
struct TangentSearch {
    let source: Border
    let ringWidth: Double
    let loupe: Border

    /// What is less than this counts as nothing, in pixels: so that rounding decides neither whether an outline juts
    /// out of another one, nor whether two corners are one.
    static let tolerance = 1e-6
    /// How far a direction is turned either way to find both ends of a straight side, in radians.
    private static let turn = 1e-9
    /// Of the directions that are tried; those across straight edges are among them.
    private static let count = 1024

    var flanks: [OuterTangents.Flank] {
        let angles = (0..<Self.count).map { 2 * .pi * Double($0) / Double(Self.count) }
        let clear = angles.map { (angle: $0, lead: lead(at: $0)) }.filter { abs($0.lead) > Self.tolerance }
        let nexts = clear.dropFirst() + clear.prefix(1).map { (angle: $0.angle + 2 * .pi, lead: $0.lead) }
        let changes = zip(clear, nexts).filter { ($0.lead > 0) != ($1.lead > 0) }
        let flanks = changes.compactMap { flank(at: change(from: $0.angle, to: $1.angle), rises: $1.lead > 0) }
        return changes.count == 2 ? flanks : []
    }

    /// How much farther the loupe reaches in a direction than the ring's outer edge.
    private func lead(at angle: Double) -> Double {
        let way = loupe.touchPoint(at: angle) - source.touchPoint(at: angle)
        return way.dx * cos(angle) + way.dy * sin(angle) - ringWidth
    }

    /// Where the lead is 0, between two directions with leads of different signs.
    private func change(from start: Double, to end: Double) -> Double {
        var (low, high) = (start, end)
        let isAhead = lead(at: start) > 0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if (lead(at: middle) > 0) == isAhead { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// Nil where ring and loupe have sides on one line and overlap there.
    ///
    /// The lead's derivative is how much farther along the tangent, as its normal turns, the loupe is touched than the
    /// ring: so where it rises, the loupe lies that way. A straight side is touched at its end nearest to the other outline.
    private func flank(at angle: Double, rises: Bool) -> OuterTangents.Flank? {
        let normal = Vector(dx: cos(angle), dy: sin(angle))
        let direction = rises ? normal.turned : -normal.turned
        func place(_ point: Point) -> Double { direction.dx * point.x + direction.dy * point.y }
        let angles = [angle - Self.turn, angle + Self.turn]
        let starts = angles.map { source.touchPoint(at: $0) + ringWidth * normal }
        let ends = angles.map(loupe.touchPoint(at:))
        let start = place(starts[0]) > place(starts[1]) ? starts[0] : starts[1]
        let end = place(ends[0]) < place(ends[1]) ? ends[0] : ends[1]
        guard place(end) - place(start) > Self.tolerance else { return nil }
        return OuterTangents.Flank(normal: normal, direction: direction, start: start, end: end)
    }
}
