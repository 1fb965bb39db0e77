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

    @Test func aSceneAndAPictureAreScaledToo() throws {
        place.run("page.png", "--at", "9,9", "--plain", "-o", "small.png")
        place.run("small.png", "--scale", "2", "-o", "again.png", "--no-metadata")
        place.run("page.png", "--at", "9,9", "--plain", "--scale", "2", "-o", "large.png", "--no-metadata")
        #expect(place.bytes("again.png") != nil && place.bytes("again.png") == place.bytes("large.png"))
    }
}
