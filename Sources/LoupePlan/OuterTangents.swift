import LoupeBase
import LoupeScene

/// The two outer common tangents of a ring's outer edge and a loupe's border, found by their directions.
///
/// In the direction n a convex outline reaches as far as its support h(n), the largest p·n of its points p. The ring's
/// outer edge is `ringWidth` outside of the source, so its support is that of the source plus `ringWidth`. Where both
/// supports are equal, one line perpendicular to n touches both. So the tangents lie where the loupe's lead, the
/// difference of the two supports, changes its sign: nowhere if one outline contains the other, else mostly twice.
struct OuterTangents {
    /// One tangent, between its points of tangency.
    struct Flank {
        /// Outward, of length 1.
        let normal: Vector
        /// From the ring to the loupe, of length 1.
        let direction: Vector
        /// On the ring's outer edge.
        let start: Point
        /// On the loupe's border.
        let end: Point
    }

    private(set) var flanks: [Flank] = []
    private let source: Border
    private let ringWidth: Double
    private let loupe: Border

    /// Lengths below this, in pixels, are treated as 0. So rounding decides neither whether an outline reaches out of
    /// another one, nor whether two corners are the same.
    private static let tolerance = 1e-6
    /// How far a direction is turned either way to find both ends of a straight side, in radians.
    private static let turn = 1e-9
    /// The directions that are tried; the normals of straight edges are among them.
    private static let directions = (0..<1024).map { index in
        let angle = 2 * .pi * Double(index) / 1024
        return (angle: angle, normal: normal(at: angle))
    }

    /// Nil where one curve contains the other, and where they have more than two outer tangents.
    ///
    /// - Parameter width: the width of the ring about the source; 0 where there is none.
    init?(from source: Border, ringWidth width: Double, to loupe: Border) {
        (self.source, ringWidth, self.loupe) = (source, width, loupe)
        let leads = Self.directions.map { (angle: $0.angle, lead: lead(toward: $0.normal)) }
        let clear = leads.filter { abs($0.lead) > Self.tolerance }
        let nexts = clear.dropFirst() + clear.prefix(1).map { (angle: $0.angle + 2 * .pi, lead: $0.lead) }
        let changes = zip(clear, nexts).filter { ($0.lead > 0) != ($1.lead > 0) }
        guard changes.count == 2 else { return nil }
        flanks = changes.compactMap { flank(at: change(from: $0.angle, to: $1.angle), rises: $1.lead > 0) }
        guard flanks.count == 2 else { return nil }
    }

    /// How much farther the loupe reaches in a direction than the ring's outer edge.
    private func lead(toward normal: Vector) -> Double {
        let way = loupe.touchPoint(toward: normal) - source.touchPoint(toward: normal)
        return way.dx * normal.dx + way.dy * normal.dy - ringWidth
    }

    private static func normal(at angle: Double) -> Vector { Vector(dx: cos(angle), dy: sin(angle)) }

    /// Where the lead is 0, between two directions with leads of different signs.
    private func change(from start: Double, to end: Double) -> Double {
        var (low, high) = (start, end)
        func isAhead(at angle: Double) -> Bool { lead(toward: Self.normal(at: angle)) > 0 }
        let isAheadFirst = isAhead(at: start)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if isAhead(at: middle) == isAheadFirst { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// Nil where ring and loupe have sides on one line and overlap there.
    ///
    /// The lead's derivative is the distance, along the tangent, of the loupe's point of tangency from the ring's. So its
    /// sign gives the direction to the loupe. A straight side is touched at its end nearest to the other outline.
    private func flank(at angle: Double, rises: Bool) -> Flank? {
        let normal = Self.normal(at: angle)
        let direction = rises ? normal.turned : -normal.turned
        func position(_ point: Point) -> Double { direction.dx * point.x + direction.dy * point.y }
        let normals = [Self.normal(at: angle - Self.turn), Self.normal(at: angle + Self.turn)]
        let starts = normals.map { source.touchPoint(toward: $0) + ringWidth * normal }
        let ends = normals.map(loupe.touchPoint(toward:))
        let start = position(starts[0]) > position(starts[1]) ? starts[0] : starts[1]
        let end = position(ends[0]) < position(ends[1]) ? ends[0] : ends[1]
        guard position(end) - position(start) > Self.tolerance else { return nil }
        return Flank(normal: normal, direction: direction, start: start, end: end)
    }

    /// The distance between the points of tangency, on the tangent where it is shorter.
    var shortest: Double { flanks.map { $0.start.distance(to: $0.end) }.min() ?? 0 }

    /// A band along each tangent, between its points of tangency.
    func lines(width: Double) -> [ConvexPolygon] {
        flanks.map { flank in
            ConvexPolygon(sides: [
                HalfPlane(normal: -flank.normal, through: flank.start),
                HalfPlane(normal: flank.normal, through: flank.start - width * flank.normal),
                HalfPlane(normal: flank.direction, through: flank.start),
                HalfPlane(normal: -flank.direction, through: flank.end),
            ])
        }
    }

    /// The polygon between the tangents and the chords of their points of tangency.
    var cone: ConvexPolygon {
        let (first, last) = (flanks[0], flanks[1])
        let chords = [
            Self.chord(first.start, last.start, facing: first.end),
            Self.chord(first.end, last.end, facing: first.start),
        ]
        return ConvexPolygon(
            sides: flanks.map { HalfPlane(normal: -$0.normal, through: $0.start) } + chords.compactMap { $0 })
    }

    /// Nil where both tangents touch one point, a sharp corner: there is nothing to cut off.
    private static func chord(_ start: Point, _ end: Point, facing other: Point) -> HalfPlane? {
        let way = end - start
        guard way.length > tolerance else { return nil }
        let side = HalfPlane(normal: (1 / way.length) * way.turned, through: start)
        return side.depth(of: other) > 0 ? side : HalfPlane(normal: -side.normal, through: start)
    }
}
