import LoupeBase
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// What of the base view must be drawn anew when strokes change.
@Suite struct DamageRectTests {
    private let first = Stroke(points: [Point(x: 20, y: 20), Point(x: 40, y: 30)], width: 4)
    private let second = Stroke(
        points: [Point(x: 100, y: 100), Point(x: 120, y: 110), Point(x: 130, y: 140)], width: 2)

    private func scene(_ strokes: [Stroke], opacity: Double = 1, loupes: [Loupe] = []) -> Scene {
        let page = Layer(
            content: .fill(.defaultBackground), rect: Rect(x: 0, y: 0, width: 200, height: 200), opacity: opacity,
            strokes: strokes)
        return Scene(canvas: .init(width: 200, height: 150), layers: [page], loupes: loupes)
    }

    @Test func nothingIsDrawnAnewWhereOnlyLoupesChange() {
        let loupe = Loupe(center: .zero, radius: 9, zoom: 2)
        #expect(scene([first], loupes: [loupe]).damageRect(since: scene([first]))?.isEmpty == true)
    }

    @Test func whatElseChangesIsNoChangeOfInk() {
        #expect(scene([first], opacity: 0.5).damageRect(since: scene([first])) == nil)
        var other = scene([first])
        other.layers.append(other.layers[0])
        #expect(other.damageRect(since: scene([first])) == nil)
        other = scene([first])
        other.canvas.width = 300
        #expect(other.damageRect(since: scene([first])) == nil)
    }

    @Test func anAppendedStrokeIsDrawnWithinItsOwnBounds() {
        let block = PixelRect(minX: 98, minY: 98, maxX: 132, maxY: 142)
        #expect(scene([first, second]).damageRect(since: scene([first])) == block)
        #expect(scene([first]).damageRect(since: scene([first, second])) == block)
    }

    @Test func aStrokeThatGrowsIsDrawnFromTheLastPointThatItHad() {
        var grown = second
        grown.points.append(Point(x: 135, y: 145))
        #expect(
            scene([first, grown]).damageRect(since: scene([first, second]))
                == PixelRect(minX: 128, minY: 138, maxX: 137, maxY: 147))
    }

    @Test func aStrokeOfAnotherColourIsDrawnWholeWithAllAfterIt() {
        var recolored = first
        recolored.color = .defaultRim
        #expect(
            scene([recolored, second]).damageRect(since: scene([first, second]))
                == PixelRect(minX: 17, minY: 17, maxX: 132, maxY: 142))
    }

    @Test func changesOffTheCanvasAreNone() {
        let off = Stroke(points: [Point(x: 500, y: 500)], width: 4)
        #expect(scene([first, off]).damageRect(since: scene([first]))?.isEmpty == true)
    }
}
