import LoupeImaging
import TestSupport
import Testing

/// A driver that is missing, or that fails at some call: an exit code, one sentence, and no picture (docs/faults.md).
@Suite struct DriverFaultTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private static let flags = ["page.png", "-o", "out.png", "--no-metadata", "--margin", "9", "--corner", "8"]

    private func draw(_ fault: String, _ more: String...) -> Command.Outcome {
        place.command.run(Self.flags + more, environment: FaultyDriver.environment(fault))
    }

    @Test(arguments: [
        ("compile:0", "the driver can't compile mesh.vert: 0:7: a made-up mistake; 0:9: another"),
        ("compile:1-1", "the driver can't compile"),
        ("link:0", "the driver can't link"),
        ("link:1", "it gives no reason"),
        ("framebuffer:0", "a 58×48 framebuffer is incomplete (status 0x8cdd)"),
        ("texture:0", "texture (GL_OUT_OF_MEMORY"),
        ("texture:2", "texture (GL_OUT_OF_MEMORY"),
        ("upload:0", "the device has no memory for a"),
        // The first pixel is read where the device is chosen.
        ("read:1", "glReadPixels failed with GL_INVALID_OPERATION"),
        ("lost:0", "the device was reset, and its OpenGL ES context is lost"),
    ])
    func faultOfTheDriverIsToldInOneSentence(fault: String, words: String) {
        place.expectFailure(draw(fault), 70, naming: words)
    }

    @Test func textureThatFindsNoMemoryIsToldWithItsSize() {
        place.expectFailure(draw("texture:0", "--canvas", "900x700"), 70, naming: "40×30 texture", "for 1 MB")
        place.expectFailure(draw("texture:1", "--canvas", "900x700"), 70, naming: "900×700 texture", "for 3 MB")
    }

    @Test(arguments: ["initialize:0", "context:0", "current:0", "read:0", "read-lost:1"])
    func deviceThatDoesNotStartIsToldWithTheTable(fault: String) {
        place.expectFailure(draw(fault, "--no-fallback"), 69, naming: "no OpenGL ES 3.0 device works: all")
    }

    @Test(arguments: ["initialize:0-0", "context:0-0", "read:0-0"])
    func nextDeviceIsTakenWhereTheFirstDoesNotStart(fault: String) throws {
        place.expectSuccess(draw(fault))
        #expect(try place.image("out.png").width == 58)
    }

    @Test(arguments: ["lost:0-0", "read-lost:1-1", "current:1-1", "current:2-2"])
    func pictureIsDrawnAgainAfterAReset(fault: String) throws {
        place.expectSuccess(draw("none:0"))
        let undisturbed = try #require(place.bytes("out.png"))
        place.folder.remove("out.png")
        place.expectSuccess(draw(fault))
        #expect(place.bytes("out.png") == undisturbed)
    }

    @Test(arguments: ["lost:0-0", "lost:1-1", "lost:2-2"])
    func framesAreDrawnAgainAfterAReset(fault: String) throws {
        let session = #"""
            {"model": "keyframes", "fps": 10, "duration": 0.4,
             "scene": {"canvas": {"width": 50, "height": 40}, "layers": [{"image": "page.png"}],
                       "loupes": [{"center": [20, 15], "radius": 9, "zoom": 2}]},
             "keyframes": [{"t": 0.4, "loupe": 0, "center": [30, 20]}]}
            """#
        place.put(session, "session.json")
        func replay(_ name: String, _ fault: String) -> [UInt8]? {
            place.run(["replay", "session.json", "-o", name], environment: FaultyDriver.environment(fault))
            return place.bytes(name)
        }
        let undisturbed = try #require(replay("a.rgba", "none:0"))
        #expect(undisturbed.count == 4 * 50 * 40 * 4)
        #expect(replay("b.rgba", fault) == undisturbed)
    }

    @Test func otherJobsAreDrawnWhereOneFails() throws {
        let jobs = (0..<3).map { #"{"input": "page.png", "output": "\#($0).png", "margin": \#(10 + $0)}"# }
        place.put(jobs.joined(separator: "\n"), "jobs.jsonl")
        let outcome = place.command.run(
            ["batch", "jobs.jsonl"], environment: FaultyDriver.environment("texture:1-1"))
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("line 1: the device has no memory for a"))
        #expect(place.folder.names == ["1.png", "2.png", "jobs.jsonl", "page.png"])
    }

    // MARK: - No driver at all

    @Test(arguments: ["libEGL.so.1", "libGLESv2.so.2"])
    func machineWithoutALibraryOfTheDriverIsToldWhichOne(library: String) {
        // A file that is no library is found first.
        _ = place.folder.put([], library)
        let without = ["LD_LIBRARY_PATH": place.folder.path]
        place.expectFailure(
            Self.flags + ["--no-fallback"], 69, naming: "there is no OpenGL ES driver", library, "install it",
            environment: without)
        let table = place.command.run(["devices"], environment: without)
        #expect(table.code == 69 && table.text.contains("\n  \(library): can't be loaded: "))
        let fixes = table.text.split(separator: "what to fix:").last ?? ""
        #expect(fixes.contains("\(library) can't be loaded: ") && fixes.contains(". Fix: install it: "), "\(fixes)")
    }

    @Test func whatNeedsNoDeviceWorksWithoutADriver() {
        for library in ["libEGL.so.1", "libGLESv2.so.2", "libgbm.so.1"] { _ = place.folder.put([], library) }
        let without = ["LD_LIBRARY_PATH": place.folder.path]
        place.run(Self.flags + ["--reference"], environment: without)
        place.run(["diff", "page.png", "page.png"], environment: without)
        place.run(["page.png", "--print-scene"], environment: without)
    }
}
