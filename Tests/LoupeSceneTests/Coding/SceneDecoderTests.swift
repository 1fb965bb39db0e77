import LoupeBase
import Testing

@testable import LoupeBase
@testable import LoupeScene

/// What a scene's text means where it says all, and where it leaves things out (the table of the specification, section 2).
@Suite struct SceneDecoderTests {
    private func decode(_ text: String) throws -> Scene {
        try SceneDecoder { _ in ImageSize(width: 300, height: 200) }.decode(Array(text.utf8))
    }

    private let white = Color(red: 255, green: 255, blue: 255)
    private let halfBlack = Color(red: 0, green: 0, blue: 0, alpha: 128)

    /// The example of the specification, section 2.
    static let example = """
        {
          "canvas":   {"width": 1024, "height": 768, "background": "#cccccc"},
          "blending": "srgb",
          "layers": [
            {"image": "page.png", "rect": [62, 34, 900, 700],
             "corner": {"radius": 60, "exponent": 4}, "filter": "lanczos", "opacity": 1}
          ],
          "loupes": [
            {"center": [900, 100], "radius": 180, "zoom": 4, "focus": [900, 100], "filter": "linear",
             "rim":    {"width": 6, "color": "#ffffff"},
             "shadow": {"offset": [0, 6], "blur": 24, "color": "#00000080"}}
          ]
        }
        """

    @Test func theExampleOfTheSpecificationIsRead() throws {
        let page = Layer(
            content: .image(path: "page.png"), rect: Rect(x: 62, y: 34, width: 900, height: 700),
            corner: Corner(radius: 60, exponent: 4), filter: .lanczos, opacity: 1)
        let loupe = Loupe(
            center: Point(x: 900, y: 100), radius: 180, zoom: 4, focus: Point(x: 900, y: 100), filter: .linear,
            rim: Loupe.Rim(width: 6, color: white),
            shadow: Loupe.Shadow(offset: Vector(dx: 0, dy: 6), blur: 24, color: halfBlack))
        let canvas = Scene.Canvas(width: 1024, height: 768, background: Color(red: 204, green: 204, blue: 204))
        #expect(try decode(Self.example) == Scene(canvas: canvas, blending: .srgb, layers: [page], loupes: [loupe]))
    }

    @Test func aLayerOfNothingButAnImageSetsCanvasAndRect() throws {
        let page = Layer(
            content: .image(path: "a.png"), rect: Rect(x: 0, y: 0, width: 300, height: 200),
            corner: Corner(radius: 0, exponent: 4), filter: .lanczos, opacity: 1)
        let canvas = Scene.Canvas(width: 300, height: 200, background: Color(red: 204, green: 204, blue: 204))
        let expected = Scene(canvas: canvas, blending: .srgb, layers: [page], loupes: [])
        #expect(try decode(#"{"layers": [{"image": "a.png"}]}"#) == expected)
    }

