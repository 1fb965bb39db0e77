import LoupeBase
import LoupeScene
import Testing

/// What a picture says of itself where its author says nothing.
@Suite struct SpokenSceneTests {
    private func scene(_ origins: [Point], loupes: Int) -> Scene {
        let layers = origins.map { origin in
            Layer(content: .image(path: "page.png"), rect: Rect(x: origin.x, y: origin.y, width: 40, height: 30))
        }
        let all = (0..<loupes).map { Loupe(center: Point(x: 20 + 60 * Double($0), y: 15), radius: 6, zoom: 3) }
        return Scene(canvas: Scene.Canvas(width: 120, height: 90), layers: layers, loupes: all)
    }

    @Test func aPage() {
        let text = scene([.zero], loupes: 1).spoken
        #expect(text == "A page with a loupe: 3 times as large, upper left.")
    }

    /// Pages that are compared have the same loupes, so those of the first say all.
    @Test func pagesBesideAndBeneathEachOther() {
        let grid = [0.0, 60].flatMap { y in [0.0, 60].map { Point(x: $0, y: y) } }
        let text = scene(grid, loupes: 4).spoken
        #expect(text == "4 pages, each with a loupe: of the first, 3 times as large, upper left.")
    }

    /// They lie one over the other.
    @Test func layersOfOnePage() {
        let text = scene([.zero, .zero], loupes: 2).spoken
        #expect(text.hasPrefix("A page with 2 loupes: "))
    }
}
