import LoupeBase
import LoupePlan

/// An outline as Bézier curves, or the curve at a distance outside of it.
///
/// Each corner is fitted by Hermite curves that are halved until their distance from the exact curve is small enough. That
/// distance is measured by `Outline.signedDistance`, which shares nothing with the fit.
struct OutlinePath {
    private let outline: Outline
    /// How far outside of the outline the curve lies, 0 or more.
    private let growth: Double
    /// The largest distance from the exact curve.
    private let tolerance: Double
    private var path = VectorPath()

    /// How often a corner's half is halved at most.
    private static let depth = 14

    /// - Parameters:
    ///   - growth: in the outline's unit, 0 or more.
    ///   - tolerance: in the outline's unit, above 0.
    static func path(of outline: Outline, grownBy growth: Double = 0, tolerance: Double) -> VectorPath {
        var maker = OutlinePath(outline: outline, growth: growth, tolerance: tolerance)
        maker.make()
        return maker.path
    }

    private init(outline: Outline, growth: Double, tolerance: Double) {
        (self.outline, self.growth, self.tolerance) = (outline, growth, tolerance)
    }

    private mutating func make() {
        // Clockwise on the screen, from the upper edge on.
        for position in [CornerPosition.topRight, .bottomRight, .bottomLeft, .topLeft] { append(position) }
        path.append(.close)
    }

    private mutating func append(_ position: CornerPosition) {
        let corner = PlacedQuarter(position, of: outline)
        // Every other corner is run through from its horizontal edge to its vertical one.
        let isForward = position == .topRight || position == .bottomLeft
        let (first, last) = isForward ? (0.0, 2.0) : (2.0, 0.0)
        let start = corner.knot(at: first, grownBy: growth)
        let edge = corner.edgeNormal(atStart: isForward)
        line(to: start.base + growth * edge)
        guard corner.hasCurve else {
            if growth > 0 { path.appendArc(about: start.base, from: edge, radius: growth, eighths: 2) }
            return
        }
        turn(about: start.base, from: edge, to: start.normal)
        fit(corner, from: first, to: 1, depth: Self.depth)
        fit(corner, from: 1, to: last, depth: Self.depth)
        let end = corner.knot(at: last, grownBy: growth)
        turn(about: end.base, from: end.normal, to: corner.edgeNormal(atStart: !isForward))
    }

    private mutating func line(to point: Point) {
        path.append(path.elements.isEmpty ? .move(point) : .line(point))
    }

    /// An arc about a vertex of the outline, as a bevel has.
    private mutating func turn(about vertex: Point, from start: Vector, to end: Vector) {
        let cosine = min(start.dot(end), 1)
        guard growth > 0, cosine < 1 - 1e-9 else { return }
        let reach = growth * 4 / 3 * tan(acos(cosine) / 4)
        let (from, to) = (vertex + growth * start, vertex + growth * end)
        path.append(.curve(from + reach * start.turned, to - reach * end.turned, to))
    }

    /// Appends curves for a part of a corner, from the path's end.
    private mutating func fit(_ corner: PlacedQuarter, from: Double, to: Double, depth: Int) {
        let (start, end) = (corner.knot(at: from, grownBy: growth), corner.knot(at: to, grownBy: growth))
        let middle = corner.knot(at: (from + to) / 2, grownBy: growth).point
        let curve = Hermite(from: start.point, start.normal.turned, to: end.point, end.normal.turned, through: middle)
        if let curve, depth == 0 || isNear(curve) {
            path.append(.curve(curve.first, curve.second, curve.end))
        } else if depth == 0 {
            path.append(.line(end.point))
        } else {
            fit(corner, from: from, to: (from + to) / 2, depth: depth - 1)
            fit(corner, from: (from + to) / 2, to: to, depth: depth - 1)
        }
    }

    private func isNear(_ curve: Hermite) -> Bool {
        (1..<8).allSatisfy { abs(outline.signedDistance(to: curve.point(at: Double($0) / 8)) + growth) <= tolerance }
    }
}

/// A cubic Bézier curve by its ends, the directions there, and the point at its middle.
private struct Hermite {
    let start, first, second, end: Point

