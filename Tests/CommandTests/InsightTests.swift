import Glibc
import LoupeImaging
import TestSupport
import Testing

/// Ways to see how a picture is made: `render --shaders`, `render --show-plan`, and the files that are opened.
@Suite struct InsightTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// A shader that paints every pixel of the base view red.
    private static let red = """
        #version 300 es
        precision highp float;
        out vec4 fragColor;
        void main() { fragColor = vec4(1.0, 0.0, 0.0, 1.0); }
        """

    @Test func aShaderFromAFolderDrawsThePicture() throws {
        place.put(Self.red, "shaders/no-edge.frag")
        place.run("page.png", "-o", "out.png", "--shaders", "shaders")
        let image = try place.image("out.png")
        let red: [UInt8] = [255, 0, 0, 255]
        #expect(stride(from: 0, to: image.pixels.count, by: 4).allSatisfy { Array(image.pixels[$0..<$0 + 4]) == red })
    }

    @Test func aFolderOfOtherShadersIsRefused() {
        place.put("no GLSL", "shaders/no-edge.frag")
        place.expectFailure(["page.png", "-o", "out.png", "--shaders", "shaders"], 65, naming: "no-edge.frag")
        place.folder.remove("shaders")
        place.put(Self.red, "shaders/other.frag")
        place.expectFailure(["page.png", "-o", "out.png", "--shaders", "shaders"], 65, naming: "shaders", "other.frag")
        place.expectFailure(["page.png", "-o", "out.png", "--shaders", "gone"], 66, naming: "gone")
    }

    @Test func thePlanIsShownBesideThePicture() throws {
        let flags = ["--margin", "9", "--at", "30,20", "--radius", "12"]
        place.run(["page.png", "-o", "out.png"] + flags)
        let alone = place.bytes("out.png")
        place.run(["page.png", "-o", "out.png", "--show-plan", "plan.png"] + flags)
        #expect(place.bytes("out.png") == alone)
        let (plan, picture) = (try place.image("plan.png"), try place.image("out.png"))
        // Enlarged by a whole number.
        #expect(plan.width % picture.width == 0)
        #expect(plan.height == picture.height * (plan.width / picture.width))
        place.expectFailure(["page.png", "-o", "out.png", "--show-plan", "page.png"], 64, naming: "--show-plan")
        place.expectFailure(["page.png", "-o", "-", "--show-plan", "-"], 64, naming: "--show-plan", "standard output")
    }

    @Test func thePlanOfEachFrameIsShown() throws {
        let session = #"""
            {"model": "keyframes", "fps": 2, "duration": 1,
             "scene": {"layers": [{"image": "page.png"}],
                       "loupes": [{"center": [20, 15], "radius": 8, "zoom": 2}]},
             "keyframes": [{"t": 1, "loupe": 0, "center": [0, 0]}]}
            """#
        place.put(session, "session.json")
        place.run("replay", "session.json", "-o", "%d.png", "--show-plan", "--quiet")
        place.run("replay", "session.json", "--scene-at", "0.5")
        _ = place.folder.put(place.command.run("replay", "session.json", "--scene-at", "0.5").output, "scene.json")
        place.run("scene.json", "-o", "out.png", "--show-plan", "plan.png")
        #expect(try place.image("1.png") == place.image("plan.png"))
        place.run("replay", "session.json", "-o", "a.apng", "--show-plan", "--quiet")
        #expect(try place.image("a.apng") == place.image("0.png"))
        place.expectFailure(
            ["replay", "session.json", "-o", "s.png", "--sheet", "2x1", "--show-plan"], 64, naming: "--show-plan",
            "--sheet")
    }

    /// The kernel reports each time a file is opened.
    @Test(arguments: [[], ["--at", "20,15"], ["--margin", "4", "--map", "map.json", "--stats", "stats.json"]])
    func anImageIsOpenedOnceARender(_ flags: [String]) {
        let watch = inotify_init1(Int32(O_NONBLOCK))
        defer { close(watch) }
        #expect(inotify_add_watch(watch, place.folder.file("page.png"), UInt32(IN_OPEN)) >= 0)
        place.run(["page.png", "-o", "out.png"] + flags)
        var events = [inotify_event](repeating: inotify_event(), count: 100)
        let count = read(watch, &events, events.count * MemoryLayout<inotify_event>.stride)
        #expect(count == MemoryLayout<inotify_event>.stride)
    }
}
