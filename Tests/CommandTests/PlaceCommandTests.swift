import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// `--place` and `--margin auto`. Whether the figures are good is tested where placements are made.
@Suite struct PlaceCommandTests {
    let place: Workplace
    /// A table, 1100×620.
    private static let table =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        + "/LoupePipelineTests/Pages/interface-table.png"

    init() throws { place = try Workplace() }

    private func scene(_ flags: [String], of page: String = "page.png") throws -> Scene {
        try place.scene([page] + flags)
    }

    private static let callouts = [(335, 140), (785, 214), (1020, 289), (60, 164), (470, 438), (914, 513)].flatMap {
        ["--callout", "page:\($0.0),\($0.1)"]
    }

    private func leastGap(_ scene: Scene) -> Double {
        var least = Double.infinity
        for (index, loupe) in scene.loupes.enumerated() {
            for other in scene.loupes[..<index] {
                least = min(least, loupe.center.distance(to: other.center) - loupe.radius - other.radius)
            }
        }
        return least
    }

    /// 200 free rows below a table: six loupes of the default radius would not fit, smaller ones do.
    @Test func loupesWithoutARadiusAreAsLargeAsThereIsRoom() throws {
        let page = try ImageFile.read(path: Path(Self.table))
        let white = [UInt8](repeating: 255, count: 1100 * 200 * 4)
        try place.put(Image(width: 1100, height: 820, pixels: page.pixels + white), "table.png")
        let scene = try scene(["--place", "auto"] + Self.callouts, of: "table.png")
        let radius = scene.loupes[0].radius
        #expect(radius <= 164 && radius >= 0.75 * 164)
        #expect(scene.loupes.allSatisfy { $0.radius == radius && $0.zoom == 4 })
        #expect(leastGap(scene) >= 0)
        // A given radius is kept.
        let given = try self.scene(["--place", "auto", "--radius", "70"] + Self.callouts, of: "table.png")
        #expect(given.loupes.allSatisfy { $0.radius == 70 })
    }

    @Test func besideThePageTheCanvasIsWider() throws {
        for margin in [nil, "auto", "30"] {
            let flags = ["--place", "beside"] + Self.callouts + (margin.map { ["--margin", $0] } ?? [])
            let scene = try scene(flags, of: Self.table)
            let edge = margin == "30" ? 30.0 : 0
            let (rect, canvas) = (scene.layers[0].rect, scene.canvas)
            #expect(rect.width == 1100 && rect.height == 620)
            #expect((canvas.width == 1100 + Int(2 * edge)) != (canvas.height == 620 + Int(2 * edge)))
            for (loupe, focus) in zip(scene.loupes, [(335.0, 140.0), (785, 214), (1020, 289), (60, 164)]) {
                #expect(loupe.focus == Point(x: rect.x + focus.0, y: rect.y + focus.1))
                let down = max(rect.minY - loupe.center.y, loupe.center.y - rect.maxY)
                let across = max(rect.minX - loupe.center.x, loupe.center.x - rect.maxX)
                #expect(max(down, across) >= loupe.radius)
            }
            #expect(leastGap(scene) >= 6)
            #expect(try self.scene(flags, of: Self.table) == scene)
        }
    }

    /// The page goes on in its margin, unless something sets it off.
    @Test func theCanvasBesideAPageHasTheColorOfItsEdge() throws {
        let white = Backdrop.color(Color(red: 255, green: 255, blue: 255))
        let standard = Backdrop.color(.defaultBackground)
        for (flags, expected): ([String], Backdrop) in [
            ([], white), (["--margin", "auto"], white), (["--canvas", "800x600"], white),
            (["--margin", "30"], white), (["--corner-radius", "20"], white),
            (["--background", "#ff8000"], .color(Color(red: 255, green: 128, blue: 0))),
        ] {
            let scene = try scene(["--place", "beside"] + Self.callouts + flags, of: Self.table)
            #expect(scene.canvas.background == expected, "\(flags)")
        }
        #expect(try scene(["--place", "auto"] + Self.callouts, of: Self.table).canvas.background == standard)
        // Every pixel of the page differs from its neighbours.
        let noise = try scene(["--place", "beside", "--callout", "page:10,10", "--radius", "8"])
        #expect(noise.canvas.background == white)
    }

    /// `--canvas` is the size before.
    @Test func aGivenCanvasIsMadeWiderToo() throws {
        let scene = try scene(["--place", "beside", "--canvas", "100x75", "--callout", "page:10,10", "--radius", "8"])
        #expect(scene.layers[0].rect.width == 100 && scene.layers[0].rect.height == 75)
        // The loupe, a gap of six between it and the page, and half a gap outside.
        #expect(scene.canvas.width == 100 + 16 + 6 + 3 && scene.canvas.height == 75)
    }

    @Test func whereThereIsNoRoomARemedyIsNamed() throws {
        let flags = [
            "--place", "auto", "--callout", "page:20,15", "--callout", "page:30,15", "--radius", "14", "--plain",
        ]
        place.expectFailure(
            ["page.png", "-o", "out.png"] + flags, 65,
            naming: "--place auto: no room for loupe", "radius 14", "40×30", "--margin auto or --place beside")
        #expect(try scene(flags + ["--margin", "auto"]).loupes.count == 2)
    }

    /// Every pixel of the page differs from its neighbours, so nothing is clean but the margin.
    @Test func anAutomaticMarginHoldsTheLoupes() throws {
        let flags = ["--place", "auto", "--margin", "auto", "--callout", "page:20,15", "--callout", "10,8"]
        let scene = try scene(flags)
        let rect = scene.layers[0].rect
        #expect(rect.width == 40 && rect.height == 30 && rect.x > 0)
        // Canvas pixels are those without the margin.
        #expect(
            scene.loupes.map(\.focus) == [.init(x: rect.x + 20, y: rect.y + 15), .init(x: rect.x + 10, y: rect.y + 8)])
        for loupe in scene.loupes {
            // The default radius is that of the page without its margin.
            #expect(loupe.radius == 6)
            let down = max(rect.minY - loupe.center.y, loupe.center.y - rect.maxY, 0)
            let across = max(rect.minX - loupe.center.x, loupe.center.x - rect.maxX, 0)
            #expect(Vector(dx: across, dy: down).length >= 6)
        }
    }
}
