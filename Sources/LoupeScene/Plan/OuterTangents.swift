import LoupeGeometry

/// The two lines that touch two circles and have both on the same side.
///
/// With e the direction from the first centre to the second and D the distance between them, a tangent's outward normal
/// n has n·e = (r − R)/D: on the way from one centre to the other the distance to the tangent shrinks by D·n·e, and it is
/// r at first and R in the end.
struct OuterTangents {
    private let source: Circle
    private let disc: Circle
    private let distance: Double
    /// From the source's centre to the disc's, of length 1.
    private let along: Vector
    /// Across `along`.
    private let across: Vector
    /// n·e, and the size of the rest of n.
    private let rise: Double
    private let run: Double

    /// Nil where one circle holds the other.
    init?(from source: Circle, to disc: Circle) {
        let way = disc.center - source.center
        distance = way.length
        guard distance > abs(disc.radius - source.radius) else { return nil }
        self.source = source
        self.disc = disc
        along = (1 / distance) * way
        across = Vector(dx: -along.dy, dy: along.dx)
        rise = (source.radius - disc.radius) / distance
        run = (1 - rise * rise).squareRoot()
    }

    /// A band along each tangent, from where that touches one circle to where it touches the other.
    func lines(width: Double) -> [ConvexPolygon] {
        [across, -across].map { across in
            let normal = rise * along + run * across
            let direction = run * along - rise * across
            let start = source.center + source.radius * normal
            return ConvexPolygon(sides: [
                HalfPlane(normal: -normal, through: start),
                HalfPlane(normal: normal, through: start - width * normal),
                HalfPlane(normal: direction, through: source.center),
                HalfPlane(normal: -direction, through: disc.center),
            ])
        }
    }

    /// What lies between the tangents and the chords between the points where they touch.
    var cone: ConvexPolygon {
        let flanks = [across, -across].map { across in
            let normal = rise * along + run * across
            return HalfPlane(normal: -normal, through: source.center + source.radius * normal)
        }
        return ConvexPolygon(
            sides: flanks + [
                HalfPlane(normal: along, through: source.center + (source.radius * rise) * along),
                HalfPlane(normal: -along, through: disc.center + (disc.radius * rise) * along),
            ])
    }

    /// Nil where the circles leave no room between them.
    func arrow(width: Double) -> (shaft: ConvexPolygon, head: ConvexPolygon, hull: ConvexPolygon)? {
        let room = distance - disc.radius - source.radius
        guard room > 0 else { return nil }
        let width = min(width, room / 4)
        let tip = source.center + source.radius * along
        // The head's flanks rise by half of the way from its tip.
        let flanks = [across, -across].map {
            HalfPlane(normal: (1 / 1.25.squareRoot()) * (0.5 * along - $0), through: tip)
        }
        let base = HalfPlane(normal: -along, through: tip + (4 * width) * along)
        return (
            // It begins within the head, so that no seam shows.
            shaft: bar(width: width, from: tip + (2 * width) * along), head: ConvexPolygon(sides: flanks + [base]),
            hull: bar(width: 4 * width, from: tip)
        )
    }

    /// A band about the line between the centres, from a point on it to the disc's centre.
    private func bar(width: Double, from start: Point) -> ConvexPolygon {
        ConvexPolygon(
            sides: [across, -across].map { HalfPlane(normal: -$0, through: start + (width / 2) * $0) } + [
                HalfPlane(normal: along, through: start), HalfPlane(normal: -along, through: disc.center),
            ])
    }
}
