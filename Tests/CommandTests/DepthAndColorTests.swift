import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// Pages of 16 bits, and pages whose numbers are not sRGB's.
@Suite struct DepthAndColorTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    static let fixtures =
        "/" + "\(#filePath)".split(separator: "/").dropLast(2).joined(separator: "/") + "/LoupeImagingTests/Fixtures/"

    /// Ramps of which 8 bits would leave a few steps.
    private func put16BitPage() throws -> Image {
        var samples: [UInt16] = []
        for place in 0..<UInt16(40 * 30) { samples += [30_000 + place, 40_000 - place, place * 3, .max] }
        let page = Image(width: 40, height: 30, pixels16: samples)
        try place.put(page, "16-bit.png")
        return page
    }

    private func decoded(_ name: String) throws -> Image {
        let bytes = try #require(place.bytes(name))
        return try PNG.decode(bytes, name: name, keepsDepth: true)
    }

    // MARK: - Depth

    @Test func pageOf16BitsStaysSoWhereItIsAskedFor() throws {
        let page = try put16BitPage()
        place.run("16-bit.png", "-o", "a.png", "--depth", "16")
        #expect(try decoded("a.png") == page)
        place.run("16-bit.png", "-o", "b.png")
        #expect(try decoded("b.png").pixels16 == nil)
        #expect(try decoded("b.png").pixels == page.pixels)
    }

    @Test func bothRenderersAndABatchDrawIt() throws {
        _ = try put16BitPage()
        let flags = [
            "--at", "20,15", "--zoom", "3", "--depth", "16", "--no-metadata", "--rim-width", "2", "--scale", "1",
        ]
        place.run(["16-bit.png", "-o", "a.png"] + flags)
        place.run(["16-bit.png", "-o", "b.png", "--reference"] + flags)
        let (actual, expected) = (try decoded("a.png").pixels16, try decoded("b.png").pixels16)
        let pairs = zip(try #require(actual), try #require(expected))
        #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 3 })
        let job =
            #"{"input": "16-bit.png", "output": "c.png", "at": [20, 15], "zoom": 3, "rim-width": 2, "scale": 1, "no-metadata": true"#
        let lines = [job + #", "depth": 16}"#, job.replacing("c.png", with: "d.png") + "}"]
        place.put(lines.joined(separator: "\n"), "jobs.jsonl")
        // In 8 bits the loupe shows one colour alone.
        #expect(place.command.run("batch", "jobs.jsonl").code == 0)
        #expect(place.bytes("c.png") == place.bytes("a.png"))
        #expect(try decoded("d.png").pixels16 == nil, "the same page in 8 bits")
    }

    // MARK: - Colour

    private func putWidePage() throws -> (profile: [UInt8], stored: Image, shown: Image) {
        let bytes = try #require(TemporaryFolder.bytes(at: Self.fixtures + "wide.png"))
        _ = place.folder.put(bytes, "wide.png")
        let profile = try #require(TemporaryFolder.bytes(at: Self.fixtures + "wide-gamut.icc"))
        return (profile, try PNG.decode(bytes, name: "a"), try ImageFile.decode(bytes, name: "a"))
    }

    private func treatment(_ outcome: Command.Outcome) throws -> JSONValue {
        place.expectSuccess(outcome)
        let stats = try JSONValue(parsing: outcome.output)
        let image = stats["images"].elements.first ?? .null
        #expect(image["image"] == "wide.png" && image["color"] == "ICC profile")
        return image["treatment"]
    }

    @Test func pageAloneKeepsItsProfile() throws {
        let page = try putWidePage()
        let alone = place.command.run("wide.png", "-o", "a.png", "--stats", "-")
        #expect(try treatment(alone) == "carried")
        let bytes = try #require(place.bytes("a.png"))
        let stored = try ImageFile(bytes, name: "a").stored()
        #expect(stored.image == page.stored && stored.color == .profile(page.profile))
        let loupe = place.command.run(
            "wide.png", "-o", "b.png", "--at", "10,7", "--radius", "5", "--plain", "--stats", "-")
        #expect(try treatment(loupe) == "carried")
    }

    @Test(arguments: [
        ["--margin", "2"], ["--corner", "3"], ["--at", "10,7", "--rim-width", "1"],
        ["--at", "10,7", "--shadow-blur", "4"], ["--blending", "linear"], ["--at", "2,2", "--focus", "0,0"],
    ])
    func otherColoursInThePictureMakeItSRGB(_ flags: [String]) throws {
        let page = try putWidePage()
        let outcome = place.command.run(["wide.png", "-o", "a.png", "--stats", "-", "--scale", "1"] + flags)
        #expect(try treatment(outcome) == "converted to sRGB")
        let bytes = try #require(place.bytes("a.png"))
        let stored = try ImageFile(bytes, name: "a").stored()
        #expect(stored.color == .sRGB)
        let inset = flags[0] == "--margin" ? 2 : 0
        // A pixel of the page's middle right, which no loupe covers.
        let drawn = stored.image.part(x: 18 + inset, y: 12 + inset, width: 1, height: 1)
        let expected = page.shown.part(x: 18, y: 12, width: 1, height: 1)
        #expect(zip(drawn, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 } || flags[0] == "--corner")
    }

    /// A colour that sRGB clips differs as it is stored by more than anything does after conversion.
    @Test func whatWouldPassDoesSoInStoredColours() throws {
        let profile = try #require(TemporaryFolder.bytes(at: Self.fixtures + "wide-gamut.icc"))
        for (name, blue, grey) in [("a.png", UInt8(0), UInt8(100)), ("b.png", 20, 101)] {
            let pixels = [0, 255, blue, 255] + [UInt8](repeating: 100, count: 56) + [grey, grey, grey, 255]
            let page = Image(width: 4, height: 4, pixels: pixels)
            _ = place.folder.put(try PNG.encode(page, options: PNGOptions(profile: profile)), name)
        }
        let outcome = place.command.run("diff", "a.png", "b.png")
        #expect(outcome.text.contains("would pass at --tolerance 20 or --max-pixels 2\n"), "\(outcome.text)")
        for limit in [["--tolerance", "20"], ["--max-pixels", "2"]] {
            #expect(place.command.run(["diff", "a.png", "b.png"] + limit).code == 0)
        }
    }

    /// Row by row, too, and where it would be carried.
    @Test(arguments: [[], ["--margin", "3"], ["--reference"], ["--stream-from", "1"]])
    func profileOfGreysIsForGreys(_ flags: [String]) throws {
        let profile = try #require(TemporaryFolder.bytes(at: Self.fixtures + "grey.icc"))
        let options = PNGOptions(profile: profile)
        _ = place.folder.put(try PNG.encode(Workplace.page, options: options), "colours.png")
        try place.expectReadAsSRGB("colours.png", flags, "it is for grey, and the image has colours")
        let greys = Image(width: 16, height: 16, pixels: (0...255).flatMap { [$0, $0, $0, 255] as [UInt8] })
        _ = place.folder.put(try PNG.encode(greys, options: options), "greys.png")
        place.run(["greys.png", "-o", "a.png"] + flags)
        #expect(try place.image("a.png").pixels.contains(128))
    }

    @Test func brokenProfileIsAWarning() throws {
        let options = PNGOptions(profile: Array("no profile".utf8))
        _ = place.folder.put(try PNG.encode(Workplace.page, options: options), "broken.png")
        for flags in [[], ["--margin", "3"], ["--reference"], ["--stream-from", "1"]] {
            try place.expectReadAsSRGB("broken.png", flags, "its colour profile")
        }
    }
}

extension Workplace {
    /// That a picture is drawn as the same one without a profile is, with a warning that has these words.
    fileprivate func expectReadAsSRGB(_ name: String, _ flags: [String], _ words: String) throws {
        let outcome = command.run([name, "-o", "a.png", "--no-metadata"] + flags)
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("\(name): "))
        #expect(outcome.errors.contains(words))
        #expect(outcome.errors.contains("; it is read as sRGB"))
        run(["page.png", "-o", "b.png", "--no-metadata"] + flags)
        #expect(try image("a.png") == image("b.png"))
    }
}
