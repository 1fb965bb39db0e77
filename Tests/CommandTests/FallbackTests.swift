import LoupeImaging
import TestSupport
import Testing

/// Where no device works, `render`, `replay` and `batch` draw with the reference renderer; checks never do.
@Suite struct FallbackTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// The ways to have no device that works.
    enum Machine: String, CaseIterable {
        case withoutEGL, withoutGLES, withoutDrivers, withFailingDriver
    }

    private static let flags = ["--margin", "9", "--corner", "8", "--at", "20,15", "--radius", "9"]
    private static let note = "loupe-render: note: "
    private static let session = #"""
        {"model": "keyframes", "fps": 10, "duration": 0.4,
         "scene": {"canvas": {"width": 50, "height": 40, "background": "#888"}, "layers": [{"image": "page.png"}],
                   "loupes": [{"center": [20, 15], "radius": 9, "zoom": 2}]},
         "keyframes": [{"t": 0.4, "loupe": 0, "center": [30, 20]}]}
        """#

    private func environment(_ machine: Machine) -> [String: String] {
        // A file that is no library is found first.
        func without(_ library: String) -> [String: String] {
            _ = place.folder.put([], "libraries/" + library)
            return ["LD_LIBRARY_PATH": place.folder.file("libraries")]
        }
        return switch machine {
        case .withoutEGL: without("libEGL.so.1")
        case .withoutGLES: without("libGLESv2.so.2")
        case .withoutDrivers: ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]
        case .withFailingDriver: FaultyDriver.environment("initialize:0")
        }
    }

    private func run(_ arguments: [String], on machine: Machine = .withoutEGL) -> Command.Outcome {
        place.command.run(arguments, environment: environment(machine), seconds: 60)
    }

    /// That a run ended well, and said in one line that the reference renderer drew.
    private func expectNote(_ outcome: Command.Outcome, _ words: String..., location: SourceLocation = #_sourceLocation)
    {
        #expect(outcome.code == 0, "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.hasPrefix(Self.note), "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)", sourceLocation: location)
        for word in words + ["the reference renderer draws"] {
            #expect(outcome.errors.contains(word), "\(word) in \(outcome.errors)", sourceLocation: location)
        }
    }

    private func expectClose(_ name: String, _ other: String, location: SourceLocation = #_sourceLocation) throws {
        let (one, two) = (try place.image(name), try place.image(other))
        #expect(one.size == two.size, sourceLocation: location)
        #expect(
            zip(one.pixels, two.pixels).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, sourceLocation: location)
    }

    @Test(arguments: Machine.allCases)
    func pictureIsThatOfTheReferenceRenderer(machine: Machine) throws {
        let words = ["withoutEGL": "libEGL.so.1", "withoutGLES": "libGLESv2.so.2"]
        expectNote(
            run(["page.png", "-o", "out.png"] + Self.flags, on: machine), words[machine.rawValue] ?? "candidates")
        place.run(["page.png", "-o", "exact.png", "--reference"] + Self.flags)
        place.run(["page.png", "-o", "device.png", "--device", "cpu"] + Self.flags)
        #expect(place.bytes("out.png") == place.bytes("exact.png"))
        try expectClose("out.png", "device.png")
    }

    @Test(arguments: [["--depth", "16"], ["--stream-from", "100"], ["--show-plan", "plan.png", "--map", "map.json"]])
    func otherOutputsAreThoseOfTheReferenceRenderer(options: [String]) throws {
        expectNote(run(["page.png", "-o", "out.png"] + Self.flags + options))
        let files = ["out.png", "plan.png", "map.json"]
        let drawn = files.map(place.bytes)
        place.run(["page.png", "-o", "out.png", "--reference"] + Self.flags + options)
        #expect(files.map(place.bytes) == drawn)
    }

    @Test func framesAreDrawnToo() throws {
        place.put(Self.session, "session.json")
        expectNote(run(["replay", "session.json", "-o", "%d.png"], on: .withFailingDriver), "all")
        place.run("replay", "session.json", "-o", "device-%d.png", "--device", "cpu")
        for number in 0..<4 { try expectClose("\(number).png", "device-\(number).png") }
        #expect(place.bytes("0.png") != place.bytes("3.png"))
        expectNote(run(["replay", "session.json", "-o", "out.apng", "--show-plan"]))
    }

    @Test func batchSaysItOnce() throws {
        let jobs = (0..<9).map { #"{"input": "page.png", "output": "\#($0).png", "margin": \#(10 + $0)}"# }
        place.put(jobs.joined(separator: "\n"), "jobs.jsonl")
        expectNote(run(["batch", "jobs.jsonl", "--quiet"]))
        for number in [0, 8] {
            place.run("page.png", "-o", "exact.png", "--margin", "\(10 + number)", "--reference")
            #expect(place.bytes("\(number).png") == place.bytes("exact.png"))
        }
        #expect(place.folder.names.filter { $0.hasSuffix(".png") }.count == 11)
    }

    @Test(arguments: ["auto", "cpu", "0", "/dev/dri/renderD128"])
    func deviceThatIsAskedForIsNeverReplaced(device: String) {
        let failure = run(["page.png", "-o", "out.png", "--device", device])
        place.expectFailure(failure, 69, naming: "libEGL.so.1", files: ["libraries", "page.png"])
    }

    @Test func fallbackCanBeRefused() {
        place.put(Self.session, "session.json")
        place.put(#"{"input": "page.png", "output": "out.png"}"#, "jobs.jsonl")
        let files = ["jobs.jsonl", "libraries", "page.png", "session.json"]
        for arguments in [
            ["page.png", "-o", "out.png"], ["replay", "session.json", "-o", "out.apng"], ["batch", "jobs.jsonl"],
        ] {
            let refused = run(arguments + ["--no-fallback"])
            place.expectFailure(refused, 69, naming: "there is no OpenGL ES driver", files: files)
            var variables = environment(.withoutEGL)
            variables["LOUPE_NO_FALLBACK"] = "1"
            place.expectFailure(arguments, 69, naming: "there is no OpenGL ES driver", environment: variables)
        }
        let unset = environment(.withoutEGL).merging(["LOUPE_NO_FALLBACK": "0"]) { $1 }
        expectNote(place.command.run(["page.png", "-o", "out.png"], environment: unset))
    }

    @Test func whatLooksAtADeviceNeverFallsBack() {
        let scene =
            ##"{"canvas": {"width": 20, "height": 10}, "layers": [{"fill": "#20a040", "rect": [4, 2, 12, 6]}]}"##
        place.put(scene, "scenes/a.json")
        place.run("scenes/a.json", "-o", "scenes/a.png", "--reference")
        let files = ["libraries", "page.png", "scenes"]
        for arguments in [["verify", "scenes"], ["inspect", "scenes/a.json", "--at", "5,5"]] {
            place.expectFailure(run(arguments), 69, naming: "libEGL.so.1", files: files)
        }
        let shaders = run(["page.png", "-o", "out.png", "--shaders", Repository.path + "/Shaders"])
        place.expectFailure(shaders, 69, naming: "--shaders", "libEGL.so.1", files: files)
        #expect(run(["devices"]).code == 69)
        #expect(run(["bench", "--quick"]).code == 69)
    }
}
