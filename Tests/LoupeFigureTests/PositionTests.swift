import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

/// Where things go: points in canvas pixels, in the page's own, and in percent; regions.
@Suite struct PositionTests {
    private func scene(_ flags: [String]) throws -> Scene {
        try FlaggedPage.scene(["--plain"] + flags, FlaggedPage.plain)
    }

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
                    center: Point(x: 40, y: 25), radius: 10, zoom: 3, focus: Point(x: 18, y: 19), filter: .cubic))
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

    @Test(arguments: [
        ("page:10,12,12x9", "page:10,12..22,21"), ("25%,40%,30%x30%", "25%,40%..55%,70%"),
        ("10.5,12,12x9.25", "10.5,12..22.5,21.25"), ("-2,-3,12x9", "-2,-3..10,6"),
    ])
    func aRegionHasTwoSpellings(size: String, corners: String) throws {
        for flags in [["--at", "20,15", "--focus", "%"], ["--callout", "%@30,20"], ["--loupe", "at=20,15 focus=%"]] {
            func loupe(_ text: String) throws -> Loupe {
                try self.loupe(
                    ["--margin", "3"]
                        + flags.map {
                            $0 == "%" ? text : $0.replacing("=%", with: "=\(text)").replacing("%@", with: "\(text)@")
                        })
            }
            #expect(try loupe(size) == loupe(corners), "\(flags)")
        }
    }

    @Test(arguments: [
        ("3,4,5x6", PixelRect(minX: 3, minY: 4, maxX: 8, maxY: 10)),
        ("3,4..8,10", PixelRect(minX: 3, minY: 4, maxX: 8, maxY: 10)),
        ("8,4..3,10", PixelRect(minX: 3, minY: 4, maxX: 8, maxY: 10)),
        ("-3,-4,5x6", PixelRect(minX: -3, minY: -4, maxX: 2, maxY: 2)),
    ])
    func aBlockOfPixelsIsWrittenAsARegion(text: String, block: PixelRect) throws {
        #expect(try PixelRect(flag: text) == block)
    }

    @Test(arguments: ["1,2,3,4", "1.5,2,3x4", "1%,2%,3%x4%", "page:1,2,3x4", "1,2", "1,2,3x", "1,2,-3x4", ""])
    func otherBlocksNameTheTwoForms(text: String) {
        let error = thrown(ComposeError.self) { try PixelRect(flag: text) }
        #expect(
            error?.description
                == "'\(text)' is not a region in whole pixels: X,Y,WxH or two opposite corners, X0,Y0..X1,Y1")
    }

    private static let empty = "the region has no width or no height; both have to be above 0"

    @Test(arguments: ["1,2,0x4", "1,2,4x0", "3,4..3,9", "3,4..9,4", "3,4..3,4"])
    func aRegionWithoutAreaIsRefusedEverywhere(text: String) {
        FlaggedPage.expectRefusal(["--at", "20,15", "--focus", text], "--focus: \(Self.empty)")
        FlaggedPage.expectRefusal(["--callout", "\(text)@9,9"], "--callout: \(Self.empty)")
        FlaggedPage.expectRefusal(["--callout", "\(text)@9,9", "--zoom", "3"], "--callout: \(Self.empty)")
        FlaggedPage.expectRefusal(["--loupe", "focus=\(text)"], "--loupe.focus: \(Self.empty)")
        #expect(thrown(ComposeError.self) { try PixelRect(flag: text) }?.description == Self.empty)
    }

    /// Coordinates end at a million pixels.
    @Test func aRegionBeyondAllCoordinatesIsRefusedToo() {
        let flags = ["--canvas", "400x300", "--callout", "page:200000,1,5x5", "--shape", "20x20"]
        FlaggedPage.expectRefusal(flags, "--callout: \(Self.empty)")
    }

    @Test func aWrongCalloutNamesBothForms() {
        FlaggedPage.expectRefusal(
            ["--callout", "1,2,3,4"],
            "--callout: '1,2,3,4' is not a callout: X,Y in canvas pixels, ",
            "a region is X,Y,WxH or two opposite corners, X0,Y0..X1,Y1",
            "@ and the loupe's centre may follow")
    }

    @Test func roundedCornersCutNothingOffARegion() throws {
        let loupe = try loupe(["--at", "20,15", "--focus", "page:10,12..22,21", "--shape", "36x27"])
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
        (["--focus", "page:1,1..2"], "--focus"),
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
        let error = thrown(ComposeError.self) { try scene(flags) }
        #expect(error?.kind == .usage && error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func aLoupesPlaceIsNoRegion() {
        for flags in [["--at", "1,1..9,9"], ["--callout", "1,1@2,2..9,9"]] {
            let error = thrown(ComposeError.self) { try scene(flags) }
            #expect(error?.description.hasPrefix(flags[0]) == true)
        }
    }
}
