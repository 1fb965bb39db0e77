import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// Pages that are read row by row, and how large they may be.
@Suite struct LargePageTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        let pixels = (0..<420 * 300).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % 420, pixel / 420)
            return [
                UInt8(x * 3 & 255), UInt8(y * 5 & 255), UInt8((x * 37 + y * 91) % 256), x < 300 ? 255 : UInt8(y & 255),
            ]
        }
        try place.put(Image(width: 420, height: 300, pixels: pixels), "large.png")
    }

    private func expectTheSame(_ arguments: [String], input: [UInt8] = []) {
        for (name, from) in [("rows.png", "1"), ("whole.png", "1000000")] {
            place.run(arguments + ["-o", name, "--stream-from", from], input: input)
        }
        #expect(place.bytes("rows.png") == place.bytes("whole.png"))
        #expect(place.bytes("rows.png") != nil)
    }

    /// Greys around 60 in linear light look like 130 and are no dark page.
    @Test func aPageInLinearLightIsJudgedByWhatItLooksLike() throws {
        let pixels = (0..<420 * 300).flatMap { index -> [UInt8] in
            let grey = UInt8(50 + index % 20)
            return [grey, grey, grey, 255]
        }
        let png = try PNG.encode(Image(width: 420, height: 300, pixels: pixels))
        // A gAMA chunk of 1 after the header.
        let gamma: [UInt8] = [0, 0, 0, 4, 0x67, 0x41, 0x4d, 0x41, 0, 1, 0x86, 0xa0, 0x31, 0xe8, 0x96, 0x5f]
        _ = place.folder.put(png[..<33] + gamma + png[33...], "linear.png")
        let scenes = ["1", "1000000"].map {
            place.command.run("linear.png", "--print-scene", "--callout", "50%,50%", "--stream-from", $0).text
        }
        #expect(scenes[0] == scenes[1] && scenes[0].contains("loupes"))
    }

    /// Each blending with each filter, so that every second pair has all of them.
    private static let kinds = ["nearest", "sharp", "linear", "cubic", "lanczos"].enumerated().flatMap {
        index, filter in
        (index % 2 == 0 ? ["srgb", "linear"] : ["linear", "srgb"]).map { ($0, filter) }
    }

    @Test(arguments: Sample.of(kinds, every: 2))
    func aPageReadByRowsIsDrawnTheSame(blending: String, filter: String) {
        expectTheSame([
            "large.png", "--canvas", "97x80", "--margin", "6.5", "--corner", "9", "--at", "30,20", "--zoom", "4",
            "--blending", blending, "--page-filter", filter, "--filter", filter,
        ])
    }

    /// Where loupes are placed depends on the page's kind and edges, which have to be known before its rows are drawn. The last
    /// page has no paper.
    @Test(arguments: [[16, 18, 24], [250, 244, 228], []] as [[UInt8]])
    func loupesOnAPageReadByRowsStandAtTheSamePlaces(paper: [UInt8]) throws {
        let pixels = (0..<420 * 300).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % 420, pixel / 420)
            let isPaper = !(40..<330).contains(x) || !(40..<260).contains(y)
            let noise = [UInt8(x / 2), UInt8(y / 2), UInt8((x * 37 + y * 91) % 150)]
            let color = isPaper && !paper.isEmpty ? paper : noise
            return color + [255]
        }
        try place.put(Image(width: 420, height: 300, pixels: pixels), "kind.png")
        expectTheSame(["kind.png", "--callout", "30%,40%", "--callout", "60%,60%"])
    }

    @Test func scenesAndStandardInputAreDrawnTheSame() throws {
        expectTheSame(["-", "--at", "30,20"], input: try #require(place.bytes("large.png")))
        let scene = """
            {"canvas": {"width": 90, "height": 70, "background": "#fff8"},
             "layers": [{"image": "large.png", "rect": [-10, 4, 80, 60]}, {"image": "page.png", "opacity": 0.5},
                        {"image": "large.png", "rect": [20, 20, 840, 600], "crop": [30, 30, 40, 30]}],
             "loupes": [{"center": [40, 40], "radius": 20, "zoom": 5}]}
            """
        place.put(scene, "scene.json")
        expectTheSame(["scene.json"])
    }

    @Test func aPageLongerThanAnyTextureIsDrawn() throws {
        let pixels = (0..<40_000 * 2).flatMap { pixel -> [UInt8] in [UInt8(pixel / 157 & 255), 40, 90, 255] }
        try place.put(Image(width: 40_000, height: 2, pixels: pixels), "long.png")
        place.run("long.png", "--canvas", "400x10", "--at", "200,5", "-o", "out.png")
        #expect(try place.image("out.png").width == 400)
    }

    @Test func aPageOfOtherColoursIsTakenToSRGBByRows() throws {
        let wide = try #require(TemporaryFolder.bytes(at: DepthAndColorTests.fixtures + "wide.png"))
        _ = place.folder.put(wide, "wide.png")
        expectTheSame(["wide.png", "--margin", "3", "--at", "10,7", "--zoom", "3"])
        place.run("wide.png", "-o", "alone.png", "--stream-from", "1")
        let alone = try ImageFile(#require(place.bytes("alone.png")), name: "alone.png").stored()
        #expect(alone.color == .sRGB, "nobody knows before the last row whether the page is opaque")
        #expect(try alone.image == ImageFile.decode(wide, name: "wide.png"))
    }

    @Test func picturesThatAreNoPNGAreHeld() throws {
        let jpeg = try #require(TemporaryFolder.bytes(at: DepthAndColorTests.fixtures + "colour-444.jpg"))
        _ = place.folder.put(jpeg, "page.jpg")
        expectTheSame(["page.jpg", "--margin", "3"])
    }

    @Test func inSixteenBitsPagesAreHeld() throws {
        expectTheSame(["large.png", "--at", "90,90", "--depth", "16"])
        place.expectFailure(
            ["large.png", "-o", "out.png", "--max-pixels", "9", "--depth", "16"], 65, naming: "large.png",
            "--max-pixels 126000")
    }

    @Test func aDamagedEndIsNoticed() throws {
        _ = place.folder.put(Array(try #require(place.bytes("large.png")).dropLast(9)), "cut.png")
        place.expectFailure(["cut.png", "-o", "out.png", "--stream-from", "1"], 65, naming: "cut.png")
    }

    @Test(arguments: [["--stream-from", "1"], ["--reference"], []])
    func moreThanTheLimitIsRefusedNamingTheFlag(_ way: [String]) {
        place.expectFailure(
            ["large.png", "-o", "out.png", "--max-pixels", "125999"] + way, 65, naming: "large.png", "420×300",
            "125999", "--max-pixels 126000")
        place.run(["large.png", "-o", "out.png", "--max-pixels", "126000"] + way)
    }

    @Test func anImpossibleLimitIsRefused() {
        place.expectFailure(["large.png", "-o", "out.png", "--max-pixels", "0"], 64, naming: "--max-pixels")
    }
}
