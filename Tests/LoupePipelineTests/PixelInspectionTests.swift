import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupePipeline

/// What `inspect` says of pixels, and of what a scene shows there.
@Suite struct PixelInspectionTests {
    private static let six = Image(
        width: 3, height: 2,
        pixels: [255, 0, 0, 255, 0, 255, 0, 128, 10, 20, 30, 255, 0, 0, 0, 0, 255, 255, 255, 255, 1, 2, 3, 4])

    private func inspect(_ x: Double, _ y: Double, count: Int = 1) -> PixelInspection? {
        PixelInspection(of: Self.six, as: "page", named: "six.png", at: Point(x: x, y: y), count: count)
    }

    @Test func numbersAreThoseOfThePixel() throws {
        let expected: JSONValue = [
            "page": ["name": "six.png", "width": .number(3), "height": .number(2)],
            "at": [.number(2), .number(0)], "pixel": [.number(2), .number(0)],
            "center": [.number(2.5), .number(0.5)], "hex": "#0a141e",
            "straight": [.number(10), .number(20), .number(30), .number(255)],
            "neighbours": [["#0a141e"]],
        ]
        #expect(inspect(2, 0)?.json == expected)
    }

    @Test(arguments: [(3, 0), (0, 2), (-0.1, 0), (1, -5), (400.5, 1)] as [(Double, Double)])
    func noPixelLiesOutside(x: Double, y: Double) { #expect(inspect(x, y) == nil) }

    // MARK: - Scenes

    /// The page at 10,10; a loupe at 40,25 that shows 20,20 four times as large.
    private func shown(_ loupe: String, zoom: Int = 4, at x: Double, _ y: Double) throws -> SceneInspection {
        let text = #"""
            {"canvas": {"width": 60, "height": 50},
             "layers": [{"fill": "#fff", "rect": [10, 10, 40, 30]}, {"image": "page.png", "rect": [10, 10, 40, 30]}],
             "loupes": [{"center": [40, 25], "zoom": \#(zoom), "filter": "nearest", \#(loupe)}]}
            """#
        let size = ImageSize(width: 40, height: 30)
        let scene = try SceneDecoder { _ in size }.decode(Array(text.utf8))
        return SceneInspection(of: scene, at: Point(x: x, y: y), sizes: ["page.png": size, "six.png": size])
    }

    private static let disc = #""radius": 8, "focus": [20, 20]"#

    @Test func aPlaceLeadsToItsViewLayerAndImage() throws {
        // 1.5/4 and 2.5/4 beyond the focus.
        #expect(
            try shown(Self.disc, at: 41.5, 27.5).json == [
                "view": "loupe 0", "canvas": [.number(20.375), .number(20.625)], "layer": .number(1),
                "image": "page.png", "imageAt": [.number(10.375), .number(10.625)],
            ])
        #expect(
            try shown(Self.disc, at: 12.5, 12.5).json == [
                "view": "base", "canvas": [.number(12.5), .number(12.5)], "layer": .number(1), "image": "page.png",
                "imageAt": [.number(2.5), .number(2.5)],
            ])
        let beside = try shown(Self.disc, at: 1.5, 1.5)
        #expect(beside.facts.map(\.0) == ["view", "canvas", "layer"] && beside.facts[2].1 == "none")
    }

    @Test func wordsRoundPlacesToAThousandth() throws {
        let thirds = try shown(#""radius": 8, "focus": [20, 20.1]"#, zoom: 3, at: 40.5, 25.5)
        #expect(thirds.facts.map(\.1) == ["loupe 0", "20.167,20.267", "1, page.png", "10.167,10.267"])
    }

    /// A loupe's border, its halves, and what is seen through it count.
    @Test func theTopmostViewIsTheOneThatIsSeen() throws {
        func words(_ loupe: String, at x: Double, _ y: Double) throws -> [String] {
            try shown(loupe, at: x, y).facts.map(\.1)
        }
        let pill = #""shape": {"size": [30, 6], "radius": 3, "exponent": 2}, "focus": [20, 20]"#
        #expect(try words(pill, at: 53.5, 24.5)[0] == "loupe 0")
        #expect(try words(pill, at: 54.5, 22.5)[0] == "base", "beyond the pill's round end")
        let split = Self.disc + #", "versus": "six.png""#
        #expect(try words(split, at: 41.5, 27.5)[2] == "1, six.png")
        #expect(try words(split, at: 38.5, 27.5)[2] == "1, page.png")
        let glass = #""radius": 8, "focus": [2, 2], "outside": "transparent""#
        #expect(try words(glass, at: 41.5, 27.5) == ["base", "41.5,27.5", "1, page.png", "31.5,17.5"])
    }
}
