import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

/// `--place`. Whether the figures are good is tested where placements are made.
@Suite struct PlaceFlagTests {
    private func scene(_ flags: [String]) throws -> Scene { try FlaggedPage.scene(flags) }

    private static let callouts = ["--callout", "page:10,10", "--callout", "page:30,20", "--radius", "8"]

    /// How far a loupe's centre lies off a page.
    private func distance(_ loupe: Loupe, _ page: Rect) -> Double {
        let across = max(page.minX - loupe.center.x, loupe.center.x - page.maxX, 0)
        let down = max(page.minY - loupe.center.y, loupe.center.y - page.maxY, 0)
        return Vector(dx: across, dy: down).length
    }

    @Test(arguments: [[], ["--margin", "3"]])
    func besideThePageTheCanvasIsWider(margin: [String]) throws {
        let scene = try scene(["--place", "beside", "--scale", "1"] + Self.callouts + margin)
        let edge = margin.last == "3" ? 6 : 0
        let (rect, canvas) = (scene.layers[0].rect, scene.canvas)
        #expect(rect.width == 40 && rect.height == 30)
        #expect((canvas.width == 40 + edge) != (canvas.height == 30 + edge))
        for (loupe, focus) in zip(scene.loupes, [Point(x: 10, y: 10), Point(x: 30, y: 20)]) {
            #expect(loupe.focus == Point(x: rect.x + focus.x, y: rect.y + focus.y))
            #expect(distance(loupe, rect) >= loupe.radius)
        }
        #expect(scene.loupes[0].center.distance(to: scene.loupes[1].center) >= 16 + 6)
    }

    /// The page goes on beside it, unless something sets it off.
    @Test func theCanvasBesideAPageIsPaper() throws {
        let white = Backdrop.color(.defaultRim)
        for (flags, expected): ([String], Backdrop) in [
            ([], white), (["--canvas", "80x60"], white), (["--margin", "3"], white),
            (["--corner", "2"], white),
            (["--background", "#ff8000"], .color(Color(red: 255, green: 128, blue: 0))),
        ] {
            let scene = try scene(["--place", "beside"] + Self.callouts + flags)
            #expect(scene.canvas.background == expected, "\(flags)")
        }
    }

    /// `--canvas` is the size before.
    @Test func aGivenCanvasIsMadeWiderToo() throws {
        let scene = try scene(["--place", "beside", "--canvas", "100x75", "--callout", "page:10,10", "--radius", "8"])
        #expect(scene.layers[0].rect.width == 100 && scene.layers[0].rect.height == 75)
        // The loupe, a gap of six between it and the page, and the same beyond it.
        #expect(scene.canvas.width == 100 + 6 + 16 + 6)
        #expect(scene.canvas.height == 75)
    }

    @Test func whereThereIsNoRoomARemedyIsNamed() throws {
        let flags = [
            "--place", "page", "--callout", "page:20,15", "--callout", "page:30,15", "--radius", "14", "--plain",
        ]
        let error = thrown(ComposeError.self) { try scene(flags) }
        #expect(error?.kind != .usage)
        for words in ["--place page: no room for loupe 1 of 2", "radius 14", "40×30", "or use --place beside"] {
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        }
    }
}