    @Test func theCanvasTakesWhatItLacksFromTheImageAndNotFromItsRect() throws {
        let layer = #"{"image": "a.png", "rect": [5, 5, 40, 30]}"#
        let scene = try decode(#"{"canvas": {"height": 77}, "layers": [\#(layer)]}"#)
        #expect(scene.canvas.width == 300)
        #expect(scene.canvas.height == 77)
    }

    @Test func imagesAreNotAskedForTheirSizeWhereNothingDependsOnIt() throws {
        struct Asked: Error {}
        let scene = try SceneDecoder { _ in throw Asked() }.decode(Array(Self.example.utf8))
        #expect(scene.imagePaths == ["page.png"])
    }

    @Test func aSceneWithoutLayersIsItsBackground() throws {
        let scene = try decode(##"{"canvas": {"width": 1, "height": 16384.0, "background": "#1234"}}"##)
        let background = Color(red: 0x11, green: 0x22, blue: 0x33, alpha: 0x44)
        #expect(scene == Scene(canvas: .init(width: 1, height: 16384, background: background)))
    }

    @Test func aPlainLoupeLooksAtItsOwnCentre() throws {
        let scene = try decode(
            #"{"layers": [{"image": "a.png"}], "loupes": [{"center": [-3.5, 7], "radius": 1, "zoom": 64}]}"#)
        let center = Point(x: -3.5, y: 7)
        let plain = Loupe(center: center, radius: 1, zoom: 64, focus: center, filter: .linear, rim: nil, shadow: nil)
        #expect(scene.loupes == [plain])
    }

    @Test func partsOfALoupeHaveDefaults() throws {
        let extras = [
            ##""rim": {"width": 9}, "shadow": {}, "callout": {"ring": {}, "connector": {"style": "lines"}}, "grid": {}, "mark": {}"##,
            ##""rim": {"width": 2, "casing": {"color": "#000"}}, "callout": {"ring": {"casing": {}}, "##
                + #""connector": {"style": "cone", "casing": {"width": 4}}}"#,
        ]
        let loupes = extras.map { #"{"center": [0, 0], "radius": 9, "zoom": 1, \#($0)}"# }.joined(separator: ", ")
        let scene = try decode(#"{"layers": [{"image": "a.png"}], "loupes": [\#(loupes)]}"#)
        try #require(scene.loupes.count == 2)
        let (plain, cased) = (scene.loupes[0], scene.loupes[1])
        #expect(plain.rim == Loupe.Rim(width: 9, color: white))
        #expect(plain.shadow == Loupe.Shadow(offset: .zero, blur: 0, color: halfBlack))
        #expect(plain.callout?.ring == Callout.Ring(width: 3, color: white))
        #expect(plain.callout?.connector == Connector(.lines(width: 2), color: white))
        #expect(plain.grid?.color == Color(red: 128, green: 128, blue: 128, alpha: 128))
        #expect(plain.mark == TexelMark(width: 2, color: Color(red: 255, green: 0, blue: 0)))
        #expect(plain.outside == .background)
        #expect(cased.rim?.casing == Casing(width: 1, color: Color(red: 0, green: 0, blue: 0)))
        #expect(cased.callout?.ring?.casing == Casing(width: 1, color: white))
        #expect(cased.callout?.connector?.casing == Casing(width: 4, color: white))
        #expect(cased.callout?.connector?.color == Color(red: 255, green: 255, blue: 255, alpha: 0x66))
    }

    @Test func aCropBoundsTheLayerAndItsCornersInPlaceOfTheRect() throws {
        func layer(_ radius: String) -> String {
            """
            {"layers": [{"image": "a.png", "rect": [0, 0, 10, 7], "crop": [-2, 1, 40, 20.5],
                         "corner": {"radius": \(radius)}}]}
            """
        }
        let read = try #require(try decode(layer("10.25")).layers.first)
        #expect(read.crop == Rect(x: -2, y: 1, width: 40, height: 20.5))
        #expect(read.bounds == read.crop)
        #expect(read.rect == Rect(x: 0, y: 0, width: 10, height: 7))
        #expect(throws: DocumentError.self) { try decode(layer("10.2500001")) }
    }

    @Test func strokesLieOnTheContentInTheirOrder() throws {
        let strokes =
            ##"[{"points": [[1, 2], [3.5, -4]], "width": 3, "color": "#0008"}, {"points": [[5, 6]], "width": 1}]"##
        let layer = try #require(
            try decode(#"{"layers": [{"image": "a.png", "strokes": \#(strokes)}]}"#).layers.first)
        #expect(layer.content == .image(path: "a.png"))
        #expect(
            layer.strokes == [
                Stroke(
                    points: [Point(x: 1, y: 2), Point(x: 3.5, y: -4)], width: 3,
                    color: Color(red: 0, green: 0, blue: 0, alpha: 0x88)),
                Stroke(points: [Point(x: 5, y: 6)], width: 1, color: Color(red: 0, green: 0, blue: 0)),
            ])
    }

    @Test func strokesAloneLieOnNothing() throws {
        let text = #"{"rect": [0, 0, 9, 9], "strokes": [{"points": [[1, 2]], "width": 3}]}"#
        let scene = try decode(#"{"canvas": {"width": 9, "height": 9}, "layers": [\#(text)]}"#)
        #expect(scene.layers.first?.content == .fill(.transparent))
        #expect(scene.layers.first?.strokes.count == 1)
    }
}
