import LoupeGeometry
import LoupeScene

/// The two lines that touch a ring's outer edge and a loupe's border and have both on the same side.
struct OuterTangents {
    /// One of them, between the points where it touches.
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

    let flanks: [Flank]

    /// Nil where one holds the other, and where they cross so that they have more than two such lines.
    ///
    /// - Parameter width: Of the ring about the source; 0 where there is none.
    init?(from source: Border, ringWidth width: Double, to loupe: Border) {
        let flanks =
            if case .disc(let source) = source, case .disc(let disc) = loupe {
                Self.flanks(from: Circle(center: source.center, radius: source.radius + width), to: disc)
            } else {
                TangentSearch(source: source, ringWidth: width, loupe: loupe).flanks
            }
        guard flanks.count == 2 else { return nil }
        self.flanks = flanks
    }

    /// None where one circle holds the other.
    ///
    /// With e the direction from the first centre to the second and D the distance between them, a tangent's outward
    /// normal n has n·e = (r − R)/D: on the way from one centre to the other the distance to the tangent shrinks by
    /// D·n·e, and it is r at first and R in the end.
    private static func flanks(from source: Circle, to disc: Circle) -> [Flank] {
        let way = disc.center - source.center
        let distance = way.length
        guard distance > abs(disc.radius - source.radius) else { return [] }
        let along = (1 / distance) * way
        let rise = (source.radius - disc.radius) / distance
        let run = (1 - rise * rise).squareRoot()
        return [along.turned, -along.turned].map { across in
            let normal = rise * along + run * across
            return Flank(
                normal: normal, direction: run * along - rise * across, start: source.center + source.radius * normal,
                end: disc.center + disc.radius * normal)
        }
    }

    /// A band along each tangent, from where that touches the ring to where it touches the loupe.
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

    /// What lies between the tangents and the chords between the points where they touch.
    var cone: ConvexPolygon {
        let (first, last) = (flanks[0], flanks[1])
        let chords = [
            Self.chord(first.start, last.start, facing: first.end),
            Self.chord(first.end, last.end, facing: first.start),
        ]
        return ConvexPolygon(
            sides: flanks.map { HalfPlane(normal: -$0.normal, through: $0.start) } + chords.compactMap { $0 })
    }

    /// Nil where both tangents touch in one point, a sharp corner: nothing is left to cut off there.
    private static func chord(_ start: Point, _ end: Point, facing other: Point) -> HalfPlane? {
        let way = end - start
        guard way.length > TangentSearch.tolerance else { return nil }
        let side = HalfPlane(normal: (1 / way.length) * way.turned, through: start)
        return side.depth(of: other) > 0 ? side : HalfPlane(normal: -side.normal, through: start)
    }
}
