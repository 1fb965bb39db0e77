import LoupeBase
import Testing

@testable import LoupeScene

/// A scaled scene is the same picture on a larger canvas.
@Suite struct SceneScalingTests {
    /// Every key that a scene can have, with numbers that can be doubled.
    private static let text = """
        {"canvas": {"width": 200, "height": 150, "background": "#abcdef"}, "blending": "linear",
         "layers": [
           {"image": "page.png", "rect": [10, 12.5, 100, 80], "crop": [20, 22, 60, 50],
            "corner": {"radii": {"topLeft": [6, 8], "bottomRight": 5}, "exponent": 3}, "filter": "sharp",
            "opacity": 0.5, "strokes": [{"points": [[1, 2], [30, 40]], "width": 2.5, "color": "#123456"}]}],
         "loupes": [
           {"center": [90, 70], "radius": 40, "zoom": 4, "focus": [31, 42], "filter": "cubic",
            "rim": {"width": 3, "color": "#ffffff", "casing": {"width": 1.5, "color": "#000000"}}, "shadow": {"offset": [1, 6], "blur": 12, "color": "#00000080"},
            "versus": {"image": "other.png", "angle": 30, "divider": {"width": 2, "color": "#ff0000"}},
            "callout": {"ring": {"width": 3, "color": "#00ff00", "casing": {"width": 1.25, "color": "#000000"}},
                        "connector": {"style": "lines", "width": 2.5, "color": "#0000ff",
                                      "casing": {"width": 1.75, "color": "#000000"}}},
            "grid": {"width": 3, "color": "#80808080"}, "mark": {"width": 2.5, "color": "#ff0000"},
            "outside": "clamp"},
           {"center": [20, 30], "shape": {"size": [70, 50], "radius": 7, "exponent": 2.5}, "zoom": 2.5,
            "focus": [21, 22], "filter": "nearest", "callout": {"connector": {"style": "cone", "color": "#fff000"}}}],
         "pixelSize": "4um",
         "scaleBars": [{"loupe": 1, "length": "20um", "corner": "topLeft", "text": "20", "width": 3, "inset": 5,
                        "font": "serif", "size": 12, "weight": 300, "color": "#123456",
                        "halo": {"width": 1.5, "color": "#ffffff"}}],
         "labels": [
           {"text": "a", "at": [10, 20], "align": [0.25, 0.5], "font": "serif", "size": 12, "weight": 300,
            "color": "#123456", "halo": {"width": 1.5, "color": "#ffffff"}},
           {"text": "b", "loupe": 1, "angle": 30, "side": "inside", "distance": 3, "font": "serif", "size": 12,
            "weight": 300, "color": "#123456"},
           {"text": "c", "ring": 1, "angle": 30, "distance": 3, "font": "serif", "size": 12, "weight": 300,
            "color": "#123456"}]}
        """

    private func scene(_ text: String) throws -> Scene {
        try SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(Array(text.utf8))
    }

    /// Numbers that are no lengths.
    private static let factors: Set = ["zoom", "exponent", "opacity", "angle", "align", "weight", "loupe", "ring"]

    /// The document with every length doubled.
    private func doubled(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): .number(number * 2)
        case .array(let items): .array(items.map(doubled))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map {
                        // A pixel of twice as many shows half as much.
                        if $0.key == "pixelSize" { return ($0.key, "2um") }
                        if case .object = $0.value { return ($0.key, doubled($0.value)) }
                        return ($0.key, Self.factors.contains($0.key) ? $0.value : doubled($0.value))
                    }))
        default: value
        }
    }

    @Test func everyLengthIsMultipliedAndNothingElse() throws {
        let scene = try scene(Self.text)
        #expect(SceneEncoder().json(scene.scaled(by: 2)) == doubled(SceneEncoder().json(scene)))
        #expect(scene.scaled(by: 2).scaled(by: 0.5) == scene)
        #expect(scene.scaled(by: 1) == scene)
    }

    @Test func theCanvasIsOfWholePixels() {
        let scene = Scene(canvas: .init(width: 333, height: 3))
        #expect(scene.scaled(by: 1.5).canvas == .init(width: 500, height: 5))
        #expect(scene.scaled(by: 0.1).canvas == .init(width: 33, height: 1))
    }
}

/// What flags make has its straight edges on whole pixels.
@Suite struct WholePixelsTests {
    private func scene(_ rect: Rect, _ loupes: Loupe...) -> Scene {
        Scene(
            canvas: .init(width: 300, height: 200), layers: [Layer(content: .image(path: "a"), rect: rect)],
            loupes: loupes)
    }

    private func loupe(_ width: Double, _ height: Double, zoom: Double, focus: Point, ring: Double? = 3) -> Loupe {
        Loupe(
            center: Point(x: 200, y: 100), shape: .rectangle(.init(width: width, height: height)), zoom: zoom,
            focus: focus, callout: ring.map { Callout(ring: .init(width: $0)) })
    }

    @Test func anImageMovesByHalfAPixelAtMostAndItsLoupeFollows() {
        let disc = Loupe(center: .zero, radius: 20, zoom: 2, focus: Point(x: 60.5, y: 40))
        let made = scene(Rect(x: 10.5, y: 7.25, width: 100, height: 60), disc).onWholePixels()
        #expect(made.layers[0].rect == Rect(x: 11, y: 7, width: 100, height: 60))
        #expect(made.loupes[0].focus == Point(x: 61, y: 39.75), "the same point of the image")
        let kept = scene(Rect(x: 10, y: 7, width: 100, height: 60), disc)
        #expect(kept.onWholePixels() == kept)
    }

    @Test(arguments: [(60.0, 40.0, 62.0), (60.3, 40.9, 62.0), (60.99, 40.5, 62.0)])
    func aRingStandsOnWholePixelsWhereItsSourceIsWhole(x: Double, y: Double, right: Double) {
        let page = Rect(x: 0, y: 0, width: 300, height: 200)
        let made = scene(page, loupe(20, 12, zoom: 4, focus: Point(x: x, y: y), ring: 2.6)).onWholePixels()
        // A source of 5×3 pixels about the middle of the focus's pixel.
        #expect(made.loupes[0].focus == Point(x: 60.5, y: 40.5))
        #expect(made.loupes[0].callout?.ring?.width == 3)
        let even = scene(page, loupe(16, 24, zoom: 4, focus: Point(x: x, y: y))).onWholePixels()
        #expect(even.loupes[0].focus == Point(x: 60, y: 40) && even.loupes[0].focus.x + 2 == right)
    }

    @Test func otherLoupesStay() {
        let page = Rect(x: 0, y: 0, width: 300, height: 200)
        let focus = Point(x: 60.3, y: 40.9)
        let disc = Loupe(
            center: .zero, radius: 20, zoom: 4, focus: focus, callout: Callout(ring: .init(width: 2.6)))
        for loupe in [loupe(21, 12, zoom: 4, focus: focus), loupe(20, 12, zoom: 4, focus: focus, ring: nil), disc] {
            let kept = scene(page, loupe)
            #expect(kept.onWholePixels() == kept)
        }
    }
}
