import LoupeBase
import LoupeScene

/// The line between the centres of a ring and its loupe, along which arrows are drawn.
struct CenterLine {
    /// From the ring to the loupe, of length 1.
    private let along: Vector
    /// Where the line leaves the ring's outer edge.
    private let tip: Point
    /// The loupe's centre.
    private let end: Point
    /// The length of the line between the ring's outer edge and the loupe's border, in pixels.
    private let room: Double

    /// Nil where there is no room between ring and loupe.
    ///
    /// - Parameter width: the width of the ring about the source; 0 where there is none.
    init?(from source: Border, ringWidth width: Double, to loupe: Border) {
        let way = loupe.center - source.center
        guard way.length > 0 else { return nil }
        along = (1 / way.length) * way
        let reach = source.reach(toward: along, grownBy: width)
        room = way.length - reach - loupe.reach(toward: -along)
        guard room > 0 else { return nil }
        tip = source.center + reach * along
        end = loupe.center
    }

    /// An arrow whose tip lies on the ring; nil where it would be shorter than twice its width.
    func arrow(width: Double) -> (shaft: ConvexPolygon, head: ConvexPolygon, hull: ConvexPolygon)? {
        guard room >= 2 * width else { return nil }
        let width = min(width, room / 4)
        // The head's sides have a slope of ½ against the line.
        let flanks = [along.turned, -along.turned].map {
            HalfPlane(normal: (1 / 1.25.squareRoot()) * (0.5 * along - $0), through: tip)
        }
        let base = HalfPlane(normal: -along, through: tip + (4 * width) * along)
        // The shaft begins within the head, so that no seam is visible.
        return (
            bar(width: width, from: tip + (2 * width) * along), ConvexPolygon(sides: flanks + [base]),
            bar(width: 4 * width, from: tip)
        )
    }

    /// The band about the line from the source's centre to the loupe's.
    func leader(from source: Point, width: Double) -> ConvexPolygon { bar(width: width, from: source) }

    /// A band about the line, from a point on it to the loupe's centre.
    private func bar(width: Double, from start: Point) -> ConvexPolygon {
        let sides = [along.turned, -along.turned].map { HalfPlane(normal: -$0, through: start + (width / 2) * $0) }
        return ConvexPolygon(
            sides: sides + [HalfPlane(normal: along, through: start), HalfPlane(normal: -along, through: end)])
    }
}
