import LoupeBase
import LoupeScene

// What a placement sees of loupes: bodies that must not meet, and strips that connect them with what they show.

/// The points within `radius` of a rectangle: a disc where the rectangle is a point, a rectangle where the radius is 0.
struct PlacementBody {
    /// In canvas pixels.
    let center: Point
    /// Half the sides of the inner rectangle, in canvas pixels.
    let core: Vector
    /// In canvas pixels.
    let radius: Double

    /// A loupe where it is. A rectangle's rounded corners count as part of it.
    init(_ loupe: Loupe) {
        center = loupe.center
        switch loupe.shape {
        case .circle(let radius): (core, self.radius) = (.zero, radius)
        case .rectangle: (core, radius) = (loupe.halfSides, 0)
        }
    }

    /// What a loupe shows, with its ring.
    init(sourceOf loupe: Loupe, in scene: Scene) {
        let shape = PlacementBody(loupe)
        center = scene.shownFocus(of: loupe)
        core = (1 / loupe.zoom) * shape.core
        radius = shape.radius / loupe.zoom + (loupe.callout?.ring?.reach ?? 0)
    }

    init(_ rect: Rect) {
        (center, core, radius) = (rect.center, Vector(dx: rect.width / 2, dy: rect.height / 2), 0)
    }

    /// A point.
    init(at point: Point) { (center, core, radius) = (point, .zero, 0) }

    private init(center: Point, core: Vector, radius: Double) {
        (self.center, self.core, self.radius) = (center, core, radius)
    }

    func at(_ point: Point) -> PlacementBody { PlacementBody(center: point, core: core, radius: radius) }

    func widened(by margin: Double) -> PlacementBody {
        PlacementBody(center: center, core: core, radius: radius + margin)
    }

    /// Whether it differs from another one in its place alone.
    func hasShape(of other: PlacementBody) -> Bool { core == other.core && radius == other.radius }

    /// Half the width and half the height of its bounds, in canvas pixels.
    var halfSides: Vector { Vector(dx: core.dx + radius, dy: core.dy + radius) }

    /// In canvas pixels.
    var bounds: Rect {
        Rect(center: center, width: 2 * halfSides.dx, height: 2 * halfSides.dy)
    }

    /// Half its size across a direction, in canvas pixels.
    func reach(along unit: Vector) -> Double { abs(unit.dx) * core.dx + abs(unit.dy) * core.dy + radius }

    /// The distance between the borders of two bodies, in canvas pixels; negative where they overlap.
    func distance(to other: PlacementBody) -> Double {
        let across = abs(center.x - other.center.x) - core.dx - other.core.dx
        let down = abs(center.y - other.center.y) - core.dy - other.core.dy
        let apart =
            if across <= 0 || down <= 0 {
                max(across, down)
            } else {
                (across * across + down * down).squareRoot()
            }
        return apart - radius - other.radius
    }

    /// In square pixels.
    var area: Double { .pi * radius * radius + 4 * (core.dx * core.dy + radius * (core.dx + core.dy)) }
}

extension Loupe {
    /// Whether all of it lies beside a rectangle.
    func isBeside(_ rect: Rect) -> Bool { PlacementBody(self).distance(to: PlacementBody(rect)) >= 0 }
}

/// The strip between a source and its loupe that a connector takes.
struct PlacementStrip {
    let source: Point
    let loupe: Point
    /// Half its width at each end, in canvas pixels.
    private let (sourceReach, loupeReach): (Double, Double)
    private let isOneLine: Bool
    /// The part of the line between the centres that lies outside of both bodies.
    private let visible: ClosedRange<Double>
    /// The part that a body must not meet: with tangents of circles, which touch them beside that line, all of it.
    private let taken: ClosedRange<Double>
    /// Points of its two long sides, from the source to the loupe.
    private let sides: ((Point, Point), (Point, Point))

    /// Nil where there is no room for a connector.
    /// - Parameter width: of the line where it is one, in canvas pixels; nil for the tangents.
    init?(from source: PlacementBody, to loupe: PlacementBody, width: Double?) {
        let way = loupe.center - source.center
        let length = way.length
        guard length > 0, source.distance(to: loupe) > 0 else { return nil }
        let along = (1 / length) * way
        let (start, end) = (source.reach(along: along), loupe.reach(along: along))
        guard start + end < length else { return nil }
        visible = (start / length)...(1 - end / length)
        (self.source, self.loupe) = (source.center, loupe.center)
        let across = along.turned
        isOneLine = width != nil
        taken = isOneLine || source.core != .zero || loupe.core != .zero ? visible : 0...1
        if let width {
            (sourceReach, loupeReach) = (width / 2, width / 2)
        } else {
            (sourceReach, loupeReach) = (source.reach(along: across), loupe.reach(along: across))
        }
        // The normal of an outer tangent of two circles.
        let sine = ((sourceReach - loupeReach) / length).clamped(to: -1...1)
        let cosine = (1 - sine * sine).squareRoot()
        let (near, far) = (sine * along + cosine * across, sine * along - cosine * across)
        sides = (
            (source.center + sourceReach * near, loupe.center + loupeReach * near),
            (source.center + sourceReach * far, loupe.center + loupeReach * far)
        )
    }

    /// The connector of a loupe; nil where it has none.
    init?(connectorOf loupe: Loupe, in scene: Scene) {
        guard let shape = loupe.callout?.connector?.shape else { return nil }
        self.init(
            from: PlacementBody(sourceOf: loupe, in: scene), to: PlacementBody(loupe), width: shape.lineWidth)
    }

    /// In canvas pixels, between the borders.
    var length: Double { (visible.upperBound - visible.lowerBound) * source.distance(to: loupe) }

    /// How many lines are drawn: one, or two tangents.
    var lineCount: Int { isOneLine ? 1 : 2 }

    /// A point of one of its lines.
    /// - Parameter part: of the way from the source's border to the loupe's, 0 … 1.
    func point(_ part: Double, ofLine line: Int) -> Point {
        guard isOneLine else {
            let (start, end) = line == 0 ? sides.0 : sides.1
            return start + part * (end - start)
        }
        return source + (visible.lowerBound + part * (visible.upperBound - visible.lowerBound)) * (loupe - source)
    }

    /// Whether two connectors cross, or the straight lines between what they connect.
    func crosses(_ other: PlacementStrip) -> Bool {
        Self.cross(source, loupe, other.source, other.loupe)
            || [sides.0, sides.1].contains { side in
                Self.cross(side.0, side.1, other.sides.0.0, other.sides.0.1)
                    || Self.cross(side.0, side.1, other.sides.1.0, other.sides.1.1)
            }
    }

    private static func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        let (first, second) = ((b - a).turned, (d - c).turned)
        return first.dot(c - a) * first.dot(d - a) < 0 && second.dot(a - c) * second.dot(b - c) < 0
    }

    /// Whether a body lies on the connector, at least in part. The two bodies at its ends are not asked for.
    func meets(_ body: PlacementBody) -> Bool {
        let way = loupe - source
        let part = (way.dot(body.center - source) / way.dot(way)).clamped(to: taken)
        let nearest = source + part * way
        let reach = sourceReach + part * (loupeReach - sourceReach)
        return PlacementBody(at: nearest).distance(to: body) < reach
    }
}
