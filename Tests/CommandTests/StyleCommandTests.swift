import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// The default style of flags, frames, and the transparency of pages.
@Suite struct StyleCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private func put(_ color: String, as name: String) throws {
        let color = try #require(Color(text: color))
        let pixel = [color.red, color.green, color.blue, color.alpha]
        let image = Image(width: 40, height: 30, pixels: (0..<1200).flatMap { _ in pixel })
        try place.put(image, name)
    }

    /// The same scene by the command line, by a job, and as it is printed.
    @Test func aJobHasTheStyleOfTheCommandLine() throws {
        try put("#102030", as: "dark.png")
        let flags = ["--callout", "page:9,9@page:28,18", "--radius", "8", "--frame", "dark", "--no-metadata"]
        place.run(["dark.png", "-o", "a.png"] + flags)
        let job =
            #"{"input": "dark.png", "output": "b.png", "callout": "page:9,9@page:28,18", "radius": 8, "frame": "dark", "no-metadata": true}"#
        place.run("batch", "-", "--quiet", input: Array(job.utf8))
        _ = place.folder.put(place.command.run(["dark.png", "--print-scene"] + flags).output, "scene.json")
        place.run("scene.json", "-o", "c.png", "--no-metadata")
        let bytes = try #require(place.bytes("a.png"))
        #expect(bytes == place.bytes("b.png") && bytes == place.bytes("c.png"))
    }

    @Test func aLargePageReadRowByRowHasTheSameStyle() throws {
        let flags = ["--callout", "9,9@28,18", "--radius", "8", "--margin", "3", "--no-metadata"]
        place.run(["page.png", "-o", "a.png"] + flags)
        place.run(["page.png", "-o", "b.png", "--stream-from", "1"] + flags)
        #expect(place.bytes("a.png") != nil && place.bytes("a.png") == place.bytes("b.png"))
    }

    @Test func aPageWithTransparencyKeepsIt() throws {
        try put("#20406080", as: "glass.png")
        for name in ["glass.png", "page.png"] {
            place.run(name, "-o", "out.png", "--margin", "4")
            let scene = try place.scene([name, "--margin", "4"])
            let (image, isGlass) = (try place.image("out.png"), name == "glass.png")
            #expect(scene.canvas.background == .color(isGlass ? .transparent : .defaultBackground))
            #expect(image.pixels[3] == (isGlass ? 0 : 255))
        }
        let glass = try place.image("glass.png").pixels.prefix(4)
        place.run("glass.png", "-o", "out.png")
        #expect(try place.image("out.png").pixels.prefix(4) == glass)
        place.run("glass.png", "-o", "out.png", "--background", "#ccc")
        #expect(try place.image("out.png").pixels[3] == 255)
    }
}
