import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// What `loupe-render replay` tells of gestures.
@Suite struct GestureCommandTests {
    let place: Workplace

    private static let nothing = ["__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"]

    init() throws { place = try Workplace() }

    private func replay(_ arguments: String...) -> Command.Outcome {
        place.command.run(["replay", "session.json"] + arguments)
    }

    /// Two touches that spread, in a session whose name needs escaping.
    private static let pinch = """
        {"model": "loupe", "fps": 10, "duration": 1, "canvas": {"width": 400, "height": 300}, "page": "page.png",
         "trace": [{"t": 0, "touch": 1, "phase": "began", "at": [100, 100]},
                   {"t": 0, "touch": 2, "phase": "began", "at": [160, 100]},
                   {"t": 0.3, "touch": 1, "phase": "moved", "at": [80, 100]},
                   {"t": 0.3, "touch": 2, "phase": "moved", "at": [180, 100]},
                   {"t": 0.8, "touch": 1, "phase": "ended", "at": [80, 100]},
                   {"t": 0.8, "touch": 2, "phase": "ended", "at": [180, 100]}]}
        """

    @Test func chartTellsTheDecisions() throws {
        place.put(Self.pinch, "a<b&c.json")
        place.run(["replay", "a<b&c.json", "--plot", "out.svg"], environment: Self.nothing)
        let text = try place.text("out.svg")
        #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n") && !text.contains("<script"))
        #expect(text.contains("a&lt;b&amp;c.json") && !text.contains("a<b"))
        #expect(text.contains("s, touches 1 and 2: pinch: "))
    }

    /// What lies under a loupe is magnified, but not the touches.
    @Test func touchesLieOverTheLoupe() throws {
        place.put(Self.pinch, "session.json")
        place.expectSuccess(replay("-o", "plain.png", "--from", "0.5", "--to", "0.55"))
        place.expectSuccess(replay("-o", "touched.png", "--from", "0.5", "--to", "0.55", "--show-touches"))
        let (plain, touched) = (try place.image("plain.png"), try place.image("touched.png"))
        for (x, y, isTouched) in [
            (80, 100, true), (180, 100, true), (95, 100, true), (110, 100, false), (50, 100, false),
        ] {
            let start = (y * plain.width + x) * 4
            let isSame = plain.pixels[start..<start + 4] == touched.pixels[start..<start + 4]
            #expect(isSame != isTouched, "\(x), \(y)")
        }
    }
}
