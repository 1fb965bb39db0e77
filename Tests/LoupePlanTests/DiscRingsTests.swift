import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan

/// A disc's triangles, cut to blocks: no pixel is lost and none is drawn twice.
@Suite struct DiscRingsTests {
    private let canvas = PixelRect(width: 140, height: 130)

    /// Cuts a block at random until it has the number of parts.
    private func cut(_ block: PixelRect, into count: Int, _ random: inout SplitMix64) -> [PixelRect] {
        var parts = [block]
        while parts.count < count {
            let part = parts.remove(at: Int.random(in: 0..<parts.count, using: &random))
            var (first, second) = (part, part)
            if part.width > 1, Bool.random(using: &random) || part.height == 1 {
                first.maxX = Int.random(in: part.minX + 1..<part.maxX, using: &random)
                second.minX = first.maxX
            } else if part.height > 1 {
                first.maxY = Int.random(in: part.minY + 1..<part.maxY, using: &random)
                second.minY = first.maxY
            }
            parts += first == part ? [part] : [first, second]
        }
        return parts
    }

    /// How many triangles draw each pixel, as a rasteriser does it: a side that two triangles share belongs to one of them.
    private func drawings(_ region: MeshRegion, in blocks: [PixelRect]) -> [Int] {
        let corners = region.mesh(in: blocks, from: (0, 0)).map { SIMD2(Int($0.x * 16), Int($0.y * 16)) }
        var counts = [Int](repeating: 0, count: canvas.pixelCount)
        for start in stride(from: 0, to: corners.count, by: 3) {
            let triangle = RasterTriangle(corners[start], corners[start + 1], corners[start + 2])
            for (x, y) in triangle.pixels(in: canvas) { counts[y * canvas.maxX + x] += 1 }
        }
        return counts
    }

    @Test(arguments: 0..<30)
    func theDiscIsDrawnOnceAndItsBorderHoldsWhatIsNotItsInside(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let center = Point(x: .random(in: 60...80, using: &random), y: .random(in: 55...75, using: &random))
        let radius = Double.random(in: 3...60, using: &random)
        let rings = DiscRings(
            center: center, innerRadius: radius - .random(in: 0.5...6, using: &random), outerRadius: radius + 0.5)
        let disc = drawings(.disc(rings), in: cut(canvas, into: 60, &random))
        let border = drawings(.ring(rings.border), in: [canvas])
        #expect(border.allSatisfy { $0 <= 1 })
        for pixel in disc.indices {
            let (x, y) = (pixel % canvas.maxX, pixel / canvas.maxX)
            let distance = center.distance(to: Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
            #expect(disc[pixel] == 1 || disc[pixel] == 0 && distance > rings.outerRadius, "\(x),\(y)")
            if disc[pixel] == 1, distance > rings.innerRadius { #expect(border[pixel] == 1, "\(x),\(y)") }
        }
    }

    @Test func theBorderOfADiscIsNarrow() {
        let rings = DiscRings(center: Point(x: 70, y: 65), innerRadius: 49.5, outerRadius: 50.5)
        let count = drawings(.ring(rings.border), in: [canvas]).reduce(0, +)
        #expect(Double(count) < 2 * .pi * 50 * 2.2)
    }
}

/// A triangle on a grid of 16 places a pixel.
private struct RasterTriangle {
    private let corners: [SIMD2<Int>]

    init(_ a: SIMD2<Int>, _ b: SIMD2<Int>, _ c: SIMD2<Int>) {
        corners = Self.cross(b &- a, c &- a) < 0 ? [a, c, b] : [a, b, c]
    }

    private static func cross(_ a: SIMD2<Int>, _ b: SIMD2<Int>) -> Int { a.x * b.y - a.y * b.x }

    func pixels(in block: PixelRect) -> [(x: Int, y: Int)] {
        guard Self.cross(corners[1] &- corners[0], corners[2] &- corners[0]) > 0 else { return [] }
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let columns = max(block.minX, (xs.min() ?? 0) / 16 - 1)..<min(block.maxX, (xs.max() ?? 0) / 16 + 2)
        let rows = max(block.minY, (ys.min() ?? 0) / 16 - 1)..<min(block.maxY, (ys.max() ?? 0) / 16 + 2)
        return rows.flatMap { y in columns.map { (x: $0, y: y) } }.filter { draws(SIMD2($0.x * 16 + 8, $0.y * 16 + 8)) }
    }

    private func draws(_ place: SIMD2<Int>) -> Bool {
        (0..<3).allSatisfy { index in
            let (start, end) = (corners[index], corners[(index + 1) % 3])
            let side = end &- start
            let depth = Self.cross(side, place &- start)
            return depth > 0 || depth == 0 && (side.y < 0 || side.y == 0 && side.x > 0)
        }
    }
}
