import LoupeGeometry

/// Which pixels of a block are drawn.
enum MeshRegion {
    /// All of them.
    case block
    /// Those where a disc's mask is 1 and no rim is seen.
    case interior(DiscRings)
    /// The other pixels of a disc.
    case ring(DiscRings)
    /// Those that lie in other blocks too, no two of which overlap.
    case blocks([PixelRect])
}

extension MeshRegion {
    /// What filling in vain may cost, in pixels: about as long as one more draw call with a scissor of its own.
    private static let fillOfADraw = 8192

    /// Fewer blocks that hold the same pixels and some more, where each block costs a draw call.
    func joining(_ blocks: [PixelRect]) -> [PixelRect] {
        if case .block = self { return blocks }
        var joined: [PixelRect] = []
        for block in blocks {
            var block = block
            while let index = joined.firstIndex(where: { Self.isWorthJoining($0, block) }) {
                block = .union(of: [joined.remove(at: index), block])
            }
            joined.append(block)
        }
        return joined
    }

    private static func isWorthJoining(_ one: PixelRect, _ other: PixelRect) -> Bool {
        PixelRect.union(of: [one, other]).pixelCount <= one.pixelCount + other.pixelCount + fillOfADraw
    }
}

/// Triangles for the vertex buffer, in pixels of a target.
struct Mesh {
    /// A run of vertices that one call draws.
    struct Run {
        let vertices: Range<Int>
        /// In pixels of the target; nil draws everywhere.
        let scissor: PixelRect?
    }

    private(set) var positions: [SIMD2<Float>] = []
    private(set) var runs: [Run] = []
    private let target: Target

    /// The region's part of some blocks, to be drawn onto a target.
    init(_ region: MeshRegion, in rects: [PixelRect], onto target: Target) {
        self.target = target
        switch region {
        case .block:
            addBlocks(rects)
        case .blocks(let blocks):
            addBlocks(rects.flatMap { rect in blocks.map(rect.intersection) }.filter { !$0.isEmpty })
        case .interior(let rings):
            let blocks = DiscBlocks(rects, of: rings)
            addBlocks(blocks.inside)
            for block in blocks.crossing { add(rings.interior(near: block), cutTo: block) }
        case .ring(let rings):
            for block in DiscBlocks(rects, of: rings).crossing { add(rings.ring(near: block), cutTo: block) }
        }
    }

    private mutating func addBlocks(_ rects: [PixelRect]) {
        for rect in rects {
            let (left, right) = (Float(rect.minX - target.x), Float(rect.maxX - target.x))
            let (top, bottom) = (Float(rect.minY - target.y), Float(rect.maxY - target.y))
            let corners = [SIMD2(left, top), SIMD2(right, top), SIMD2(left, bottom), SIMD2(right, bottom)]
            positions += [corners[0], corners[1], corners[2], corners[2], corners[1], corners[3]]
        }
        if !positions.isEmpty { runs.append(Run(vertices: 0..<positions.count, scissor: nil)) }
    }

    private mutating func add(_ triangles: [Triangle], cutTo rect: PixelRect) {
        guard !triangles.isEmpty else { return }
        let start = positions.count
        for triangle in triangles {
            positions += [place(triangle.a), place(triangle.b), place(triangle.c)]
        }
        let scissor = PixelRect(
            minX: rect.minX - target.x, minY: rect.minY - target.y, maxX: rect.maxX - target.x,
            maxY: rect.maxY - target.y)
        runs.append(Run(vertices: start..<positions.count, scissor: scissor))
    }

    private func place(_ point: Point) -> SIMD2<Float> {
        SIMD2(Float(point.x - Double(target.x)), Float(point.y - Double(target.y)))
    }
}
