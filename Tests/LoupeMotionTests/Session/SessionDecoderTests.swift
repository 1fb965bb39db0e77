import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

@Suite struct SessionDecoderTests {
    private struct Missing: Error, Equatable {
        let path: String
    }

    private let decoder = SessionDecoder { path in
        guard ["photo.png", "scenes/page.png"].contains(path) else { throw Missing(path: path.description) }
        return ImageSize(width: 3000, height: 1000)
    } file: { path in
        switch path {
        case "scenes/a.json": Array(#"{"layers": [{"image": "page.png"}]}"#.utf8)
        case "bad.json": Array(#"{"layers": [{"image": "page.png"}], "x": 1}"#.utf8)
        case "walk.csv": Array("time_ms,x,y,z\n100,0,2,0".utf8)
        case "tap.json": Array(#"[{"t": 0, "touch": 1, "phase": "began", "at": [9, 9]}]"#.utf8)
        case "bad.jsonl": Array("{\"t\": 0, \"rotation\": [0, 0, 0]}\n{\"t\": 1}".utf8)
        default: throw Missing(path: path.description)
        }
    }

    private func sentence(_ text: String) -> String {
        complaint { try decoder.decode(Array(text.utf8)) }
    }

    private static let canvas = #""canvas": {"width": 320, "height": 480}"#

    @Test func keyframesAsTheyAreWritten() throws {
        let session = try decoder.decode(
            Array(
                """
                {"model": "keyframes", "fps": 60, "duration": 4,
                 "scene": {"canvas": {"width": 100, "height": 100},
                           "loupes": [{"center": [1, 2], "radius": 30, "zoom": 2}]},
                 "keyframes": [{"t": 0, "loupe": 0, "center": [10, 20], "zoom": 2},
                               {"t": 1.5, "center": [30, 40], "zoom": 6, "curve": "ease-in-out"}]}
                """.utf8))
        #expect(session.frameCount == 240 && session.duration == 4 && session.trace == nil)
        #expect(session.model.frame(at: 0).scene.loupes[0].center.x == 10)
        #expect(near(session.model.frame(at: 0.75).scene.loupes[0].zoom, 4, 1e-6))
        #expect(session.model.frame(at: 2).scene.loupes[0].focus.y == 40)
    }

    /// Scene, trace and images of a session as one document, which needs no file.
    @Test func aSelfContainedSessionShowsTheSame() throws {
        let texts = [
            #"{"$schema": "s.json", "model": "loupe", "scene": "scenes/a.json", "trace": "tap.json"}"#,
            #"{"model": "tilt", \#(Self.canvas), "photo": "photo.png", "trace": "walk.csv"}"#,
            """
            {"model": "panorama", \(Self.canvas), "title": {"image": "photo.png"}, "items": [{"fill": "#fff"},
             {"scene": "scenes/a.json", "title": {"image": "photo.png"}}], "trace": "tap.json"}
            """,
        ]
        for text in texts {
            let whole = try decoder.decode(Array(text.utf8))
            let document = try decoder.selfContained(Array(text.utf8)) { _ in "7" }
            #expect(!document.line.contains("png") && !document.line.contains("scenes"))
            let alone = SessionDecoder { path in
                #expect(path == "7")
                return ImageSize(width: 3000, height: 1000)
            } file: { path in
                throw Missing(path: path.description)
            }
            let copy = try alone.decode(Array(document.line.utf8))
            #expect(copy.trace == whole.trace && copy.duration == whole.duration)
            for step in 0...20 {
                let time = Double(step) / 10
                let wanted = whole.model.frame(at: time)
                #expect(copy.model.frame(at: time).states == wanted.states)
                #expect(copy.model.frame(at: time).scene == wanted.scene.renamingImages { _ in "7" })
            }
        }
    }

    @Test func aSessionForAHandNeedsNoTrace() throws {
        let text = Array(#"{"model": "loupe", "scene": "scenes/a.json"}"#.utf8)
        #expect(throws: DocumentError.self) { try decoder.decode(text) }
        let session = try decoder.decode(text, needsTrace: false)
        #expect(session.trace == nil && session.model.frame(at: 1).scene.loupes.isEmpty)
    }

    @Test func sceneFilesKeepTheirFolder() throws {
        let text =
            #"{"model": "keyframes", "scene": "scenes/a.json", "keyframes": [{"t": 1, "layer": 0, "opacity": 0}]}"#
        let session = try decoder.decode(Array(text.utf8))
        let scene = session.model.frame(at: 0).scene
        #expect(scene.imagePaths == ["scenes/page.png"] && scene.canvas.width == 3000)
        // The last frame shows what the last keyframe has.
        #expect(session.framesPerSecond == 60 && session.frameCount == 61 && session.time(ofFrame: 60) == 1)
    }

    @Test(arguments: [
        (#"{"model": "tilt"}"#, #"trace: missing; the object has "model""#),
        (
            #"{"model": "tilt", "trace": "bad.jsonl"}"#,
            #"trace: bad.jsonl: line 2, column 1: touch: missing; the object has "t""#
        ),
        (#"{"model": "tilt", "trace": "none"}"#, #"Missing(path: "none")"#),
        (
            #"{"model": "scroll", "trace": "walk.csv"}"#,
            "trace: the model scroll needs touches, and the trace has none, only 1 samples of the rotation rate"
        ),
        (#"{"model": "tilt", "trace": []}"#, "trace: the trace has no event; at least one is needed"),
        (
            #"{"model": "tilt", "trace": [{"t": 0, "touch": 1, "phase": "moved", "at": [0, 0]}]}"#,
            "trace[0]: touch 1 moved before it began"
        ),
        (
            #"{"model": "tilt", "trace": "walk.csv", "photo": "no.png", "canvas": {"width": 9, "height": 9}}"#,
            #"Missing(path: "no.png")"#
        ),
        (
            #"{"model": "keyframes", "scene": "bad.json", "keyframes": []}"#,
            "scene: bad.json: x: unknown key; allowed are verify, canvas, blending, layers, loupes, pixelSize, scaleBars, labels, alt"
        ),
    ])
    func refusesWithTheKey(text: String, expected: String) {
        #expect(sentence(text) == expected)
    }

    /// A loupe that a drag of 60 points takes along, and that decelerates as Pop's custom properties do, up to the edge.
    @Test func aPositionInTheSceneScrolls() throws {
        func model(_ property: String) throws -> Session.Model {
            let events = (0...10).map { index in
                let phase = index == 0 ? "began" : "moved"
                let position = "[\(9 + 6 * index), 50]"
                return #"{"t": \#(Double(index) / 100), "touch": 1, "phase": "\#(phase)", "at": \#(position)}"#
            }
            return try decoder.decode(
                Array(
                    """
                    {"model": "scroll", "options": {"property": "\(property)"},
                     "trace": [\(events.joined(separator: ", ")), {"t": 0.1, "touch": 1, "phase": "ended", "at": [69, 50]}],
                     "scene": {"canvas": {"width": 320, "height": 90}, "layers": [{"fill": "#fff", "rect": [0, 0, 320, 90]}],
                               "loupes": [\(Self.loupe)]}}
                    """.utf8)
            ).model
        }
        let moved = try model("loupes[0].center")
        #expect(moved.frame(at: 0.1).scene.loupes[0].center == Point(x: 61, y: 2))
        let decay = Deceleration.pop(from: 61, velocity: 600, threshold: 0.01)
        let later = moved.frame(at: 0.4).scene
        #expect(near(later.loupes[0].center.x, decay.value(at: 0.3), 1e-6))
        #expect(later.loupes[0].focus == later.loupes[0].center)
        #expect(later.layers[0].rect.x == 0 && moved.frame(at: 9).scene.loupes[0].center.x == 320)
        #expect(try model("layers[0].rect").frame(at: 0.1).scene.layers[0].rect.x == 60)
        let sentence =
            #"options.property: "loupes[0].filter" is not allowed; allowed are bounds, custom and a "#
            + "property of the scene that keyframes can move, such as loupes[0].center"
        #expect { try model("loupes[0].filter") } throws: { "\($0)" == sentence }
    }

    @Test func loupesLookIsTheScenes() throws {
        let text = """
            {"model": "loupe", "trace": [{"t": 0, "touch": 1, "phase": "began", "at": [10, 20]},
               {"t": 0, "touch": 2, "phase": "began", "at": [50, 20]},
               {"t": 1, "touch": 1, "phase": "moved", "at": [10, 20]},
               {"t": 1, "touch": 2, "phase": "moved", "at": [90, 20]},
               {"t": 2, "touch": 1, "phase": "ended", "at": [10, 20]},
               {"t": 2, "touch": 2, "phase": "ended", "at": [90, 20]}],
             "scene": {"canvas": {"width": 90, "height": 90}, "layers": [{"fill": "#fff", "rect": [0, 0, 60, 50]}],
                       "loupes": [{"center": [1, 2], "radius": 30, "zoom": 2, "rim": {"width": 3}}]}}
            """
        let model = try decoder.decode(Array(text.utf8)).model
        #expect(model.frame(at: 0.5).scene.loupes.isEmpty)
        let loupe = try #require(model.frame(at: 1).scene.loupes.first)
        #expect(loupe.radius == 30 && loupe.rim?.width == 3 && loupe.shadow == nil && loupe.center.x == 50)
    }

    private static let scenesWithoutUse = [
        ("", "options.layer: the scene has no layer; one is needed to draw on"),
        (
            ##", "layers": [{"fill": "#fff", "rect": [0, 0, 9, 9]}], "loupes": [\##(loupe), \##(loupe)]"##,
            "scene: the scene has 2 loupes; at most one is allowed, as the look of the loupe that a pinch opens"
        ),
    ]

    @Test(arguments: scenesWithoutUse)
    func refusesLoupesScenes(members: String, expected: String) {
        let scene = #"{"canvas": {"width": 90, "height": 90}\#(members)}"#
        #expect(sentence(#"{"model": "loupe", "trace": "tap.json", "scene": \#(scene)}"#) == expected)
    }

    private static let loupe = #"{"center": [1, 2], "radius": 30, "zoom": 2}"#

    @Test(arguments: [
        ("", "keyframes: it is empty; at least one keyframe is needed"),
        (#"{"t": 0}"#, "keyframes[0]: the keyframe moves no property; at least one is needed"),
        (#"{"t": 0, "loupe": 1, "zoom": 2}"#, "keyframes[0].loupe: 1 is out of range; allowed is 0…0"),
        (#"{"t": 0, "rim": {"width": 2}}"#, "keyframes[0].rim: the scene's loupe 0 has no rim"),
        (
            #"{"t": 1, "zoom": 2}, {"t": 0.5, "zoom": 3}"#,
            "keyframes[1].t: 0.5 is before the previous keyframe's 1; times must increase"
        ),
        (
            #"{"t": 1, "loupe": 0, "layer": 0}"#,
            "keyframes[0].loupe: both loupe and layer are given; a keyframe moves one of them"
        ),
    ])
    func refusesKeyframes(keyframes: String, expected: String) {
        let scene =
            ##"{"canvas": {"width": 90, "height": 90}, "layers": [{"fill": "#fff", "rect": [0, 0, 60, 50]}], "##
            + #""loupes": [{"center": [1, 2], "radius": 30, "zoom": 2}]}"#
        #expect(sentence(#"{"model": "keyframes", "scene": \#(scene), "keyframes": [\#(keyframes)]}"#) == expected)
    }

    @Test func refusesARadiusForALoupeThatIsNoDisc() {
        let scene =
            ##"{"canvas": {"width": 90, "height": 90}, "layers": [], "##
            + #""loupes": [{"center": [40, 40], "shape": {"size": [30, 20]}, "zoom": 2}]}"#
        let keyframe = #"{"t": 1, "radius": 40}"#
        #expect(
            sentence(#"{"model": "keyframes", "scene": \#(scene), "keyframes": [\#(keyframe)]}"#)
                == "keyframes[0].radius: the scene's loupe 0 has a shape and no radius")
    }

    @Test func frameCountsAreTheFramesThatBeginInTime() {
        let model = SampleModels.tilt(Trace())
        for (rate, duration, count) in [(60.0, 0.6, 36), (30, 0.01, 1), (60, 1, 60), (29.97, 10, 300), (120, 0.1, 12)] {
            let session = Session(model: .tilt(model), trace: nil, framesPerSecond: rate, duration: duration)
            #expect(session.frameCount == count)
        }
    }
}
