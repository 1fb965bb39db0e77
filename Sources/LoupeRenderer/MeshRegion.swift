import LoupeGeometry

/// Which pixels of a block are drawn.
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
