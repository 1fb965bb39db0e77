import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// What `loupe-render render` writes, and where.
@Suite struct RenderCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    @Test func pageAloneIsCopiedPixelForPixel() throws {
        let outcome = place.run("page.png", "-o", "out.png")
        #expect(outcome.output.isEmpty)
        #expect(try place.image("out.png") == Workplace.page)
        #expect(place.folder.names == ["out.png", "page.png"])
    }

    @Test func renderIsTheDefaultSubcommand() throws {
        place.run("page.png", "-o", "a.png", "--at", "20,15")
        place.run("render", "page.png", "--output", "b.png", "--at", "20,15")
        #expect(place.bytes("a.png") == place.bytes("b.png"))
        #expect(try place.image("a.png") != Workplace.page)
    }

    @Test func dashReadsAndWritesTheStandardStreams() throws {
        place.run("page.png", "-o", "out.png", "--at", "20,15", "--plain", "--no-metadata")
        let outcome = place.run(
            "-", "-o", "-", "--at", "20,15", "--plain", "--no-metadata", input: try #require(place.bytes("page.png")))
        #expect(outcome.output == place.bytes("out.png"))
        let scene =
            #"{"layers": [{"image": "page.png"}], "loupes": [{"center": [20, 15], "radius": 6, "zoom": 3, "filter": "cubic"}]}"#
        let drawn = place.run("-", "-o", "-", "--no-metadata", input: Array(scene.utf8))
        #expect(drawn.output == place.bytes("out.png"), "a fifth of the shorter side is 6")
    }

    @Test func imagesOfASceneCountFromItsFolder() throws {
        let folder = TemporaryFolder()
        _ = folder.put(try PNG.encode(Workplace.page), "page.png")
        _ = folder.put(Array(#"{"layers": [{"image": "page.png"}]}"#.utf8), "scene.json")
        _ = place.folder.put([], "page.png")
        place.run(folder.file("scene.json"), "-o", "out.png")
        #expect(try place.image("out.png") == Workplace.page)
    }

    @Test func existingFileSurvivesAFailedRunAndNothingElseIsLeft() throws {
        let before = Array("precious".utf8)
        _ = place.folder.put(before, "out.png")
        _ = place.folder.put(Array(try #require(place.bytes("page.png")).dropLast(9)), "cut.png")
        let files = ["cut.png", "out.png", "page.png"]
        place.expectFailure(["cut.png", "-o", "out.png"], 65)
        place.expectFailure(["page.png", "-o", "out.png", "--device", "99"], 69)
        place.expectFailure(["page.png", "-o", "out.png", "--at", "1,1", "--zoom", "99"], 64)
        #expect(place.bytes("out.png") == before)
        place.run("page.png", "-o", "out.png")
        #expect(try place.image("out.png") == Workplace.page)
        #expect(place.folder.names == files)
    }

    // MARK: - --print-scene

    /// Every flag that makes a scene of a page, and loupes in words and by callouts.
    private static let sceneFlags = [
        [
            "--margin", "5.25", "--corner", "8:3.35", "--background", "#12345678",
            "--at", "9.1,7.7", "--radius", "11", "--zoom", "3", "--focus", "6,5.5", "--filter", "cubic",
            "--page-filter", "linear", "--rim-width", "2", "--rim-color", "#fa08", "--shadow-blur", "6",
            "--shadow-color", "#0008", "--shadow-offset", "1,-2", "--blending", "linear",
        ],
        [
            "--loupe", "at=9,10 radius=8 focus=4,5.5 ring=1:#f00 connector=lines:1", "--callout", "30,9@30,22",
            "--radius", "7", "--zoom", "5", "--grid", "--mark",
        ],
    ]

    @Test func numbersMayBeNegative() throws {
        place.run(
            "page.png", "-o", "a.png", "--at", "-5,5", "--focus", "-1,7", "--shadow-blur", "2", "--shadow-offset",
            "-4,4", "--versus", "page.png", "--versus-angle", "-20")
        place.run("page.png", "-o", "a.png", "--callout", "-1,5@9,9")
        place.expectFailure(["page.png", "-o", "b.png", "--margin", "-4"], 64, naming: "--margin", "-4")
    }

    @Test(arguments: sceneFlags) func printedSceneDrawsTheSameBytes(flags: [String]) throws {
        let printed = place.run(["page.png", "--print-scene"] + flags)
        #expect(place.folder.names == ["page.png"], "nothing is drawn")
        _ = place.folder.put(printed.output, "scene.json")
        // A picture of flags stores those, too.
        place.run(["page.png", "-o", "flags.png", "--no-metadata"] + flags)
        place.run("scene.json", "-o", "scene.png", "--no-metadata")
        #expect(place.bytes("flags.png") == place.bytes("scene.png"))
        #expect(place.bytes("flags.png") != nil)
        #expect(place.command.run("scene.json", "--print-scene").output == printed.output)
    }

    // MARK: - Help

    @Test(arguments: [["--help"], ["render", "--help"], ["devices", "--help"], ["--version"]])
    func helpAndVersionAreAnswers(_ arguments: [String]) {
        let outcome = place.run(arguments)
        #expect(!outcome.output.isEmpty)
    }

    private func lines(_ arguments: [String]) -> [Substring] {
        String(decoding: place.run(arguments).output, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(arguments: [["help", "render"], ["render", "--help"], ["page.png", "--callout", "1,2", "-h"]])
    func helpHasTheOptionsThatPeopleUse(_ arguments: [String]) {
        let help = lines(arguments)
        #expect(help.filter { $0.hasPrefix("  -") }.count == 20)
        #expect(help.filter { $0.hasSuffix(":") && $0 == $0.uppercased() }.count == 6, "the input and five groups")
        #expect(help.count <= 75)
        #expect(help.allSatisfy { $0.count <= 80 })
        #expect(help.contains { $0.contains("loupe-render help render --all") })
    }

    @Test(arguments: [
        ["help", "render", "--all"], ["render", "--help-all"], ["--help-all"], ["page.png", "--help-all"],
    ])
    func helpHasAllOptions(_ arguments: [String]) throws {
        let all = lines(arguments)
        #expect(all.filter { $0.hasPrefix("  -") }.count > 75)
        for line in lines(["help", "render"]) where line.hasPrefix("  -") {
            let label = line.prefix { $0 != "[" && $0 != "<" }
            #expect(all.contains { $0.hasPrefix(label) }, "\(label)")
        }
        #expect(all.first?.contains("Draws a page, or a scene in JSON") == true)
    }

    /// A command is parsed by itself; its help is still that of a command of `loupe-render`.
    @Test(arguments: [["diff", "--help"], ["diff", "a.png", "b.png", "--help"], ["help", "diff"]])
    func helpHasTheWholeName(_ arguments: [String]) {
        let help = String(decoding: place.command.run(arguments).output, as: UTF8.self)
        #expect(help.contains("USAGE: loupe-render diff ") && help.contains("--version"))
    }

    /// The content of a PNG's pHYs chunk.
    private func density(of name: String) -> [UInt8]? {
        guard let bytes = place.bytes(name) else { return nil }
        return bytes.indices.first { bytes[$0...].starts(with: "pHYs".utf8) }.map { Array(bytes[($0 + 4)..<($0 + 13)]) }
    }

    @Test func pageKeepsItsSizeOnPaper() throws {
        let page = try #require(place.bytes("page.png"))
        let density = try #require(PixelDensity(perInch: 200))
        #expect(density.x == 7874)
        _ = place.folder.put(
            try PNG.encode(ImageFile.decode(page, name: "page.png"), options: PNGOptions(density: density)), "dpi.png")
        let same: [UInt8] = [0, 0, 0x1e, 0xc2, 0, 0, 0x1e, 0xc2, 1]
        #expect(self.density(of: "dpi.png") == same)
        place.run("dpi.png", "-o", "margin.png", "--margin", "9", "--at", "9,9", "--scale", "1")
        #expect(self.density(of: "margin.png") == same)
        let (width, height) = (40, 30)
        place.run("dpi.png", "-o", "twice.png", "--canvas", "\(2 * width)x\(2 * height)")
        #expect(self.density(of: "twice.png") == [0, 0, 0x3d, 0x84, 0, 0, 0x3d, 0x84, 1])
        // Rounded to 27×20 pixels, its pixels stay square.
        place.run("dpi.png", "-o", "fitted.png", "--canvas", "27x27")
        #expect(self.density(of: "fitted.png") == [0, 0, 0x14, 0xc3, 0, 0, 0x14, 0xc3, 1])
        place.run("dpi.png", "-o", "given.png", "--dpi", "300")
        #expect(self.density(of: "given.png") == [0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1])
        // Drawn again, the picture says the same.
        place.run("given.png", "-o", "again.png")
        #expect(place.bytes("again.png") == place.bytes("given.png"))
        place.run("page.png", "-o", "none.png")
        #expect(self.density(of: "none.png") == nil)
        place.expectFailure(["page.png", "-o", "x.png", "--dpi", "0"], 64, naming: "--dpi")
    }
}
