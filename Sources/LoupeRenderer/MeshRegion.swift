import LoupeGeometry

/// Which pixels of a block are drawn, as polygons.
enum MeshRegion {
    /// All of them.
    case block
    /// Those where a disc's mask is 1 and no rim is seen.
    case interior(DiscRings)
    /// The other pixels of a disc.
    case ring(DiscRings)

    func polygons(in rect: PixelRect) -> [ConvexPolygon] {
        switch self {
        case .block: [ConvexPolygon(rect)]
        case .interior(let rings): rings.interior(in: rect)
        case .ring(let rings): rings.ring(in: rect)
        }
    }
}

/// Triangles for the vertex buffer, in pixels of a target.
struct Mesh {
    private(set) var positions: [SIMD2<Float>] = []
    /// The canvas pixel that the target's pixel (0, 0) shows.
    let origin: Point

    init(origin: Point) { self.origin = origin }

    /// Adds the region's part of some blocks; returns where its vertices stand.
    mutating func add(_ region: MeshRegion, in rects: [PixelRect]) -> Range<Int> {
        let start = positions.count
        for rect in rects {
            for polygon in region.polygons(in: rect) { add(polygon) }
        }
        return start..<positions.count
    }

    private mutating func add(_ polygon: ConvexPolygon) {
        let corners = polygon.vertices.map { SIMD2(Float($0.x - origin.x), Float($0.y - origin.y)) }
        guard corners.count >= 3 else { return }
        for index in 1..<(corners.count - 1) {
            positions += [corners[0], corners[index], corners[index + 1]]
        }
    }
}
