import LoupeGeometry
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// The default style of flags, frames, and the transparency of pages.
@Suite struct StyleCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private func scene(_ flags: [String], of page: String = "page.png") throws -> Scene {
        try place.scene([page, "--canvas", "800x600"] + flags)
    }

    private func put(_ color: String, as name: String) throws {
        let color = try #require(Color(text: color))
        let pixel = [color.red, color.green, color.blue, color.alpha]
        let image = Image(width: 40, height: 30, pixels: (0..<1200).flatMap { _ in pixel })
        try place.put(image, name)
    }

    @Test(arguments: [
        ["--at", "400,300", "--radius", "120"], ["--loupe", "at=400,300 radius=120"],
        ["--callout", "100,100@400,300", "--radius", "120"],
    ])
    func aLoupeAloneHasARimAndAShadow(flags: [String]) throws {
        let loupe = try #require(try scene(flags).loupes.first)
        #expect(loupe.rim?.width == 3 && loupe.rim?.color.hex == "#ffffff" && loupe.rim?.casing?.width == 1)
        #expect(loupe.shadow == .init(offset: Vector(dx: 0, dy: 7.5), blur: 24, color: Color(text: "#0006")!))
        let plain = try #require(try scene(flags + ["--plain"]).loupes.first)
        #expect(plain.rim == nil && plain.shadow == nil && plain.callout?.ring?.casing == nil)
    }

    @Test func flagsChangeSinglePartsOfTheStyle() throws {
        let flags = ["--at", "400,300", "--radius", "120", "--rim-color", "gold", "--shadow-blur", "70"]
        let loupe = try #require(try scene(flags).loupes.first)
        #expect(loupe.rim?.width == 3 && loupe.rim?.color.hex == "#ffd700")
        #expect(loupe.shadow?.blur == 70 && loupe.shadow?.color.hex == "#00000066" && loupe.shadow?.dither == true)
        let words = try #require(try scene(["--loupe", "at=400,300 radius=120 rim=gold shadow=70"]).loupes.first)
        #expect(words == loupe)
        #expect(try scene(["--at", "400,300", "--rim-width", "0"]).loupes[0].rim?.casing == nil)
    }

    @Test func theAccentIsForRingsAndConnectorsOfAllLoupes() throws {
        let flags = ["--callout", "100,100@400,300", "--loupe", "at=600,400 focus=100,300 ring=2:red connector=arrow"]
        let loupes = try scene(flags + ["--accent", "rebeccapurple"]).loupes
        #expect(loupes[0].callout?.ring?.color.hex == "#663399")
        #expect(loupes[0].callout?.connector?.color.hex == "#663399")
        #expect(loupes[1].callout?.ring?.color.hex == "#ff0000" && loupes[1].callout?.ring?.width == 2)
        #expect(loupes[1].callout?.connector?.color.hex == "#663399")
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

    // MARK: - Backdrops

    @Test func aFrameHasABackdropRoomCornersAndAShadow() throws {
        func framed(_ flags: String...) throws -> Scene { try place.scene(["page.png"] + flags) }
        let light = try framed("--frame")
        #expect(light.canvas.width == 72 && light.canvas.height == 62)
        #expect(light.layers[0].corner.radius == 4 && light.layers[0].shadow != nil)
        guard case .gradient(let gradient) = light.canvas.background else {
            Issue.record("no gradient")
            return
        }
        #expect(OKLab(gradient.from).lightness > 0.9 && gradient.dither)
        #expect(try framed("--frame=light") == light)
        let own = try framed("--frame", "#fde68a..tomato", "--margin", "5", "--corner-radius", "0")
        #expect(own.canvas.width == 50 && own.layers[0].corner.radius == 0)
        #expect(
            own.canvas.background
                == .gradient(
                    .init(from: Color(text: "#fde68a")!, to: Color(text: "tomato")!, angle: 45, dither: true)))
        #expect(try framed("--frame", "teal").canvas.background == .color(Color(text: "teal")!))
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
