import LoupeBase
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeScene

/// Labels and scale bars in scenes (specification, section 2.6).
@Suite struct LabelDecoderTests {
    private func decode(_ keys: String) throws -> Scene {
        let text = """
            {"canvas": {"width": 400, "height": 300}, "layers": [{"fill": "#fff", "rect": [50, 50, 200, 100]}],
             "loupes": [{"center": [300, 200], "radius": 60, "zoom": 8}], \(keys)}
            """
        return try SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(Array(text.utf8))
    }

    private func sentence(_ keys: String) -> String { complaint { try decode(keys) } }

    @Test func whatALabelLeavesOutHasItsDefault() throws {
        let labels = try decode(
            #""labels": [{"text": "a", "at": [3, 4]}, {"text": "b", "loupe": 0, "size": 20}, {"text": "c", "ring": 0, "halo": {}}]"#
        ).labels
        #expect(labels[0] == Label("a", at: .point(Point(x: 3, y: 4), align: Vector(dx: 0.5, dy: 0.5))))
        #expect(labels[1].anchor == .loupe(index: 0, angle: -135, side: .outside, distance: 5))
        #expect(labels[2].anchor == .ring(index: 0, angle: -135, distance: 4))
        #expect(labels[2].style == TextStyle(halo: Casing(width: 1, color: .defaultRim)))
    }

    @Test func aBarIsNearAFifthOfWhatItLiesIn() throws {
        let bars = try decode(
            #""pixelSize": "0.5um", "scaleBars": [{}, {"loupe": 0}, {"length": "7um", "text": "seven"}]"#
        ).scaleBars
        // A fifth of 200 · 0.5 µm, and of 120 / 8 · 0.5 µm.
        #expect(bars.map(\.length.label) == ["20 µm", "2 µm", "7 µm"])
        #expect(bars.map(\.text) == ["20 µm", "2 µm", "seven"])
        #expect(bars[1].subject == .loupe(0) && bars[0].subject == .layer(0))
        #expect(bars[0].width == 3.2 && bars[0].inset == 12)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let scene = try decode(
            #"""
            "pixelSize": "0.5 µm", "scaleBars": [{"layer": 0, "halo": {"width": 2}}, {"loupe": 0, "corner": "topLeft"}],
            "labels": [{"text": "a\nb", "at": [3, 4], "align": [0, 1], "font": "Serif", "weight": 700, "color": "red"},
                       {"text": "x", "loupe": 0, "angle": 10, "side": "inside", "distance": 0}, {"text": "שלום", "ring": 0}]
            """#)
        let again = try SceneDecoder { _ in ImageSize(width: 1, height: 1) }
            .decode(Array(SceneEncoder().encode(scene).utf8))
        #expect(again == scene)
    }

    @Test(arguments: [
        (#""labels": [{"text": "a"}]"#, "labels[0]: it needs one of at, loupe and ring"),
        (#""labels": [{"text": "a", "at": [1, 2], "loupe": 0}]"#, "it needs one of at, loupe and ring"),
        (#""labels": [{"text": "", "at": [1, 2]}]"#, "labels[0].text: it is empty"),
        (#""labels": [{"text": "a\tb", "at": [1, 2]}]"#, "the control character 9"),
        (#""labels": [{"text": "a\u0000b", "at": [1, 2]}]"#, "the control character 0"),
        (#""labels": [{"text": "a", "loupe": 1}]"#, "labels[0].loupe"),
        (#""labels": [{"text": "a", "at": [1, 2], "angle": 3}]"#, "labels[0].angle: unknown key"),
        (#""labels": [{"text": "a", "at": [1, 2], "font": "a,b"}]"#, "labels[0].font"),
        (#""labels": [{"text": "a", "at": [1, 2], "weight": 400.5}]"#, "labels[0].weight"),
        (#""scaleBars": [{}]"#, "scaleBars[0]: the scene does not say what a pixel shows; give it pixelSize"),
        (#""pixelSize": "0.5""#, "pixelSize: \"0.5\" is not a length"),
        (#""pixelSize": "1um", "scaleBars": [{"layer": 0, "loupe": 0}]"#, "it has both layer and loupe"),
    ]) func whatIsWrongIsSaid(_ keys: String, _ words: String) {
        #expect(sentence(keys).contains(words), "\(sentence(keys))")
    }

    @Test func aTextHasAtMostAThousandCharacters() {
        func label(_ count: Int) -> String {
            #""labels": [{"at": [1, 2], "text": "\#(String(repeating: "é", count: count))"}]"#
        }
        #expect(throws: Never.self) { try decode(label(1000)) }
        #expect(sentence(label(10000)).contains("it has 10000 characters; allowed are 1000"))
    }
}
