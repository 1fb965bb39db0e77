import LoupeBase
import LoupeScene
import Testing

@testable import LoupeFigure

/// The flags of pages and loupes: sizes, filters, whole pixels, and values that are refused.
@Suite struct PageFlagTests {
    private static let sprite = PageFacts(size: ImageSize(width: 24, height: 16), isOpaque: false, isPixelArt: true)

    private func scene(_ flags: String...) throws -> Scene { try FlaggedPage.scene(flags) }

    private func sprite(_ flags: String...) throws -> Scene { try FlaggedPage.scene(flags, Self.sprite) }

    @Test func flagsMakeTheSceneThatTheManualSays() throws {
        let margin = try scene("--margin", "5", "--at", "6,7", "--scale", "1")
        #expect(margin.canvas.width == 50 && margin.canvas.height == 40)
        #expect(margin.layers[0].rect == .init(x: 5, y: 5, width: 40, height: 30))
        #expect(margin.loupes[0].radius == 8 && margin.loupes[0].zoom == 3)
        #expect(margin.loupes[0].focus == .init(x: 6, y: 7))
        let fitted = try scene("--canvas", "100x90", "--margin", "10")
        #expect(fitted.layers[0].rect == .init(x: 10, y: 15, width: 80, height: 60))
        #expect(fitted.loupes.isEmpty)
    }

    @Test func aPageWithTransparencyKeepsIt() throws {
        #expect(try sprite("--margin", "4").canvas.background == .color(.transparent))
        #expect(try scene("--margin", "4").canvas.background == .color(.defaultBackground))
        #expect(try sprite("--background", "#ccc").canvas.background.plainColor?.alpha == 255)
    }

    @Test func aLoupeGetsTheFilterThatSuitsThePage() throws {
        #expect(try scene("--at", "9,9", "--zoom", "4", "--scale", "1").loupes[0].filter == .cubic)
        #expect(try sprite("--at", "9,9", "--filter", "auto").loupes[0].filter == .sharp)
        #expect(try sprite("--at", "9,9", "--filter", "linear").loupes[0].filter == .linear)
        #expect(
            try sprite("--loupe", "at=9,9", "--loupe", "at=3,3 filter=cubic").loupes.map(\.filter) == [.sharp, .cubic])
        #expect(try sprite("--canvas", "240x160").layers[0].filter == .sharp)
        #expect(try sprite("--canvas", "240x160", "--page-filter", "linear").layers[0].filter == .linear)
        #expect(try scene("--canvas", "200x150").layers[0].filter == .lanczos)
        #expect(try scene("--canvas", "400x300").layers[0].filter == .sharp)
    }

    @Test func aPageLandsOnWholePixels() throws {
        #expect(try scene("--margin", "5.5").layers[0].rect == Rect(x: 6, y: 6, width: 40, height: 30))
        #expect(
            try scene("--canvas", "101x50").layers[0].rect == Rect(x: 17, y: 0, width: 67, height: 50))
    }

    @Test func theRingOfARectangleLandsOnWholePixels() throws {
        let made = try scene(
            "--callout", "20.4,15.8@60,60", "--canvas", "120x90", "--shape", "20x12", "--zoom", "4")
        #expect(made.loupes[0].focus == Point(x: 20.5, y: 15.5))
    }

    @Test func aFractionalScaleKeepsThePageOnWholePixels() throws {
        let made = try scene("--margin", "3", "--scale", "1.25")
        #expect(made.canvas.width == 58 && made.canvas.height == 45)
        #expect(made.layers[0].rect == Rect(x: 4, y: 4, width: 50, height: 37))
    }

    @Test func aScaleThatLeavesTheRangesIsRefused() {
        FlaggedPage.expectRefusal(["--scale", "0"], "--scale: 0 is out of range", "0.1…16")
        FlaggedPage.expectRefusal(
            ["--canvas", "16000x9", "--scale", "2"], "--scale: canvas.width: 32000 is out of range", "1…16384")
    }

    @Test(arguments: [
        ["--zoom", "100"], ["--zoom", "0.5"], ["--zoom", "nan"], ["--zoom", "four"], ["--radius", "0"],
        ["--radius", "9000"], ["--rim-width", "500"], ["--rim-width", "-1"], ["--shadow-blur", "-1"],
        ["--corner", "16"], ["--corner", "4:0.9"], ["--corner", "4:33"], ["--margin", "-1"],
        ["--margin", "inf"], ["--margin", "wide"], ["--margin", "9000"], ["--canvas", "10"], ["--canvas", "0x10"],
        ["--canvas", "16385x10"], ["--canvas", "10x10x10"], ["--background", "red-ish"], ["--background", "#12345"],
        ["--filter", "box"], ["--page-filter", "Lanczos"], ["--blending", "gamma"], ["--focus", "1"],
        ["--focus", "1,2,3"], ["--shadow-offset", "x,y"], ["--rim-color", "#gggggg"], ["--accent", "reddish"],
        ["--frame", "page.png"], ["--frame", "red.."], ["--place", "below"],
    ])
    func aWrongValueIsRefusedNamingItsFlag(_ flag: [String]) {
        FlaggedPage.expectRefusal(["--at", "20,15"] + flag, flag[0])
    }

    @Test(arguments: [
        ("--background", "red-ish", "'red-ish' is not a colour: #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS name"),
        ("--accent", "red-ish", "'red-ish' is not an accent: auto, #rgb, "),
        ("--at", "100", "'100' is not a point: X,Y in canvas pixels, "),
        ("--canvas", "12", "'12' is not a size: two whole numbers with an x between"),
        ("--filter", "sharpest", "'sharpest' is not one of nearest, "),
        ("--radius", "wide", "'wide' is not a number: 1 to 8192 canvas pixels"),
    ])
    func anErrorNamesTheAcceptedForms(flag: String, value: String, sentence: String) {
        FlaggedPage.expectRefusal([flag, value], "\(flag): \(sentence)")
    }

    @Test(arguments: [
        (["--zoom", "4"], "--at"), (["--at", "1,1", "--plain", "--rim-color", "#fff"], "--rim-width"),
        (["--plain"], "there is no loupe"), (["--at", "1,1", "--accent", "red"], "--accent"),
        (["--at", "9,9", "--ring-color", "#f00"], "--focus"), (["--at", "9,9", "--connector", "arrow"], "--focus"),
        (["--at", "9,9", "--plain", "--shadow-color", "#f00"], "--shadow-blur"),
        (["--corner-keep-diagonal"], "--corner R"),
        (["--place", "beside", "--callout", "1,2@3,4"], "--place: every loupe has a centre already"),
    ])
    func aFlagThatWouldDoNothingIsRefused(_ flags: [String], words: String) {
        FlaggedPage.expectRefusal(flags, words)
    }
}
