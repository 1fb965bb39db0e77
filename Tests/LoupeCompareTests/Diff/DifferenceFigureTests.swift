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
            #expect(page.height > (count == 2 ? 0.6 : 0.3) * canvas.height)
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

    @Test("A figure of a narrow strip is at most twice as wide as high")
    func strip() throws {
        let canvas = try figure(3000, 40, [(1500, 20)]).scene.canvas
        #expect(canvas.width <= 2 * canvas.height)
    }

    @Test("A small place beside a large one is at least twice as large as on the page")
    func smallPlace() throws {
        let plain = PictureMaker.plain(640, 400)
        var changed = plain
        for y in 50..<200 { for x in 50..<350 { changed[x, y] = [1, 2, 3, 255] } }
        changed[600, 350] = [1, 2, 3, 255]
        let difference = try Comparison().compare(reference: plain, actual: changed)
        let layers = try DifferenceFigure(difference, expected: plain, actual: changed).scene.layers
        #expect((layers.last?.rect.width ?? 0) >= 1.99 * layers[0].rect.width)
    }

    @Test("Of many small places the four worst are shown, and the others counted")
    func manyPlaces() throws {
        let dots = (0..<100).map { (x: 20 + 120 * ($0 % 10), y: 20 + 75 * ($0 / 10)) }
        let plain = PictureMaker.plain(1280, 800)
        var changed = plain
        for dot in dots { changed[dot.x, dot.y] = [1, 2, 3, 255] }
        let difference = try Comparison().compare(reference: plain, actual: changed)
        let figure = try DifferenceFigure(difference, expected: plain, actual: changed).scene
        #expect(figure.labels.last?.text == "and 96 smaller places")
    }

    @Test("What moved is marked in both pictures, and what is gone is not said to have moved")
    func moves() throws {
        let plain = PictureMaker.plain(200, 100)
        var (before, after) = (plain, plain)
        // An L: with a part of it cut off, a shift would explain what is left.
        for y in 40..<60 {
            for x in 60..<80 where x < 64 || y > 55 {
                before[x, y] = [200, 0, 0, 255]
                after[x + 5, y + 2] = [200, 0, 0, 255]
            }
        }
        let moved = try Comparison().compare(reference: before, actual: after)
        let figure = try DifferenceFigure(moved, expected: before, actual: after).scene
        #expect(figure.labels.map(\.text).last == "1 actual: moved by (5, 2) px")
        let crops = figure.layers.filter { $0.crop != nil }
        // The part, what is in it, and in the second picture the line from where it was; each is white and coloured.
        #expect(crops.map(\.strokes.count) == [4, 6])
        let line = try #require(crops[1].strokes.last).points
        let outline = try #require(crops[1].strokes.dropLast(2).last).points
        #expect(line.allSatisfy { $0.x <= (outline.map(\.x).min() ?? 0) + 2 })
        // Crops are whole pixels high, so their pixels are not quite square.
        #expect(abs((line[1].x - line[0].x) / (line[1].y - line[0].y) - 2.5) < 0.01)
        let gone = try Comparison().compare(reference: before, actual: plain)
        let texts = try DifferenceFigure(gone, expected: before, actual: plain).scene.labels.map(\.text)
        #expect(texts.last == "1 actual: 144 pixels differ")
    }
}
