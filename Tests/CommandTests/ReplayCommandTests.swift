import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// What `loupe-render replay` writes, and how it fails.
@Suite struct ReplayCommandTests {
    let place: Workplace

    private static let nothing = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]

    /// Ten frames: two at rest, five on the way, three at rest.
    private static let session = """
        {"model": "keyframes", "fps": 10, "duration": 1,
         "scene": {"layers": [{"image": "page.png"}], "loupes": [{"center": [10, 15], "radius": 8, "zoom": 3}]},
         "keyframes": [{"t": 0.2, "center": [10, 15]}, {"t": 0.7, "center": [30, 12]}]}
        """

    init() throws {
        place = try Workplace()
        place.put(Self.session, "session.json")
    }

    private func replay(
        _ arguments: String..., environment: [String: String] = [:], readerHasGone: Bool = false
    ) -> Command.Outcome {
        place.command.run(
            ["replay", "session.json"] + arguments, environment: environment, readerHasGone: readerHasGone)
    }

    private func frames(_ numbers: some Sequence<Int> = 0..<10) throws -> [Image] {
        try numbers.map { try place.image("f00\($0).png") }
    }

    /// What there is beside the inputs.
    private var made: [String] { place.folder.names.filter { $0 != "page.png" && $0 != "session.json" } }

    // MARK: - What is written

    @Test func everythingIsDrawnLarger() throws {
        place.expectSuccess(replay("-o", "a.png", "--to", "0.1", "--scale", "2"))
        let printed = replay("--scene-at", "0", "--scale", "2")
        place.expectSuccess(printed)
        _ = place.folder.put(printed.output, "scene.json")
        place.run("scene.json", "-o", "scene.png")
        let frame = try place.image("a.png")
        #expect(try frame == place.image("scene.png") && frame.width == 80 && frame.height == 60)
        place.expectSuccess(replay("-o", "sheet.png", "--sheet", "2x1"))
        place.expectSuccess(replay("-o", "sheet2.png", "--sheet", "2x1", "--scale", "2"))
        #expect(try place.image("sheet2.png").width - place.image("sheet.png").width == 80)
        place.expectSuccess(replay("-o", "device.png", "--to", "0.1", "--show-device"))
        place.expectSuccess(replay("-o", "device2.png", "--to", "0.1", "--show-device", "--scale", "2"))
        #expect(try place.image("device2.png").width == 2 * place.image("device.png").width)
        let made = made + ["page.png", "session.json"]
        place.expectFailure(
            replay("-o", "c.png", "--to", "0.1", "--caption", "a", "--scale", "1.5"), 64, naming: "--scale", files: made
        )
        place.expectFailure(replay("-o", "c.png", "--to", "0.1", "--scale", "17"), 64, naming: "--scale", files: made)
    }

    @Test func everyFrameBecomesANumberedPicture() throws {
        let outcome = replay("-o", "f%03d.png")
        place.expectSuccess(outcome)
        #expect(outcome.output.isEmpty)
        #expect(made == (0..<10).map { "f00\($0).png" })
        let frames = try frames()
        try #require(frames.count == 10)
        #expect(frames[0] == frames[2] && frames[7] == frames[9])
        #expect(Set((2...7).map { frames[$0].pixels }).count == 6)
        place.expectSuccess(replay("-o", "%d.png"))
        #expect(try place.image("4.png") == frames[4])
    }

    @Test func frameIsThePictureOfItsScene() throws {
        place.expectSuccess(replay("-o", "f%03d.png"))
        let scene = replay("--scene-at", "0.4", environment: Self.nothing)
        place.expectSuccess(scene)
        _ = place.folder.put(scene.output, "scene.json")
        place.run("render", "scene.json", "-o", "scene.png")
        #expect(try place.image("scene.png") == place.image("f004.png"))
    }

    /// An SVG, a page of a PDF and a scene, each under a title of its own.
    @Test func itemsOfAPanoramaAreViews() throws {
        let svg =
            ##"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><path fill="#0f0" d="M0 0h90v40H0"/></svg>"##
        place.put(svg, "a.svg")
        place.run("a.svg", "-o", "a.pdf")
        place.put(
            ##"{"canvas": {"width": 90, "height": 40}, "layers": [{"fill": "#0f0", "rect": [0, 0, 400, 40]}]}"##,
            "a.json")
        let items = ["image\": \"a.svg", "image\": \"a.pdf", "scene\": \"a.json"].map {
            ##"{"\##($0)", "width": 90, "title": {"fill": "#f00", "size": [20, 10]}}"##
        }
        let session = ##"""
            {"model": "panorama", "duration": 0.01, "canvas": {"width": 300, "height": 60, "background": "#fff"},
             "title": {"fill": "#00f", "size": [300, 10]}, "items": [\##(items.joined(separator: ", "))],
             "trace": [{"t": 0, "touch": 1, "phase": "began", "at": [1, 1]}, {"t": 0, "touch": 1, "phase": "ended", "at": [1, 1]}]}
            """##
        place.put(session, "session.json")
        place.expectSuccess(replay("-o", "f%d.png"))
        let frame = try place.image("f0.png")
        let color = { (x: Int, y: Int) in frame.part(x: x, y: y, width: 1, height: 1) }
        for x in [5, 95, 185] {
            #expect(color(x + 5, 5) == [0, 0, 255, 255] && color(x + 5, 15) == [255, 0, 0, 255], "\(x): titles")
            #expect(color(x + 40, 15) == [255, 255, 255, 255] && color(x + 85, 40) == [0, 255, 0, 255], "\(x): page")
        }
        #expect(color(278, 40) == [255, 255, 255, 255], "the scene is cut")
    }

    @Test func resumeDrawsOnlyWhatIsMissing() throws {
        place.expectSuccess(replay("-o", "f%03d.png"))
        let fourth = try place.image("f004.png")
        let fifth = try #require(place.bytes("f005.png"))
        let kept = try #require(place.bytes("page.png"))
        _ = place.folder.put(kept, "f003.png")
        _ = place.folder.put([], "f004.png")
        _ = place.folder.put(Array(fifth.dropLast(9)), "f005.png")
        place.expectSuccess(replay("-o", "f%03d.png", "--resume"))
        #expect(place.bytes("f003.png") == kept)
        #expect(try place.image("f004.png") == fourth)
        #expect(place.bytes("f005.png") == fifth)
        place.expectSuccess(replay("-o", "f%03d.png"))
        #expect(place.bytes("f003.png") != kept)
    }

    /// The first frame is at the time that is asked for, the next ones as far apart as ever.
    @Test func framesAreChosenByStepAndTime() throws {
        place.expectSuccess(replay("-o", "a%d.png", "--every", "3"))
        place.expectSuccess(replay("-o", "b%d.png", "--from", "0.25", "--to", "0.6"))
        place.expectSuccess(replay("-o", "c%d.png", "--from", "0.15", "--every", "3", "--to", "0.6"))
        let ofB = ["b3.png", "b4.png", "b5.png", "b6.png"]
        #expect(made == ["a0.png", "a3.png", "a6.png", "a9.png"] + ofB + ["c2.png", "c5.png"])
        let states = replay("--dry-run", "--states", "-", "--from", "0.25", "--to", "0.6").output
        let lines = states.split(separator: UInt8(ascii: "\n"))
        let times = try lines.map { line throws -> Double? in
            guard case .number(let time) = try JSONValue(parsing: Array(line))["t"] else { return nil }
            return time
        }
        #expect(times.map { $0.map { ($0 * 1e9).rounded() } } == [25e7, 35e7, 45e7, 55e7])
    }

    @Test func animatedPNGHoldsTheSameFrames() throws {
        place.expectSuccess(replay("-o", "f%03d.png"))
        place.expectSuccess(replay("-o", "out.apng", "--loops", "3"))
        let bytes = try #require(place.bytes("out.apng"))
        let animation = try AnimatedPNG(bytes)
        let types = animation.chunks.map(\.type)
        #expect(types.prefix(4) == ["IHDR", "acTL", "fcTL", "IDAT"] && types.last == "IEND")
        #expect(animation.control == (types.count { $0 == "fcTL" }, 3))
        #expect(animation.sequenceNumbers == Array(animation.sequenceNumbers.indices))
        // Those at rest are one frame each that is shown longer.
        #expect(animation.control.frames == 6)
        #expect(try animation.frames(perSecond: 10) == frames())
        // A reader that knows nothing of animation shows the first.
        #expect(try place.image("out.apng") == place.image("f000.png"))
        #expect(place.command.run("out.apng", "-o", "a.png").errors.contains("out.apng: it is the first of 6 frames"))
        // A comparison does not pass by its first frame.
        place.expectFailure(["diff", "f000.png", "out.apng"], 65, naming: "out.apng", "animation")
        place.expectSuccess(place.command.run("diff", "out.apng", "out.apng"))
    }

    @Test(arguments: ["out.mp4", "f%d.png", "out.raw"]) func onlyAnimationsHaveLoops(name: String) {
        let outcome = replay("-o", name, "--loops", "2")
        #expect(outcome.code == 64 && outcome.errors.contains("--loops: only for an APNG, WebP or GIF"))
    }

    @Test func rawIsFrameAfterFrame() throws {
        place.expectSuccess(replay("-o", "f%03d.png"))
        let outcome = replay("-o", "-", "--format", "raw")
        place.expectSuccess(outcome)
        #expect(outcome.output.count == 10 * 40 * 30 * 4)
        #expect(try outcome.output == frames().flatMap(\.pixels))
        place.expectSuccess(replay("-o", "out.rgba"))
        #expect(place.bytes("out.rgba") == outcome.output)
    }

    @Test func sheetHasFramesSideBySide() throws {
        place.expectSuccess(replay("-o", "f%03d.png"))
        place.expectSuccess(replay("-o", "sheet.png", "--sheet", "5x2"))
        let sheet = try place.image("sheet.png")
        #expect((sheet.width, sheet.height) == (5 * 48 + 8, 2 * 38 + 8))
        for (index, frame) in try frames().enumerated() {
            let (x, y) = (8 + index % 5 * 48, 8 + index / 5 * 38)
            #expect(sheet.part(x: x, y: y, width: 40, height: 30) == frame.pixels)
        }
        place.expectSuccess(replay("-o", "ends.png", "--sheet", "2x1"))
        let ends = try place.image("ends.png")
        #expect(try ends.part(x: 56, y: 8, width: 40, height: 30) == place.image("f009.png").pixels)
    }

    @Test func statesAreOneObjectALineAndNeedNoDevice() throws {
        let outcome = replay("--dry-run", "--states", "-", environment: Self.nothing)
        place.expectSuccess(outcome)
        let lines = outcome.text.split(separator: "\n")
        try #require(lines.count == 10)
        for (number, line) in lines.enumerated() {
            let states = try JSONValue(parsing: Array(line.utf8))
            #expect(states.keys == ["frame", "t", "loupes[0].center", "views"])
            #expect(states["frame"] == .number(Double(number)))
            #expect(states["t"] == .number(Double(number) / 10))
        }
        let middle = try JSONValue(parsing: Array(lines[2].utf8))
        #expect(middle["loupes[0].center"] == .array([.number(10), .number(15)]))
        #expect(made.isEmpty)
    }

    @Test func readerThatHasGoneEndsItQuietly() {
        place.expectSuccess(replay("-o", "-", "--format", "raw", readerHasGone: true))
        place.expectSuccess(replay("--dry-run", "--states", "-", readerHasGone: true))
    }

    // MARK: - Failures

    private func expectFailure(_ outcome: Command.Outcome, _ code: Int32, naming words: String...) {
        place.expectFailure(outcome, code, naming: words, files: ["page.png", "session.json"])
    }

    @Test func framesWithoutANumberInTheirNamesAreRefused() {
        expectFailure(replay("-o", "out.png"), 64, naming: "out.png", "%04d")
        expectFailure(replay("-o", "out.bmp"), 64, naming: "out.bmp", "--format")
        expectFailure(replay(), 64, naming: "-o OUT")
        expectFailure(replay("-o", "-"), 64, naming: "--format")
        expectFailure(replay("-o", "f%d.png", "--every", "0"), 64, naming: "--every")
        for grid in ["0x2", "101x1", "1000000x1000000", "3"] {
            expectFailure(replay("-o", "s.png", "--sheet", grid), 64, naming: "--sheet", grid)
        }
        expectFailure(replay("-o", "out.apng", "--resume"), 64, naming: "--resume", "%04d")
        expectFailure(replay("-o", "f%d.png", "--from", "2"), 64, naming: "--from", "1 s")
        expectFailure(replay("--scene-at", "nan"), 64, naming: "--scene-at")
    }

    @Test func folderThatIsNotThereIsRefused() {
        for output in ["missing/%d.png", "missing/out.apng", "missing/out.rgba"] {
            expectFailure(replay("-o", output), 73, naming: "missing/")
        }
    }

    @Test func missingDeviceIsToldOf() {
        expectFailure(replay("-o", "f%d.png", "--no-fallback", environment: Self.nothing), 69, naming: "device")
    }
}
