import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupeCompare

/// The layout of the figure of what changed.
@Suite struct DifferenceFigureTests {
    /// The figure of a plain picture in which squares of 3 pixels are painted.
    private func figure(_ width: Int, _ height: Int, _ squares: [(x: Int, y: Int)]) throws -> DifferenceFigure {
        let plain = PictureMaker.plain(width, height)
        var changed = plain
        for (index, square) in squares.enumerated() {
            for y in square.y..<square.y + 3 {
                // The first changes least.
                for x in square.x..<square.x + 3 + index { changed[x, y] = [1, 2, 3, 255] }
            }
        }
        let difference = try Comparison().compare(reference: plain, actual: changed)
        return try DifferenceFigure(difference, expected: plain, actual: changed)
    }

    private static let squares = [(40, 30), (300, 90), (90, 200), (410, 260), (200, 40), (330, 190), (30, 280)]

    /// Such as a screenshot of a whole page on a phone.
    @Test func aTallPictureHasAFigureThatCanBeDrawn() throws {
        let canvas = try figure(390, 8000, Array(Self.squares.prefix(1))).scene.canvas
        #expect(Scene.Canvas.sideRange.contains(canvas.height))
    }

    @Test(
        "A figure is at most twice as wide as high, its crops have one size and leave the picture room",
        arguments: 1...7)
    func proportions(count: Int) throws {
        for (width, height) in [(480, 320), (480, 300), (460, 900)] {
            let scene = try figure(width, height, Array(Self.squares.prefix(count))).scene
            let canvas = (width: Double(scene.canvas.width), height: Double(scene.canvas.height))
            #expect(canvas.width <= 2 * canvas.height)
            let crops = scene.layers.compactMap(\.crop)
            #expect(crops.count == 2 * min(count, 4))
            #expect(Set(crops.map { "\($0.width) \($0.height)" }).count == 1)
            #expect(crops.allSatisfy { $0.maxX <= canvas.width })
            #expect(crops.allSatisfy { $0.maxY <= canvas.height })
            let page = try #require(scene.layers.first).rect
            #expect(page.width > 0.9 * canvas.width, "no thumbnail")
            #expect(page.height > 0.3 * canvas.height)
            #expect(crops.allSatisfy { $0.y > page.maxY })
        }
    }

    @Test("Places are in the order of how much differs, and those that are not shown are counted")
    func order() throws {
        let texts = try figure(480, 320, Self.squares).scene.labels.map(\.text)
        #expect(texts.contains("1 actual: 27 pixels differ"))
        #expect(texts.contains("4 actual: 18 pixels differ"))
        #expect(texts.last == "and 3 smaller places")
        let few = try figure(480, 320, Array(Self.squares.prefix(2))).scene.labels.map(\.text)
        #expect(
            few == ["Expected", "1 expected", "1 actual: 12 pixels differ", "2 expected", "2 actual: 9 pixels differ"])
    }
}
