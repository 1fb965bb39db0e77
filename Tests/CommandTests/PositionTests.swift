import LoupeGeometry
import LoupeScene
import TestSupport
import Testing

/// Where things go: points in canvas pixels, in the page's own, and in percent; regions; loupes that nobody can see.
@Suite struct PositionTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private func scene(_ flags: [String]) throws -> Scene { try place.scene(["page.png", "--plain"] + flags) }

    private func loupe(_ flags: [String]) throws -> Loupe { try #require(try scene(flags).loupes.first) }

    /// The page is 40×30; 10 pixels are around it.
    @Test(arguments: [
        ["--at", "40,25", "--focus", "18,19"], ["--at", "page:30,15", "--focus", "page:8,9"],
        ["--at", "75%,50%", "--focus", "20%,30%"], ["--at=40,25", "--focus=page:8,9"],
        ["--loupe", "at=40,25 focus=18,19 radius=10"], ["--loupe", "at=page:30,15 focus=page:8,9 radius=10"],
        ["--loupe", "at=75%,50% focus=20%,30% radius=10"],
    ])
    func aPointHasThreeSpellings(flags: [String]) throws {
        let loupe = try loupe(["--margin", "10"] + flags)
        #expect(
            loupe
                == Loupe(
                    center: Point(x: 40, y: 25), radius: 10, zoom: 4, focus: Point(x: 18, y: 19), filter: .cubic))
    }

    @Test func aCalloutsPointsHaveThemToo() throws {
        let margin = ["--margin", "10", "--callout"]
        let plain = try loupe(margin + ["18,19@40,25"])
        #expect(plain.focus == Point(x: 18, y: 19) && plain.center == Point(x: 40, y: 25))
        for text in ["page:8,9@page:30,15", "20%,30%@75%,50%", "page:8,9@40,25", "18,19@75%,50%"] {
            #expect(try loupe(margin + [text]) == plain, "\(text)")
        }
    }

    @Test func aMarginMovesNothingOnThePage() throws {
        let flags = ["--callout", "page:8.5,-0.5@110%,50%", "--radius", "5"]
        func offsets(_ margin: String) throws -> [Vector] {
            let scene = try scene(flags + ["--margin", margin])
            let (rect, loupe) = (scene.layers[0].rect, scene.loupes[0])
            return [loupe.focus, loupe.center].map { $0 - Point(x: rect.x, y: rect.y) }
        }
        #expect(try offsets("30") == offsets("7"))
        #expect(try offsets("7") == [Vector(dx: 8.5, dy: -0.5), Vector(dx: 44, dy: 15)])
    }

    /// 40×30 becomes 100×75, 12 below the canvas's top.
    @Test func aScaledPageHasItsOwnPixels() throws {
        let loupe = try loupe(["--canvas", "100x99", "--callout", "page:8,9@50%,100%"])
        #expect(loupe.focus == Point(x: 20, y: 34.5) && loupe.center == Point(x: 50, y: 87))
    }

    @Test func jobsHoldThemToo() throws {
        place.put(
            """
            {"input": "page.png", "output": "a.png", "margin": 10, "radius": 6, "at": "page:30,15", "focus": "20%,30%"}
            {"input": "page.png", "output": "b.png", "margin": 10, "radius": 6, "at": [40, 25], "focus": "18,19"}
            """, "jobs.jsonl")
        let outcome = place.command.run("batch", "jobs.jsonl")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try place.image("a.png").pixels == place.image("b.png").pixels)
    }

    // MARK: - Regions

    /// A region of 12×9: its corners lie 7.5 from its middle.
    @Test(arguments: [
        // The default radius of 6 would need a zoom of 0.8; the least is 2.
        (["--focus", "page:10,12..22,21"], 15.0, 2.0), (["--focus", "page:22,12..10,21", "--zoom", "3"], 22.5, 3),
        (["--focus", "25%,40%..55%,70%", "--radius", "30"], 30, 4), (["--focus", "10,12..22,21"], 15, 2),
        (["--focus", "page:10,12..10.06,12.08"], 3.2, 64), (["--focus", "page:10,12..11.2,12.9"], 6, 8),
    ])
    func aRegionFillsTheLoupe(flags: [String], radius: Double, zoom: Double) throws {
        let loupe = try loupe(["--at", "20,15"] + flags)
        #expect(abs(loupe.radius - radius) < 1e-6 && abs(loupe.zoom - zoom) < 1e-6, "\(loupe)")
        if radius / zoom == 7.5 { #expect(loupe.focus == Point(x: 16, y: 16.5)) }
    }

    @Test func aCalloutAndALoupeMayShowARegion() throws {
        let flagged = try loupe(["--callout", "page:10,12..22,21@30,20", "--zoom", "3"])
        let worded = try loupe(["--loupe", "at=30,20 focus=page:10,12..22,21 zoom=3"])
        #expect(flagged.focus == Point(x: 16, y: 16.5) && worded.focus == flagged.focus)
        // That of a callout is a rectangle of the region's aspect.
        #expect(flagged.halfSides == Vector(dx: 18, dy: 13.5) && worded.radius == 22.5 && worded.zoom == 3)
        #expect(try loupe(["--loupe", "at=30,20 focus=page:10,12..22,21 radius=30"]).zoom == 4)
        let sharp = try loupe(["--loupe", "at=30,20 focus=page:10,12..16,16 shape=24x18:0"])
        #expect(abs(sharp.zoom - 4) < 0.01 && sharp.zoom <= 4 && sharp.halfSides == Vector(dx: 12, dy: 9))
    }

    @Test func theUnitOfARegionMayBeSaidAtBothCorners() throws {
        let (once, twice) = (
            try loupe(["--at", "20,15", "--focus", "page:10,12..22,21"]),
            try loupe(["--at", "20,15", "--focus", "page:10,12..page:22,21"])
        )
        #expect(once == twice && once.focus == Point(x: 16, y: 16.5))
        // Its circle's radius of 7.5, doubled, without a rounding error.
        #expect(once.radius == 15)
    }

    @Test func roundedCornersCutNothingOffARegion() throws {
        let loupe = try loupe(["--at", "20,15", "--focus", "page:10,12..22,21", "--shape-size", "36x27"])
        let outline = try #require(loupe.outline)
        let corner = Vector(dx: 6, dy: 4.5)
        #expect(outline.signedDistance(to: loupe.center + loupe.zoom * corner) >= 0)
        #expect(outline.signedDistance(to: loupe.center + 1.01 * loupe.zoom * corner) < 0)
        #expect(loupe.zoom > 2)
    }

    @Test(arguments: [
        (["--focus", "page:1,1..9,9", "--zoom", "3", "--radius", "9"], "--focus: a region decides"),
        (
            ["--focus", "page:1,1..30,20", "--radius", "9"],
            "--focus: a region of 29×19 canvas pixels needs a zoom of 0.519"
        ),
        (["--focus", "page:1,1..1,1"], "--focus: the region is empty"), (["--focus", "page:1,1..2"], "--focus"),
        (["--focus", "1,1..2%,2%"], "--focus"), (["--focus", "1%,2"], "--focus"),
        (["--focus", "page:1%,2%"], "--focus"),
        (["--focus", "1,1..page:3,3"], "--focus"), (["--focus", "1,1..2,2..3,3"], "--focus"),
        (["--focus", "canvas:1,1"], "--focus"),
        (["--loupe", "at=1,1..3,3"], "--loupe.at: '1,1..3,3' is not a point"),
        (
            ["--loupe", "at=1,1 focus=page:3"],
            "--loupe.focus: 'page:3' is not a point: X,Y in canvas pixels, page:X,Y"
        ),
        (["--loupe", "at=1,1 focus=1,1..9,9 zoom=3 radius=4"], "--loupe.focus: a region decides"),
    ])
    func otherFormsAreRefused(flags: [String], words: String) {
        let flags = flags[0] == "--focus" ? ["--at", "20,15"] + flags : flags
        place.expectFailure(["page.png", "-o", "out.png"] + flags, 64, naming: words)
    }

    @Test func aLoupesPlaceIsNoRegion() {
        for flags in [["--at", "1,1..9,9"], ["--callout", "1,1@2,2..9,9"]] {
            place.expectFailure(["page.png", "-o", "out.png"] + flags, 64, naming: flags[0])
        }
    }

    // MARK: - What nobody sees

    private static let unseen = [
        "warning: loupe 0, of radius 6 at 300,20, lies wholly off the canvas of 40×30",
        "warning: loupe 1 shows 20,100, wholly off the page, which reaches from 0,0 to 40,30",
    ]

    @Test func aLoupeOffTheCanvasAndAFocusOffThePageAreNamed() throws {
        let flags = ["--callout", "8,9@300,20", "--callout", "20,100@20,15", "--radius", "6"]
        let drawn = place.command.run(["page.png", "-o", "out.png"] + flags)
        #expect(drawn.code == 0)
        #expect(drawn.errors == Self.unseen.map { "loupe-render: \($0)\n" }.joined())
        let printed = place.command.run(["page.png", "--print-scene", "--plain"] + flags)
        #expect(printed.code == 0 && printed.errors == drawn.errors)
        _ = place.folder.put(printed.output, "scene.json")
        #expect(place.command.run("scene.json", "-o", "again.png").errors == drawn.errors)
        place.put(#"{"input": "scene.json", "output": "b.png"}"#, "jobs.jsonl")
        let batch = place.command.run("batch", "jobs.jsonl", "--quiet")
        #expect(batch.code == 0)
        for sentence in Self.unseen {
            #expect(batch.errors.contains(sentence.replacing("warning: ", with: "warning: jobs.jsonl: line 1: ")))
        }
    }

    @Test("A grid is named that is not seen, as a pixel of the page is not more than 4 pixels large")
    func anUnseenGridIsNamed() throws {
        let flags = ["--at", "20,15", "--radius", "12", "--grid"]
        let sentence = "the page's pixels are 4 pixels large in it, and lines of 1 need more than 4; magnify more"
        for output in ["out.png", "out.pdf"] {
            let drawn = place.command.run(["page.png", "-o", output] + flags)
            #expect(drawn.code == 0)
            #expect(drawn.errors == "loupe-render: warning: loupe 0 shows no grid: \(sentence)\n")
        }
        _ = place.folder.put(place.command.run(["page.png", "--print-scene"] + flags).output, "scene.json")
        place.put(#"{"input": "scene.json", "output": "b.png"}"#, "jobs.jsonl")
        #expect(place.command.run("batch", "jobs.jsonl", "--quiet").errors.contains(sentence))
        // Another picture with larger pixels, which the loupe does not show, makes no difference.
        let scene =
            #"{"canvas": {"width": 80, "height": 30}, "layers": [{"image": "page.png", "rect": [0, 0, 40, 30]}, {"image": "page.png", "rect": [40, 0, 400, 300]}], "loupes": [{"center": [15, 15], "radius": 9, "zoom": 4, "grid": {}}]}"#
        place.put(scene, "two.json")
        #expect(place.command.run("two.json", "-o", "out.png").errors.contains(sentence))
        for seen in [["--zoom", "4.2"], ["--zoom", "4.2", "--scale", "2"]] {
            place.run(["page.png", "-o", "out.png"] + flags + seen)
        }
    }

    /// A loupe's edge on the canvas, or a source's on the page, is enough.
    @Test func whatIsPartlySeenIsNotNamed() {
        for flags in [
            ["--callout", "8,9@45.9,15", "--radius", "6"], ["--callout", "41.4,15@20,15", "--radius", "6"],
            ["--callout", "60,40@20,15", "--radius", "6", "--outside", "clamp"],
            ["--callout", "8,9@44.1,34.1", "--radius", "6"],
            ["--at", "25,25", "--margin", "20"], ["--callout", "8,9@51,15", "--shape-size", "23x4"],
        ] {
            place.run(["page.png", "-o", "out.png"] + flags)
        }
        for flags in [
            ["--callout", "8,9@46.1,15", "--radius", "6"], ["--callout", "41.6,15@20,15", "--radius", "6"],
            ["--callout", "8,9@44.4,34.4", "--radius", "6"], ["--callout", "8,9@52,15", "--shape-size", "23x4"],
        ] {
            let outcome = place.command.run(["page.png", "-o", "out.png"] + flags)
            #expect(outcome.code == 0 && outcome.errors.contains("wholly off the"), "\(flags)")
        }
    }
}
