import Glibc
import LoupeGeometry
import LoupeScene

/// A disc as triangles: an inner polygon, and a ring from it to an outer one.
///
/// Inside the inner polygon no pixel needs the disc's mask. The outer one holds every pixel whose
/// centre the disc reaches. Neighbouring triangles share their corners and are never cut, only
/// scissored, so the rasteriser gives each pixel to exactly one of them, the same one in every
/// draw. Where the polygons run decides which shader draws a pixel, never what it becomes.
struct DiscRings {
    let center: Point
    /// Of the inner polygon's corners; 0 where there is no inner polygon.
    let innerRadius: Double
    /// The outer polygon contains the disc of this radius.
    let outerRadius: Double
    /// Where the outer polygon is centred: elsewhere only for a shadow.
    let outerCenter: Point
    private let inner: [Point]
    private let outer: [Point]

    init(center: Point, innerRadius: Double, outerRadius: Double, outerCenter: Point? = nil) {
        self.center = center
        self.innerRadius = max(0, innerRadius)
        self.outerRadius = outerRadius
        self.outerCenter = outerCenter ?? center
        // A side bulges r·(1 − cos(π/n)) from its arc: at most half a pixel.
        let sides = max(16, Int((.pi * outerRadius.squareRoot()).rounded(.up)))
        let directions = (0...sides).map { side in
            let angle = 2 * .pi * Double(side % sides) / Double(sides)
            return Vector(dx: cos(angle), dy: sin(angle))
        }
        apothemFactor = cos(.pi / Double(sides))
        // Snapping moves a corner by less than a step: the polygons give way by as much.
        let (inside, outside) = (max(0, innerRadius - Self.step), outerRadius / apothemFactor + Self.step)
        inner = directions.map { [center] in Self.snapped(center + inside * $0) }
        outer = directions.map { [outerCenter = self.outerCenter] in Self.snapped(outerCenter + outside * $0) }
    }

    /// The coarsest subpixel grid that OpenGL ES allows, in pixels. A corner on it stays the same corner in
    /// every target, wherever that lies and however large it is; any other could be rounded to different points.
    private static let step = 1.0 / 16

    private static func snapped(_ point: Point) -> Point {
        Point(x: (point.x / step).rounded() * step, y: (point.y / step).rounded() * step)
    }

    /// The rings of a loupe: inside, neither rim nor feather is seen.
    init(of loupe: Loupe) {
        let plain = loupe.rim.map { loupe.radius - $0.width - 0.5 } ?? loupe.radius
        self.init(
            center: loupe.center, innerRadius: loupe.isJoinedFirst ? 0 : min(plain, loupe.radius - 0.5),
            outerRadius: loupe.radius + 0.5)
    }

    /// How much nearer than its corners a polygon's sides come to the centre.
    private let apothemFactor: Double

    /// Whether a block lies wholly in the inner polygon.
    func isInside(_ rect: PixelRect) -> Bool {
        let dx = max(abs(Double(rect.minX) - center.x), abs(Double(rect.maxX) - center.x))
        let dy = max(abs(Double(rect.minY) - center.y), abs(Double(rect.maxY) - center.y))
        return Vector(dx: dx, dy: dy).length < (innerRadius - 2 * Self.step) * apothemFactor
    }

    /// Whether no pixel of a block lies in the outer polygon.
    func isOutside(_ rect: PixelRect) -> Bool {
        let dx = max(Double(rect.minX) - outerCenter.x, outerCenter.x - Double(rect.maxX), 0)
        let dy = max(Double(rect.minY) - outerCenter.y, outerCenter.y - Double(rect.maxY), 0)
        return Vector(dx: dx, dy: dy).length > outerRadius / apothemFactor + 2 * Self.step
    }

    /// The triangles of the inner polygon that come near a block.
    func interior(near rect: PixelRect) -> [Triangle] {
        guard innerRadius > 0 else { return [] }
        var triangles: [Triangle] = []
        let third = (inner.count - 1) / 3
        addCap(from: 0, to: third, &triangles)
        addCap(from: third, to: 2 * third, &triangles)
        addCap(from: 2 * third, to: inner.count - 1, &triangles)
        triangles.append(Triangle(a: inner[0], b: inner[third], c: inner[2 * third]))
        return triangles.filter { $0.isNear(rect) }
    }

    /// The part of the inner polygon beyond the chord of two corners: the largest triangle first, then
    /// what is left on either side. Compact triangles leave a tiling rasteriser few tiles that are partly covered.
    private func addCap(from first: Int, to last: Int, _ triangles: inout [Triangle]) {
        guard last - first > 1 else { return }
        let middle = (first + last) / 2
        triangles.append(Triangle(a: inner[first], b: inner[middle], c: inner[last]))
        addCap(from: first, to: middle, &triangles)
        addCap(from: middle, to: last, &triangles)
    }

    /// The triangles between the polygons that come near a block.
    func ring(near rect: PixelRect) -> [Triangle] {
        inner.indices.dropLast().flatMap { index in
            [
                Triangle(a: inner[index], b: outer[index], c: outer[index + 1]),
                Triangle(a: inner[index], b: outer[index + 1], c: inner[index + 1]),
            ].filter { $0.isNear(rect) }
        }
    }
}

/// Three corners in output pixels.
struct Triangle {
    let a, b, c: Point

    /// Whether the triangle's bounds meet a block's.
    func isNear(_ rect: PixelRect) -> Bool {
        min(a.x, b.x, c.x) < Double(rect.maxX) && max(a.x, b.x, c.x) > Double(rect.minX)
            && min(a.y, b.y, c.y) < Double(rect.maxY) && max(a.y, b.y, c.y) > Double(rect.minY)
    }
}
