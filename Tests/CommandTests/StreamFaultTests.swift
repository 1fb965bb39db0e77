import Glibc
import LoupeImaging
import Testing

/// Streams that are closed, and readers that leave (docs/faults.md). Signals are tried by tools/check/faults.
@Suite struct StreamFaultTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    @Test(arguments: [
        ["page.png", "-o", "-"], ["page.png", "--print-scene"], ["diff", "page.png", "page.png"], ["devices"],
        ["--help"],
    ])
    func readerThatLeavesEndsTheCommandQuietly(arguments: [String]) {
        place.expectSuccess(place.command.run(arguments, readerHasGone: true))
    }

    @Test func readerThatLeavesDoesNotChangeTheVerdict() throws {
        place.run("page.png", "-o", "other.png", "--at", "20,15")
        let outcome = place.command.run(["diff", "page.png", "other.png", "--max-pixels", "0"], readerHasGone: true)
        #expect(outcome.code != 0 && outcome.errors.isEmpty)
    }

    @Test func animatedPictureIsRefusedWhereItCanNotBeEnded() {
        let session = #"""
            {"model": "keyframes", "fps": 10, "duration": 0.2, "scene": {"layers": [{"image": "page.png"}], "loupes": [{"center": [9, 9], "radius": 5, "zoom": 2}]},
             "keyframes": [{"t": 0.2, "loupe": 0, "center": [20, 9]}]}
            """#
        place.put(session, "session.json")
        mkfifo(place.folder.file("pipe"), 0o600)
        let reader = open(place.folder.file("pipe"), O_RDWR)
        defer { close(reader) }
        place.expectFailure(
            ["replay", "session.json", "-o", "pipe", "--format", "apng"], 73,
            naming: "pipe: can't be written: an animated PNG", "a file of its own")
    }
}
