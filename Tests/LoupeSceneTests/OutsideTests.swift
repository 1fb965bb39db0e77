import LoupeBase
import Testing

@testable import LoupeScene

/// How a view is held on the page, and which filter a size of texels gets.
@Suite struct OutsideTests {
    private let layers = [
        Layer(content: .fill(.defaultInk), rect: Rect(x: 20, y: 10, width: 100, height: 40)),
        Layer(
            content: .fill(.defaultInk), rect: Rect(x: -900, y: -900, width: 5000, height: 5000),
            crop: Rect(x: 60, y: 30, width: 140, height: 60)),
    ]

    private func shown(_ x: Double, _ y: Double, radius: Double = 40, outside: Outside = .clamp) -> Point {
        let focus = Point(x: x, y: y)
        let loupe = Loupe(center: .zero, radius: radius, zoom: 4, focus: focus, outside: outside)
        return Scene(canvas: .init(width: 300, height: 200), layers: layers, loupes: [loupe]).shownFocus(of: loupe)
    }

    @Test func theSourceStaysWithinTheLayersBounds() {
        // Together the layers reach from 20 to 200 and from 10 to 90; the source's radius is 10.
        #expect(shown(-50, 500) == Point(x: 30, y: 80))
        #expect(shown(1000, -3) == Point(x: 190, y: 20))
        #expect(shown(77.5, 33.25) == Point(x: 77.5, y: 33.25))
    }

    @Test func aSourceThatIsTooLargeLooksAtTheMiddle() {
        #expect(shown(-50, 500, radius: 200) == Point(x: 70, y: 50))
        #expect(shown(-50, 500, radius: 400) == Point(x: 110, y: 50))
    }

    @Test func aRectangleIsHeldByItsOwnSides() {
        let shape = Loupe.Shape.rectangle(.init(width: 80, height: 40))
        let loupe = Loupe(center: .zero, shape: shape, zoom: 4, focus: Point(x: -50, y: 500), outside: .clamp)
        let scene = Scene(canvas: .init(width: 300, height: 200), layers: layers, loupes: [loupe])
        #expect(scene.shownFocus(of: loupe) == Point(x: 30, y: 85))
    }

    @Test(arguments: [Outside.background, .transparent])
    func otherwiseTheViewStaysWhereItIs(_ outside: Outside) {
        #expect(shown(-50, 500, outside: outside) == Point(x: -50, y: 500))
    }

    @Test func withoutLayersThereIsNothingToStayOn() {
        let loupe = Loupe(center: .zero, radius: 9, zoom: 4, focus: Point(x: -7, y: 3), outside: .clamp)
        let scene = Scene(canvas: .init(width: 30, height: 20), loupes: [loupe])
        #expect(scene.shownFocus(of: loupe) == loupe.focus)
    }

    @Test func autoIsSmoothBelowSixPixelsATexel() {
        #expect(LoupeFilter.auto.filter(atTexelSize: 5.99) == .linear)
        #expect(LoupeFilter.auto.filter(atTexelSize: 6) == .nearest)
        for filter in Filter.allCases {
            #expect(LoupeFilter(filter).filter(atTexelSize: 1) == filter)
            #expect(LoupeFilter(filter).filter(atTexelSize: 50) == filter)
        }
    }
}