    /// Nil where no such curve runs forward.
    init?(from start: Point, _ tangent: Vector, to end: Point, _ other: Vector, through middle: Point) {
        let between = 0.5 * (end - start)
        let rest = 8.0 / 3 * (middle - (start + between))
        let turn = Self.cross(tangent, other)
        let straight = (end - start).length / 3
        var (reach, back) = (straight, straight)
        if abs(turn) > 1e-9 { (reach, back) = (Self.cross(rest, other) / turn, Self.cross(rest, tangent) / turn) }
        guard reach >= 0, back >= 0, reach <= 6 * straight, back <= 6 * straight else { return nil }
        (self.start, self.end) = (start, end)
        (first, second) = (start + reach * tangent, end - back * other)
    }

    private static func cross(_ a: Vector, _ b: Vector) -> Double { a.dx * b.dy - a.dy * b.dx }

    func point(at t: Double) -> Point {
        let (a, b, c, d) = ((1 - t) * (1 - t) * (1 - t), 3 * (1 - t) * (1 - t) * t, 3 * (1 - t) * t * t, t * t * t)
        return Point(
            x: a * start.x + b * first.x + c * second.x + d * end.x,
            y: a * start.y + b * first.y + c * second.y + d * end.y)
    }
}

/// One corner of an outline: a quarter of a superellipse, run through by a number from 0, at its horizontal edge, to 2, at
/// its vertical one; 1 is on the diagonal.
private struct PlacedQuarter {
    private let center: Point
    private let outward: Vector
    private let radius: CornerRadius
    private let exponent: Double

    init(_ position: CornerPosition, of outline: Outline) {
        let rect = outline.rect
        radius = outline.radii[position]
        exponent = outline.exponent
        outward = Vector(dx: position.isLeft ? -1 : 1, dy: position.isTop ? -1 : 1)
        center = Point(
            x: position.isLeft ? rect.minX + radius.x : rect.maxX - radius.x,
            y: position.isTop ? rect.minY + radius.y : rect.maxY - radius.y)
    }

    /// Whether it is more than a point.
    var hasCurve: Bool { radius.x > 0 }

    /// The normal of the horizontal edge, or of the vertical one.
    func edgeNormal(atStart isHorizontal: Bool) -> Vector {
        isHorizontal ? Vector(dx: 0, dy: outward.dy) : Vector(dx: outward.dx, dy: 0)
    }

    /// A point of the outline, its normal, and the point at a distance along that.
    func knot(at position: Double, grownBy growth: Double) -> (base: Point, normal: Vector, point: Point) {
        guard hasCurve else { return (center, .zero, center) }
        let diagonal = exp2(-1 / exponent)
        let near = diagonal * (position <= 1 ? position : 2 - position)
        let far = pow(1 - pow(near, exponent), 1 / exponent)
        let (u, v) = position <= 1 ? (near, far) : (far, near)
        let slope = Vector(dx: pow(u, exponent - 1) / radius.x, dy: pow(v, exponent - 1) / radius.y)
        let unit = (1 / slope.length) * slope
        let normal = Vector(dx: outward.dx * unit.dx, dy: outward.dy * unit.dy)
        let base = Point(x: center.x + outward.dx * radius.x * u, y: center.y + outward.dy * radius.y * v)
        return (base, normal, base + growth * normal)
    }
}

extension Border {
    /// The border, or the curve at a distance outside of it, as Bézier curves within a tolerance, clockwise.
    func path(grownBy growth: Double = 0, tolerance: Double) -> VectorPath {
        OutlinePath.path(of: outline, grownBy: growth, tolerance: tolerance)
    }

    /// A disc is a square with round corners.
    var outline: Outline {
        switch self {
        case .outline(let outline): return outline
        case .disc(let disc):
            let rect = Rect(
                x: disc.center.x - disc.radius, y: disc.center.y - disc.radius, width: 2 * disc.radius,
                height: 2 * disc.radius)
            return Outline(rect: rect, radius: disc.radius, exponent: 2)
        }
    }
}

extension Outline {
    /// An outline that lies about as far inside this one: corners that are not round are a little nearer or farther.
    func inset(by distance: Double) -> Outline {
        let radii = CornerRadii {
            CornerRadius(x: max(0, self.radii[$0].x - distance), y: max(0, self.radii[$0].y - distance))
        }
        return Outline(rect: rect.inset(by: distance), radii: radii, exponent: exponent)
    }
}
