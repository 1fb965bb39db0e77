import LoupeBase
import LoupeImaging
import TestSupport
import Testing

@testable import LoupeCompare

@Suite struct ChangedAreasTests {
    private static let size = ImageSize(width: 640, height: 400)

    /// The areas of a plain picture in which blocks are painted.
    private func areas(_ blocks: [PixelRect]) throws -> [PixelRect]? {
        let plain = PictureMaker.plain(Self.size.width, Self.size.height)
        var changed = plain
        for block in blocks {
            for y in block.minY..<block.maxY {
                for x in block.minX..<block.maxX { changed[x, y] = [1, 2, 3, 255] }
            }
        }
        return try Comparison().compare(reference: plain, actual: changed).changedAreas(atMost: 4)
    }

    @Test("At most four areas within the picture hold every pixel that differs", arguments: 0..<40)
    func coverage(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let blocks = (0..<Int.random(in: 1...30, using: &random)).map { _ in
            let (x, y) = (Int.random(in: 0..<630, using: &random), Int.random(in: 0..<390, using: &random))
            return PixelRect(
                minX: x, minY: y, maxX: min(640, x + Int.random(in: 1...30, using: &random)),
                maxY: min(400, y + Int.random(in: 1...30, using: &random)))
        }
        guard let areas = try areas(blocks) else { return #expect(blocks.count > 4) }
        #expect((1...4).contains(areas.count))
        let whole = PixelRect(width: Self.size.width, height: Self.size.height)
        #expect(areas.allSatisfy { $0.intersection(whole) == $0 })
        for block in blocks {
            #expect(areas.reduce([block]) { rest, area in rest.flatMap { $0.without(area) } }.isEmpty)
        }
    }

    @Test("Few changes are shown closely, and neither none nor those everywhere at all")
    func extremes() throws {
        let one = try #require(try areas([PixelRect(minX: 100, minY: 50, maxX: 101, maxY: 51)]))
        try #require(one.count == 1)
        #expect(one[0].width < 64 && one[0].height < 64)
        #expect(try areas([]) == [])
        #expect(try areas([PixelRect(width: 640, height: 400)]) == nil)
        let corners = [0, 630].flatMap { x in
            [0, 390].map { PixelRect(minX: x, minY: $0, maxX: x + 10, maxY: $0 + 10) }
        }
        #expect(try areas(corners)?.count == 4)
    }
}
