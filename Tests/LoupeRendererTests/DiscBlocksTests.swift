import LoupeGeometry
import TestSupport
import Testing

@testable import LoupeRenderer

/// Blocks of a disc cut anew: the same pixels of the disc, in fewer blocks that its border crosses.
@Suite struct DiscBlocksTests {
    private let rings = DiscRings(center: Point(x: 70.3, y: 64.8), innerRadius: 59.5, outerRadius: 60.5)
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

    private func holders(of x: Int, _ y: Int, among blocks: [PixelRect]) -> Int {
        blocks.count { $0.minX <= x && x < $0.maxX && $0.minY <= y && y < $0.maxY }
    }

    @Test(arguments: 0..<20)
    func everyPixelOfTheDiscStaysInOneBlockAndNoneIsAdded(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let given = cut(canvas, into: 40, &random).filter { _ in Bool.random(using: &random) }
        let blocks = DiscBlocks(given, of: rings)
        #expect(blocks.inside.allSatisfy(rings.isInside))
        for y in 0..<canvas.maxY {
            for x in 0..<canvas.maxX {
                let here = holders(of: x, y, among: blocks.inside + blocks.crossing)
                let before = holders(of: x, y, among: given)
                let distance = (Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - rings.center).length
                #expect(distance < rings.outerRadius ? here == before : here <= before, "\(x),\(y)")
            }
        }
    }

    @Test func bandsOfACornerBecomeOneTallBlockAndRestsInside() {
        let bands = (0..<7).map { band in
            PixelRect(minX: 30 + 4 * band, minY: 20 + 10 * band, maxX: 140, maxY: 30 + 10 * band)
        }
        let blocks = DiscBlocks(bands, of: rings)
        #expect(bands.count { !rings.isInside($0) } == 7)
        #expect(blocks.crossing.count <= 2)
    }
}
