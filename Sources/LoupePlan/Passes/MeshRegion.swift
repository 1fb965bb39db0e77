import LoupeBase
import LoupeScene

/// The pixels of a block that are drawn.
enum MeshRegion {
    /// All of them.
    case block
    /// Those of a disc, each once, and few beyond it.
    case disc(DiscRings)
    /// Those of a disc's border.
    case ring(DiscRings)
    /// Those that lie in other blocks too, no two of which overlap.
    case blocks([PixelRect])
}

extension MeshRegion {
    /// The region's part of some blocks for the vertex buffer: three corners a triangle, in pixels from `origin`.
    func mesh(in rects: [PixelRect], from origin: (x: Int, y: Int)) -> [SIMD2<Float>] {
        let origin = SIMD2(Double(origin.x), Double(origin.y))
        return rects.flatMap(triangles).flatMap { triangle in
            [triangle.a, triangle.b, triangle.c].map { SIMD2<Float>($0 - origin) }
        }
    }

    private func triangles(in rect: PixelRect) -> [Triangle] {
        switch self {
        case .block: GridPolygon(rect).triangles
        case .blocks(let blocks):
            blocks.map(rect.intersection).filter { !$0.isEmpty }.flatMap { GridPolygon($0).triangles }
        case .disc(let rings): rings.disc(in: rect)
        case .ring(let rings): rings.ring(in: rect)
        }
    }
}

/// A disc as triangles, and its border: a ring between two polygons.
///
/// Inside the inner polygon no pixel needs the disc's mask. The outer one holds every pixel whose centre lies in the disc.
/// The polygons decide which shader draws a pixel, never its colour: every mask is computed from the pixel's position.
struct DiscRings {
    let center: Point
    /// The radius of the inner polygon's corners; 0 where there is no inner polygon.
    let innerRadius: Double
    /// The outer polygon contains the disc of this radius.
    let outerRadius: Double
    private let margin: Double
    /// The centre of the outer polygon, which differs from `center` only for a shadow.
    private let outerCenter: Point
    /// How much nearer than its corners a polygon's sides come to its centre.
    private let apothemFactor: Double
    private let inner: [SIMD2<Double>]
    private let outer: [SIMD2<Double>]

    /// - Parameter margin: by how much the outer polygon is larger all around.
    init(center: Point, innerRadius: Double, outerRadius: Double, outerCenter: Point? = nil, margin: Double = 0) {
        self.center = center
        self.innerRadius = max(0, innerRadius)
        self.outerRadius = outerRadius
        self.outerCenter = outerCenter ?? center
        self.margin = margin
        // A side bulges r·(1 − cos(π/n)) from its arc: at most half a pixel.
        let sides = max(16, Int((.pi * outerRadius.squareRoot()).rounded(.up)))
        let directions = (0..<sides).map { side in
            let angle = 2 * .pi * Double(side) / Double(sides)
            return Vector(dx: cos(angle), dy: sin(angle))
        }
        // Snapping and cutting move a side by less than two steps, so the polygons keep that distance.
        let inside = max(0, innerRadius - 2 * SubpixelGrid.step)
        apothemFactor = cos(.pi / Double(sides))
        let outside = outerRadius / apothemFactor + 2 * SubpixelGrid.step + margin
        inner = directions.map { SubpixelGrid.snapped(center + inside * $0) }
        outer = directions.map { [outerCenter = self.outerCenter] in SubpixelGrid.snapped(outerCenter + outside * $0) }
    }

    /// The rings of a loupe. Inside the inner one neither rim nor feather shows.
    init(of loupe: Loupe) {
        self.init(center: loupe.center, innerRadius: loupe.plainRadius, outerRadius: loupe.radius + 0.5)
    }

    /// A ring that holds every pixel of the disc but those inside, however each of the two is cut to blocks.
    var border: DiscRings {
        DiscRings(
            center: center, innerRadius: innerRadius, outerRadius: outerRadius, margin: 4 * SubpixelGrid.step)
    }

    /// The part of the disc that lies in a block; without corners where none does.
    func polygon(in block: PixelRect) -> GridPolygon {
        guard !isOutside(block) else { return GridPolygon(corners: []) }
        if isInside(block) { return GridPolygon(block) }
        return GridPolygon(corners: outer).cut(to: block).withoutDents
    }

    /// The part of the disc that lies in a block, as triangles.
    func disc(in block: PixelRect) -> [Triangle] { polygon(in: block).triangles }

    /// The part of the ring that lies in a block.
    func ring(in block: PixelRect) -> [Triangle] {
        guard !isInside(block), !isOutside(block) else { return [] }
        return inner.indices.flatMap { index in
            let next = (index + 1) % inner.count
            return [
                Triangle(a: inner[index], b: outer[index], c: outer[next]),
                Triangle(a: inner[index], b: outer[next], c: inner[next]),
            ].filter { $0.isNear(block) }.flatMap { GridPolygon(corners: [$0.a, $0.b, $0.c]).cut(to: block).triangles }
        }
    }

    /// Whether a block lies wholly in the inner polygon.
    private func isInside(_ block: PixelRect) -> Bool {
        let dx = max(abs(Double(block.minX) - center.x), abs(Double(block.maxX) - center.x))
        let dy = max(abs(Double(block.minY) - center.y), abs(Double(block.maxY) - center.y))
        return Vector(dx: dx, dy: dy).length < (innerRadius - 3 * SubpixelGrid.step) * apothemFactor
    }

    /// Whether no pixel of a block lies in the outer polygon.
    private func isOutside(_ block: PixelRect) -> Bool {
        let dx = max(Double(block.minX) - outerCenter.x, outerCenter.x - Double(block.maxX), 0)
        let dy = max(Double(block.minY) - outerCenter.y, outerCenter.y - Double(block.maxY), 0)
        return Vector(dx: dx, dy: dy).length > outerRadius / apothemFactor + 3 * SubpixelGrid.step + margin
    }
}

extension Loupe {
    /// Nearer to the centre than this, neither rim nor feather shows.
    var plainRadius: Double { radius - max(rim?.width ?? 0, 0) - 0.5 }
}
