import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// What `loupe-render diff` says, writes and answers.
@Suite struct DiffCommandTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// A grey `reference.png` of 64×40 and an `actual.png` with some pixels that are lighter by as much as stands there.
    private func putPair(_ changes: [(x: Int, y: Int, step: UInt8)]) throws {
        let grey = Image(width: 64, height: 40, pixels: [UInt8](repeating: 100, count: 64 * 40 * 4).opaque)
        var actual = grey
        for change in changes { actual.raise(change.x, change.y, by: change.step) }
        try put(grey, actual)
    }

    private func put(_ reference: Image, _ actual: Image) throws {
        try place.put(reference, "reference.png")
        try place.put(actual, "actual.png")
    }

    private func diff(_ flags: String...) -> Command.Outcome {
        place.command.run(["diff", "reference.png", "actual.png"] + flags)
    }

    private func json(_ flags: String...) throws -> JSONValue {
        try JSONValue(
            parsing: place.command.run(["diff", "reference.png", "actual.png", "--json", "-"] + flags).output)
    }

    private static let changes: [(x: Int, y: Int, step: UInt8)] =
        [(10, 10, 5), (11, 10, 5), (10, 11, 5), (11, 11, 5), (50, 30, 9)]

    // MARK: - What it says

    @Test func linesSayHowManyWhereHowMuchAndWhatWouldPass() throws {
        try putPair(Self.changes)
        let outcome = diff()
        #expect(outcome.code == 1 && outcome.errors.isEmpty)
        #expect(
            outcome.text == """
                differs: 5 of 2560 pixels differ (0.195 %)
                  largest difference 9 at 50,30
                  boxes 10,10,2x2 (4) 50,30,1x1 (1)
                  would pass at --tolerance 9 or --max-pixels 5
                  compared in 8 bits, sRGB

                """)
    }

    @Test func flagsSayWhatIsComparedAndWhatPasses() throws {
        try putPair(Self.changes)
        var mask = Image(width: 64, height: 40, pixels: [UInt8](repeating: 0, count: 64 * 40 * 4).opaque)
        for (x, y, _) in Self.changes.prefix(4) { mask.raise(x, y, by: 255) }
        try place.put(mask, "mask.png")
        for (flags, code) in [
            ("--tolerance 9", 0), ("--tolerance 8", 1), ("--max-pixels 5", 0), ("--max-ratio 0.0019", 1),
            ("--ignore 10,10,2x2 --ignore 50,30,100x100", 0), ("--ignore 10,10..12,12", 1), ("--mask mask.png", 1),
            ("--mask mask.png --ignore 51,31..50,30", 0), ("--metric yiq", 0), ("--metric yiq --threshold 0.001", 1),
            ("--metric flip --threshold 0.9", 0), ("--metric oklab --max-mean 1", 0),
        ] as [(String, Int32)] {
            let outcome = place.command.run(
                ["diff", "reference.png", "actual.png"] + flags.split(separator: " ").map(String.init))
            #expect(outcome.code == code, "\(flags): \(outcome.text)")
            #expect(outcome.text.hasPrefix(code == 0 ? "same: " : "differs: "))
        }
    }

    @Test func equalPicturesAreTheSame() throws {
        try putPair([])
        let outcome = diff()
        place.expectSuccess(outcome)
        #expect(outcome.text == "same: none of 2560 pixels differs\n  compared in 8 bits, sRGB\n")
        #expect(diff("--quiet").output.isEmpty)
    }

    @Test func jsonHasTheSameKeysWhateverIsFound() throws {
        let keys = [
            "same", "metric", "differingPixels", "totalPixels", "ratio", "maxDelta", "maxAt", "boxes", "areas",
            "wouldPass", "regions", "compared", "sizes", "changes",
        ]
        try putPair([])
        let same = try json()
        #expect(same.keys == keys && same["same"] == .bool(true) && same["maxAt"] == .null)
        try putPair(Self.changes)
        let found = try json()
        #expect(found.keys == keys && found["same"] == .bool(false) && found["metric"] == .string("channel/1"))
        #expect(found["differingPixels"] == .number(5) && found["totalPixels"] == .number(2560))
        #expect(found["ratio"] == .number(5.0 / 2560) && found["maxDelta"] == .number(9))
        #expect(found["maxAt"] == [.number(50), .number(30)])
        #expect(found["wouldPass"] == ["tolerance": .number(9), "maxPixels": .number(5)])
        let boxes = found["boxes"].elements
        try #require(boxes.map(\.keys) == Array(repeating: ["x", "y", "width", "height", "pixels"], count: 2))
        #expect(boxes[0]["x"] == .number(10) && boxes[0]["width"] == .number(2) && boxes[0]["pixels"] == .number(4))
        #expect(same["areas"] == .null && found["areas"].elements.reduce(0) { $0 + $1["pixels"].number } == 5)
    }

    // MARK: - What is compared

    @Test func regionsOfASceneHaveTheirOwnTolerance() throws {
        let scene = """
            {"canvas": {"width": 60, "height": 40}, "layers": [{"fill": "#20a040", "rect": [10, 5, 40, 30]}],
             "loupes": [{"center": [45, 20], "focus": [50, 20], "radius": 8, "zoom": 2, "rim": {"width": 3, "color": "#404040"}}]}
            """
        place.put(scene, "scene.json")
        place.run("scene.json", "-o", "reference.png", "--reference")
        var actual = try place.image("reference.png")
        actual.raise(51, 20, by: 3)
        actual.raise(10, 20, by: 2)
        try place.put(actual, "actual.png")
        let outcome = diff("--tolerance", "1", "--scene", "scene.json")
        #expect(outcome.text.contains("\n  in rim 1 (up to 3), page-edge 1 (up to 2)\n"))
        let found = try JSONValue(
            parsing: Array(diff("--tolerance", "rim=1,page-edge=3", "--scene", "scene.json", "--json", "-").text.utf8))
        #expect(
            found["regions"].keys == ["rim", "page-edge", "corner", "loupe-interior", "page", "background"])
        #expect(found["regions"]["rim"] == ["differingPixels": .number(1), "maxDelta": .number(3)])
        #expect(found["regions"]["page-edge"] == ["differingPixels": .number(0), "maxDelta": .number(2)])
        place.expectSuccess(diff("--tolerance", "rim=3,page-edge=3", "--scene", "scene.json"))
    }

    // MARK: - Two folders

    @Test func foldersAreComparedWithOneReport() throws {
        try putPair(Self.changes)
        let (reference, actual) = (try #require(place.bytes("reference.png")), try #require(place.bytes("actual.png")))
        for name in ["a.png", "s/b.png", "s/gone.png"] { _ = place.folder.put(reference, "left/\(name)") }
        for (name, bytes) in [("a.png", reference), ("s/b.png", actual), ("s/new.png", actual)] {
            _ = place.folder.put(bytes, "right/\(name)")
        }
        func compare(_ flags: String...) -> Command.Outcome { place.command.run(["diff", "left/", "right"] + flags) }
        let outcome = compare("--report", "report.html", "--junit", "results.xml", "--json", "results.json")
        #expect(outcome.code == 1 && outcome.errors.isEmpty)
        #expect(
            outcome.text.hasPrefix(
                """
                failed   s/b.png     5 of 2560 pixels differ (0.195 %); largest difference 9 at 50,30
                gone     s/gone.png  there is no picture to compare with left/s/gone.png; delete the reference if none is made any more
                missing  s/new.png   new: there is no reference left/s/new.png
                """), "\(outcome.text)")
        #expect(outcome.text.contains("\n4 cases: 1 passed, 1 failed, 1 missing, 1 gone in "))
        let results = try place.json("results.json")
        #expect(results["subject"] == .string("pictures") && results["counts"]["gone"] == .number(1))
        let page = try place.text("report.html")
        #expect(page.contains("loupe-accept/1") && page.contains("left/s/b.png"))
        #expect(try place.text("results.xml").contains("failures=\"3\""))

        #expect(results["cases"].elements.map { $0["state"].text } == ["passed", "failed", "gone", "missing"])
        _ = compare("--json", "pictures.json", "--json-pictures")
        let pictures = try place.json("pictures.json")["cases"].elements
        try #require(pictures.count == 4)
        let hash = try #require(pictures[1]["pictures"]["hash"].text)
        let list =
            #"{"format": "loupe-accept/1", "cases": [{"scene": "left/s/b.png", "picture": "\#(hash)"}]}"#
        place.put(list, "accept.json")
        #expect(compare("--accept", "accept.json").text.hasPrefix("written  s/b.png"))
        #expect(place.bytes("left/s/b.png") == actual)

        place.folder.remove("left/s/gone.png")
        place.folder.remove("right/s/new.png")
        place.expectSuccess(compare())
        place.put("no picture", "right/a.png")
        #expect(compare().code == 65)
        #expect(place.command.run("diff", "left", "actual.png").code == 65)
        #expect(place.command.run("diff", "left", "nowhere").code == 66)
        #expect(place.command.run("diff", "left", "right", "-o", "x.png").code == 64)
    }

    @Test func foldersHaveAFigureOfEachChange() throws {
        try putPair(Self.changes)
        for (name, picture) in [("left/s/b.png", "reference.png"), ("right/s/b.png", "actual.png")] {
            _ = place.folder.put(try #require(place.bytes(picture)), name)
        }
        let flags = ["--json", "results.json", "--json-pictures"]
        #expect(place.command.run(["diff", "left", "right", "--figures", "one"] + flags).code == 1)
        #expect(place.command.run("report", "merge", "results.json", "--figures", "two").code == 1)
        #expect(diff("--figure", "figure.png").code == 1)
        let figure = try #require(place.bytes("figure.png"))
        #expect(place.bytes("one/s-b.png") == figure && place.bytes("two/s-b.png") == figure)
        #expect(diff("--figures", "three").code == 64)
    }

    @Test func aFigureThatIsNotWrittenIsSaid() throws {
        try putPair([])
        let (grey, small) = (
            try #require(place.bytes("reference.png")),
            Image(width: 9, height: 9, pixels: [UInt8](repeating: 9, count: 324))
        )
        let other = Image(width: 64, height: 40, pixels: [UInt8](repeating: 180, count: 64 * 40 * 4).opaque)
        for name in ["all.png", "size.png"] { _ = place.folder.put(grey, "left/\(name)") }
        _ = place.folder.put(try PNG.encode(other), "right/all.png")
        _ = place.folder.put(try PNG.encode(small), "right/size.png")
        let outcome = place.command.run("diff", "left", "right", "--figures", "drawn", "--json", "a.json")
        #expect(outcome.errors.contains("--figures: nothing is written of left/all.png, as what differs lies all over"))
        #expect(
            outcome.errors.contains("--figures: nothing is written of left/size.png, as the sizes differ: 64×40 → 9×9"))
        let merged = place.command.run("report", "merge", "a.json", "--figures", "drawn")
        #expect(merged.errors.contains("left/all.png, as the result does not hold both pictures"))
    }

    @Test func resultsOfTwoPicturesOfferNothingToAcceptAndAreNotJoined() throws {
        try putPair(Self.changes)
        _ = diff("--report", "report.html", "--json", "two.json")
        #expect(try !place.text("report.html").contains("sha256:"))
        #expect(place.command.run("report", "merge", "two.json").errors.contains("the numbers of two pictures"))
        _ = place.folder.put(PDFPageTests.document(["1 0 0", "0 1 0"]), "left/a.pdf")
        _ = place.folder.put(PDFPageTests.document(["1 0 0", "0 0 1"]), "right/a.pdf")
        #expect(place.command.run("diff", "left", "right", "--report", "pages.html").code == 1)
        #expect(try !place.text("pages.html").contains("sha256:"))
        let hash = "sha256:" + String(repeating: "0", count: 64)
        place.put(
            #"{"format": "loupe-accept/1", "cases": [{"scene": "left/a.pdf", "picture": "\#(hash)"}]}"#, "accept.json")
        #expect(place.command.run("diff", "left", "right", "--accept", "accept.json").code == 65)
    }

    /// Each limit that a result names passes, with all others as they were given.
    @Test(arguments: [
        "--max-ratio 0.001", "--max-ratio 0.001 --max-pixels 9", "--max-ratio 0.1 --max-pixels 2",
        "--tolerance 3 --max-ratio 0",
        "--metric flip --threshold 0 --max-mean 0.00001",
        "--metric oklab --threshold 0.1 --max-mean 0 --max-ratio 0.001",
        "--metric oklab --threshold 90 --max-mean 0", "--metric ssim --max-mean 0",
        "--metric yiq --threshold 0 --max-ratio 0.0001",
        "--metadata strict --tolerance 9", "--metadata strict",
    ])
    func whatWouldPassPasses(_ flags: String) throws {
        try putPair(Self.changes)
        if flags.hasPrefix("--metadata") {
            _ = place.folder.put(
                try PNG.encode(try place.image("actual.png"), options: PNGOptions(density: PixelDensity(x: 9, y: 9))),
                "actual.png")
        }
        let given = flags.split(separator: " ").map(String.init)
        let outcome = place.command.run(["diff", "reference.png", "actual.png"] + given)
        #expect(outcome.code == 1)
        let line = outcome.text.split(separator: "\n").first { $0.hasPrefix("  would pass at ") }
        #expect((line == nil) == flags.hasPrefix("--metadata"))
        for advice in line?.dropFirst(16).split(separator: " or ") ?? [] {
            let words = advice.split(separator: " ").map(String.init)
            // A flag that is given anew replaces the other.
            let kept = stride(from: 0, to: given.count, by: 2).filter { !words.contains(given[$0]) }
            let all = kept.flatMap { [given[$0], given[$0 + 1]] } + words
            #expect(place.command.run(["diff", "reference.png", "actual.png"] + all).code == 0, "\(all)")
        }
    }

    @Test func aMeanThatIsTooLargeIsNotWrittenAsItsLimit() throws {
        try putPair([(1, 1, 1)])
        for metric in ["flip", "ssim", "oklab"] {
            let line = try #require(diff("--metric", metric, "--max-mean", "0").text.split(separator: "\n").first)
            #expect(line.hasPrefix("differs: the mean error is "), "\(line)")
            #expect(!line.contains("is 0.0;"), "\(line)")
        }
    }

    @Test func warningsAreErrorsWhereTheyAreToBe() throws {
        try putPair([])
        for folder in ["left", "right"] {
            _ = place.folder.put(try #require(place.bytes("actual.png")), "\(folder)/a.png")
        }
        place.put("", "left/notes.txt")
        #expect(place.command.run("diff", "left", "right", "--report", "r.html", "--junit", "r.xml").code == 0)
        #expect(try place.text("r.html").contains("not compared: notes.txt"))
        #expect(try place.text("r.xml").contains("<system-out>not compared: notes.txt</system-out>"))
        place.expectFailure(
            place.command.run("diff", "left", "right", "--strict"), 65, naming: "not compared: notes.txt",
            files: place.folder.names)
        place.put("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><flowRoot/></svg>", "a.svg")
        #expect(place.command.run("diff", "a.svg", "a.svg").code == 0)
        place.expectFailure(
            place.command.run("diff", "a.svg", "a.svg", "--strict"), 65, naming: "flowed text",
            files: place.folder.names)
    }

    @Test func maskIsOnePicture() throws {
        try putPair(Self.changes)
        let fixtures = DepthAndColorTests.fixtures
        _ = place.folder.put(PDFPageTests.document(["1 0 0", "0 1 0"]), "pages.pdf")
        for name in ["frames.gif", "animated.webp"] {
            _ = place.folder.put(try #require(TemporaryFolder.bytes(at: fixtures + name)), name)
        }
        for (name, words) in [
            ("frames.gif", "an animation"), ("animated.webp", "an animation"), ("pages.pdf", "several pages"),
        ] {
            let outcome = diff("--mask", name)
            #expect(outcome.code == 65)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func equalAnimationsAreTheSameAndOthersAreRefused() throws {
        let bytes = try #require(TemporaryFolder.bytes(at: DepthAndColorTests.fixtures + "animated.webp"))
        for name in ["a.webp", "b.webp"] { _ = place.folder.put(bytes, name) }
        #expect(place.command.run("diff", "a.webp", "b.webp").code == 0)
        try place.put(try ImageFile.read(path: Path(place.folder.file("a.webp"))), "first.png")
        let outcome = place.command.run("diff", "a.webp", "first.png")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("an animation, of which only the first frame"))
    }

    @Test func theFileThatIsCutShortIsNamed() throws {
        let whole = PDFPageTests.document(["1 0 0", "0 1 0"])
        _ = place.folder.put(whole, "whole.pdf")
        _ = place.folder.put(Array(whole.prefix(60)), "cut.pdf")
        for pair in [["whole.pdf", "cut.pdf"], ["cut.pdf", "whole.pdf"]] {
            let outcome = place.command.run(["diff"] + pair)
            #expect(outcome.code == 65)
            #expect(outcome.errors.contains("cut.pdf"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("whole.pdf"))
        }
    }

    @Test func aPageOfCropsHoldsEveryPicture() throws {
        try putPair(Self.changes)
        place.run("crops", "actual.png", "--reference", "reference.png", "--metric", "psnr", "--report", "page.html")
        let page = try place.text("page.html")
        #expect(page.contains(#""Reference""#) && page.contains(#""actual""#) && page.contains(#""PSNR ↑""#))
        #expect(page.ranges(of: "id=\"payload-picture-").count == 2)
    }

    // MARK: - What it writes

    @Test func differencePictureIsRedWherePixelsDiffer() throws {
        try putPair(Self.changes)
        #expect(diff("-o", "picture.png").code == 1)
        let picture = try place.image("picture.png")
        #expect(Array(picture.pixels[(30 * 64 + 50) * 4..<(30 * 64 + 50) * 4 + 4]) == [230, 0, 38, 255])
        let streamed = diff("-o", "-")
        #expect(streamed.code == 1 && streamed.output == place.bytes("picture.png"))
    }

    @Test func junitSaysTheSameOnOneLine() throws {
        try putPair(Self.changes)
        _ = diff("--junit", "results.xml")
        let line = "failed: differs: 5 of 2560 pixels differ (0.195 %); largest difference 9 at 50,30; boxes "
        let xml = try place.text("results.xml")
        #expect(xml.contains(#"<testsuites name="loupe-render diff" tests="1" failures="1""#))
        #expect(xml.contains("<failure message=\"\(line)"))
        #expect(diff("--junit", "-", "--tolerance", "9").text.contains("failures=\"0\""))
    }

    // MARK: - What it refuses

    @Test func picturesThatAreNoneAreRefused() throws {
        try putPair([])
        place.put("Hello", "text.png")
        _ = place.folder.put(Array(try #require(place.bytes("actual.png")).dropLast(30)), "cut.png")
        let small = Image(width: 3, height: 3, pixels: [UInt8](repeating: 255, count: 36))
        try place.put(small, "small.png")
        place.put(#"{"canvas": {"width": 9, "height": 9}}"#, "scene.json")
        func expect(_ code: Int32, _ words: String, _ arguments: String...) {
            place.expectFailure(["diff"] + arguments + ["--output", "out.png"], code, naming: words)
        }
        expect(65, "text.png", "text.png", "actual.png")
        expect(65, "cut.png", "reference.png", "cut.png")
        expect(65, "the mask has 3×3 pixels", "reference.png", "actual.png", "--mask", "small.png")
        expect(65, "canvas has 9×9 pixels", "reference.png", "actual.png", "--scene", "scene.json")
        for flags in [[], ["--mask", "gone.png"], ["--scene", "gone.png"]] {
            let actual = flags.isEmpty ? "gone.png" : "actual.png"
            place.expectFailure(["diff", "reference.png", actual] + flags, 66, naming: "gone.png")
        }
        #expect(place.bytes("out.png") == nil)
    }

    @Test(arguments: [
        ["--tolerance", "256"], ["--tolerance", "0x10"], ["--tolerance", "nan"], ["--tolerance", "1,2"],
        ["--allow-size"],
        ["--metadata", "loud"], ["--pages", "0"], ["--pages", "2-1"], ["--pages", "1"], ["--dpi", "0"],
        ["--dpi", "96"], ["--tolerance", "edge=3"], ["--tolerance", "rim=3"],
        ["--threshold", "0.1"], ["--metric", "psnr"], ["--max-mean", "0.1"], ["--include-aa"],
        ["--metric", "flip", "--include-aa"], ["--metric", "oklab", "--pixels-per-degree", "60"],
        ["--metric", "yiq", "--max-mean", "0.1"],
        // No pixel is judged by itself.
        ["--metric", "flip", "--max-mean", "0.1", "--max-pixels", "0"],
        ["--metric", "ssim", "--max-mean", "0.1", "--max-ratio", "0.1"],
        ["--metric", "flip", "--threshold", "3"], ["--metric", "flip", "--pixels-per-degree", "0"],
        ["--metric", "yiq", "--tolerance", "2"], ["--metric", "yiq", "--threshold", "nan"], ["--max-pixels", "-1"],
        ["--max-ratio", "1.5"], ["--ignore", "1,2,0x4"], ["--ignore", "1,2,3,4"], ["--json", "-", "--junit", "-"],
    ])
    func wrongFlagIsRefused(_ flags: [String]) throws {
        try putPair([])
        place.expectFailure(["diff", "reference.png", "actual.png"] + flags, 64)
    }

    @Test func outputThatCanNotBeWrittenIsNamed() throws {
        try putPair([])
        place.expectFailure(
            diff("--output", "gone/out"), 73, naming: "gone/out", files: ["actual.png", "page.png", "reference.png"])
    }
}

extension Image {
    fileprivate mutating func raise(_ x: Int, _ y: Int, by step: UInt8) {
        let place = (y * width + x) * 4
        for channel in place..<(place + 3) { pixels[channel] = pixels[channel] &+ step }
    }
}

extension [UInt8] {
    /// With every fourth byte, alpha, at 255.
    fileprivate var opaque: [UInt8] {
        enumerated().map { $0.offset % 4 == 3 ? 255 : $0.element }
    }
}
