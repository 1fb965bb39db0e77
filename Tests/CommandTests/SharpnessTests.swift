import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// What flags ask for so that pictures are sharp: filters by the page's content, whole pixels, `--scale`.
@Suite struct SharpnessTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        let colors: [[UInt8]] = [[20, 24, 46, 255], [240, 80, 60, 255], [250, 230, 120, 255], [0, 0, 0, 0]]
        let pixels = (0..<24 * 16).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % 24 / 2, pixel / 24 / 3)
            return colors[(x + 5 * y) % 4]
        }
        try place.put(Image(width: 24, height: 16, pixels: pixels), "sprite.png")
    }

    private func scene(_ arguments: String...) throws -> Scene { try place.scene(arguments) }

    /// The picture is that of the printed scene, which the pipeline chooses while the device starts.
    @Test(arguments: [[], ["--depth", "16"], ["--reference"], ["--stream-from", "1"]])
    func thePictureIsThatOfThePrintedScene(options: [String]) throws {
        let flags = ["sprite.png", "--canvas", "130x90", "--at", "60,40", "--zoom", "2.5", "--radius", "30"] + options
        _ = place.folder.put(place.command.run(flags + ["--print-scene"]).output, "scene.json")
        place.run(flags + ["-o", "flags.png", "--no-metadata"])
        place.run(["scene.json", "-o", "scene.png", "--no-metadata"] + options)
        #expect(place.bytes("flags.png") != nil && place.bytes("flags.png") == place.bytes("scene.png"))
    }

    @Test func theStoredSceneHasTheFiltersThatWereDrawn() throws {
        place.run("sprite.png", "--at", "9,9", "-o", "out.png")
        #expect(try scene("out.png").loupes[0].filter == .sharp)
    }

    // MARK: - --scale

    /// Written by hand; drawn by the double-precision renderer.
    @Test func everythingIsTwiceAsLargeAtTheScaleOfTwo() throws {
        let scene = """
            {"canvas": {"width": 120, "height": 100},
             "layers": [{"image": "page.png", "rect": [20, 20, 80, 60], "corner": {"radius": 12}}],
             "loupes": [{"center": [60, 52], "radius": 32, "zoom": 9, "focus": [50, 42], "filter": "nearest",
                         "rim": {"width": 4, "color": "#ffffff"},
                         "shadow": {"offset": [2, 6], "blur": 10, "color": "#00000080"},
                         "callout": {"ring": {"width": 2, "color": "#ff0000"}},
                         "grid": {"width": 2, "color": "#80808080"}, "mark": {"width": 4, "color": "#ff0000"}}]}
            """
        place.put(scene, "scene.json")
        place.run("scene.json", "-o", "expected.png", "--reference")
        place.run(
            "page.png", "-o", "actual.png", "--scale", "2", "--margin", "10", "--corner-radius", "6", "--at", "30,26",
            "--radius", "16", "--zoom", "9", "--focus", "25,21", "--rim-width", "2", "--rim-color", "#fff",
            "--shadow-blur", "5", "--shadow-offset", "1,3", "--shadow-color", "#00000080", "--ring-width", "1",
            "--ring-color", "#f00", "--grid", "--mark", "--plain")
        place.run("diff", "expected.png", "actual.png", "--tolerance", "2", "--quiet")
        #expect(try place.image("actual.png").size == ImageSize(width: 120, height: 100))
    }

    @Test func aSceneAndAPictureAreScaledToo() throws {
        place.run("page.png", "--at", "9,9", "-o", "small.png")
        place.run("small.png", "--scale", "2", "-o", "again.png", "--no-metadata")
        place.run("page.png", "--at", "9,9", "--scale", "2", "-o", "large.png", "--no-metadata")
        #expect(place.bytes("again.png") != nil && place.bytes("again.png") == place.bytes("large.png"))
    }
}
