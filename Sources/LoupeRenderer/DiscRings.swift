import Glibc
import LoupeGeometry
import LoupeScene

/// A disc as two polygons around one centre, which share their directions.
///
/// Inside the inner polygon no pixel needs the disc's mask. The outer one holds every pixel whose
/// centre the disc reaches. Neighbouring triangles share their vertices, so that the rasteriser
/// gives each pixel to exactly one; where the polygons run decides only which shader draws a pixel,
/// never what it becomes.
struct DiscRings {
    let center: Point
    /// Of the inner polygon's vertices; 0 where there is no inner polygon.
    let innerRadius: Double
    /// The outer polygon contains the disc of this radius.
    let outerRadius: Double
    /// Where the outer polygon is centred: elsewhere only for a shadow.
    let outerCenter: Point
    private let directions: [Vector]

    init(center: Point, innerRadius: Double, outerRadius: Double, outerCenter: Point? = nil) {
        self.center = center
        self.innerRadius = max(0, innerRadius)
        self.outerRadius = outerRadius
        self.outerCenter = outerCenter ?? center
        // A side bulges r·(1 − cos(π/n)) from its arc: at most half a pixel.
        let sides = max(16, Int((.pi * outerRadius.squareRoot()).rounded(.up)))
        directions = (0..<sides).map { side in
            let angle = 2 * .pi * Double(side) / Double(sides)
            return Vector(dx: cos(angle), dy: sin(angle))
        }
    }

    /// The rings of a loupe: inside, neither rim nor feather is seen.
    init(of loupe: Loupe) {
        let plain = loupe.rim.map { loupe.radius - $0.width - 0.5 } ?? loupe.radius
        self.init(
            center: loupe.center, innerRadius: min(plain, loupe.radius - 0.5), outerRadius: loupe.radius + 0.5)
    }

    private var apothemFactor: Double { cos(.pi / Double(directions.count)) }

    /// The part of the inner polygon in a block.
    func interior(in rect: PixelRect) -> [ConvexPolygon] {
        guard innerRadius > 0, distance(to: rect) < innerRadius else { return [] }
        if farthest(of: rect) <= innerRadius * apothemFactor { return [ConvexPolygon(rect)] }
        let polygon = ConvexPolygon(directions.map { center + innerRadius * $0 })
        return [polygon.clipped(to: rect)]
    }

    /// The part between the polygons in a block, side by side.
    func ring(in rect: PixelRect) -> [ConvexPolygon] {
        if innerRadius > 0 && farthest(of: rect) <= innerRadius * apothemFactor { return [] }
        let reach = outerRadius / apothemFactor
        return directions.indices.compactMap { index in
            let next = directions[(index + 1) % directions.count]
            let outer = [outerCenter + reach * directions[index], outerCenter + reach * next]
            let inner =
                innerRadius > 0 ? [center + innerRadius * next, center + innerRadius * directions[index]] : [center]
            let clipped = ConvexPolygon(outer + inner).clippedIfNear(rect)
            return clipped.vertices.count < 3 ? nil : clipped
        }
    }

    private func distance(to rect: PixelRect) -> Double {
        let dx = max(Double(rect.minX) - center.x, 0, center.x - Double(rect.maxX))
        let dy = max(Double(rect.minY) - center.y, 0, center.y - Double(rect.maxY))
        return Vector(dx: dx, dy: dy).length
    }

    private func farthest(of rect: PixelRect) -> Double {
        let dx = max(abs(Double(rect.minX) - center.x), abs(Double(rect.maxX) - center.x))
        let dy = max(abs(Double(rect.minY) - center.y), abs(Double(rect.maxY) - center.y))
        return Vector(dx: dx, dy: dy).length
    }
}

extension ConvexPolygon {
    /// Clipped, with a quick look first: most sides of a ring lie far from most blocks.
    fileprivate func clippedIfNear(_ rect: PixelRect) -> ConvexPolygon {
        let isBeside =
            vertices.allSatisfy { $0.x <= Double(rect.minX) } || vertices.allSatisfy { $0.x >= Double(rect.maxX) }
            || vertices.allSatisfy { $0.y <= Double(rect.minY) } || vertices.allSatisfy { $0.y >= Double(rect.maxY) }
        return isBeside ? ConvexPolygon([]) : clipped(to: rect)
    }
}
