import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

/// The canvas beside a page, and the lanes of loupes on it.
@Suite struct BesidePageTests {
    /// A page by its pixels.
    private func page(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> Color) -> PageFacts {
        let pixels = (0..<width * height).flatMap { index -> [UInt8] in
            let color = color(index % width, index / width)
            return [color.red, color.green, color.blue, 255]
        }
        return PageFacts(size: ImageSize(width: width, height: height), pixels: pixels)
    }

    /// Text in the middle of white paper, which is bare at its right from a column on.
    private func drawing(_ width: Int, _ height: Int, bareFrom end: Int) -> PageFacts {
        page(width, height) { x, y in 20..<end ~= x && (x / 3 + y / 3) % 2 == 0 ? .defaultInk : .defaultRim }
    }

    /// Noise, in a border of one colour.
    private func photograph(border: UInt8) -> PageFacts {
        var generator = SplitMix64(seed: 3)
        return page(400, 300) { x, y in
            let isInside = 20..<380 ~= x && 20..<280 ~= y
            let level = isInside ? UInt8.random(in: 60...200, using: &generator) : border
            return Color(red: level, green: level, blue: level)
        }
    }

    private static let four = [(20, 30), (50, 40), (30, 60), (55, 80)].flatMap { ["--callout", "\($0)%,\($1)%"] }

    /// Two columns are as far from each other as loupes of one column, also where the first lies on the page's own bare paper.
    @Test(arguments: [600, 420]) func columnsStandTogether(bareFrom end: Int) throws {
        let flags = ["--place", "beside", "--letters", "a"] + Self.four
        let scene = try FlaggedPage.scene(flags, drawing(600, 400, bareFrom: end))
        let centers = scene.loupes.map(\.center)
        let down = centers[2].y - centers[0].y
        #expect(centers[1].x - centers[0].x == down)
        // At the canvas's edge they have the same room.
        let gap = down - 2 * scene.loupes[0].radius
        let room = Double(scene.canvas.width) - centers[1].x - scene.loupes[0].radius
        #expect(room >= gap)
        #expect(room < gap + 1 || scene.canvas.width == 600)
    }

    /// The border of a photograph goes on where it is black or white; a grey one would look like a part of the picture.
    @Test(arguments: [(UInt8(0), UInt8(0)), (8, 8), (255, 255), (128, 255)])
    func theCanvasGoesOnAsThePhotographsBorder(border: UInt8, expected: UInt8) throws {
        let facts = photograph(border: border)
        #expect(facts.tone.kind == .photograph)
        let scene = try FlaggedPage.scene(["--callout", "50%,50%"], facts)
        let color = Color(red: expected, green: expected, blue: expected)
        #expect(scene.canvas.background.plainColor == color)
    }

    /// Around a dark micrograph, a frame is dark.
    @Test func theFrameOfAPhotographHasItsTone() throws {
        var generator = SplitMix64(seed: 4)
        let noise = (0..<400 * 300).map { _ in UInt8.random(in: 0...40, using: &generator) }
        for (more, name) in [(UInt8(0), "dark"), (180, "light")] {
            let facts = page(400, 300) { x, y in
                let level = noise[400 * y + x] + more
                return Color(red: level, green: level, blue: level / 2)
            }
            #expect(facts.tone.kind == .photograph)
            let backdrops = try ["auto", name].map {
                try FlaggedPage.scene(["--frame", $0], facts).canvas.background
            }
            #expect(backdrops[0] == backdrops[1])
        }
    }

    /// Beside a page on end, a region of its whole width is magnified twice.
    @Test func aRegionMayBeWiderThanAPageOnEnd() throws {
        let facts = drawing(360, 780, bareFrom: 340)
        let scene = try FlaggedPage.scene(["--callout", "page:10,100..350,200"], facts)
        #expect(scene.loupes[0].zoom == 2)
        #expect(Double(scene.canvas.width) <= 1.5 * 780)
    }

    /// A ring that reaches beyond the page is whole.
    @Test func aRingBeyondThePageIsWhole() throws {
        let facts = page(600, 400) { x, y in
            x > 560 && y < 60 && (x / 3 + y / 3) % 2 == 0 ? .defaultInk : .defaultRim
        }
        for focus in ["page:560,20..620,50", "page:570,10..599,50"] {
            let scene = try FlaggedPage.scene(["--callout", focus], facts)
            let source = PlacementBody(sourceOf: scene.loupes[0], in: scene).bounds
            #expect(scene.canvas.rect.union(source) == scene.canvas.rect, "\(focus)")
        }
    }
}
