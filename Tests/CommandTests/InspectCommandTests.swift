import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// `loupe-render inspect`.
@Suite struct InspectCommandTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        let pixels: [UInt8] = [
            255, 0, 0, 255, 0, 255, 0, 128, 10, 20, 30, 255, 0, 0, 0, 0, 255, 255, 255, 255, 1, 2, 3, 4,
        ]
        try place.put(Image(width: 3, height: 2, pixels: pixels), "six.png")
    }

    @Test func itTellsThePixelAndItsNeighbours() {
        let outcome = place.run("inspect", "six.png", "--at", "1.9,0")
        #expect(
            outcome.text == """
                page           six.png, 3×2
                pixel          1,0, centre 1.5,0.5
                hex            #00ff0080
                straight       0 255 0 128
                premultiplied  0 128 0 128
                linear         0 1 0 0.501961
                neighbours
                  -         -         -
                  #ff0000   #00ff0080 #0a141e
                  #00000000 #ffffff   #01020304

                """)
    }

    @Test func itTellsTheSameAsJSON() throws {
        let outcome = place.run("inspect", "six.png", "--at", "2,0", "--size", "1", "--json", "-")
        let json = try JSONValue(parsing: outcome.output)
        let expected: JSONValue = [
            "page": ["name": "six.png", "width": .number(3), "height": .number(2)],
            "at": [.number(2), .number(0)],
            "pixel": [.number(2), .number(0)],
            "center": [.number(2.5), .number(0.5)],
            "hex": "#0a141e",
            "straight": [.number(10), .number(20), .number(30), .number(255)],
            "premultiplied": [.number(10), .number(20), .number(30), .number(255)],
            // (c + 0.055) / 1.055 to the power of 2.4, or c / 12.92 up to 0.04045.
            "linear": [.number(0.003035), .number(0.006995), .number(0.012983), .number(1)],
            "neighbours": [["#0a141e"]],
        ]
        #expect(json == expected)
    }

    @Test func jsonMayGoToAFileBesideTheText() {
        let outcome = place.run(
            "inspect", "-", "--at", "0,0", "--json", "out.json", input: place.bytes("six.png") ?? [])
        #expect(outcome.text.hasPrefix("page           standard input, 3×2\n"))
        #expect(place.bytes("out.json") != nil)
    }

    @Test(arguments: ["3,0", "0,2", "-0.1,0", "1,-5", "400.5,1"])
    func aPlaceOutsideOfThePageIsRefusedWithNumbers(at: String) {
        place.expectFailure(
            ["inspect", "six.png", "--at=\(at)"], 65, naming: "six.png: \(at) lies outside of the page", "3×2",
            "from 0,0 to 2,1")
    }

    @Test func wrongUseIsRefused() {
        place.expectFailure(["inspect", "six.png"], 64, naming: "--at")
        place.expectFailure(["inspect", "six.png", "--at", "x"], 64, naming: "--at")
        for size in ["0", "2", "35", "-1"] {
            place.expectFailure(["inspect", "six.png", "--at", "1,1", "--size=\(size)"], 64, naming: "--size")
        }
        place.expectFailure(["inspect", "gone.png", "--at", "1,1"], 66, naming: "gone.png")
        place.expectFailure(["inspect", "-", "--at", "1,1"], 65, naming: "canvas", input: Array("{}".utf8))
    }

    // MARK: - Scenes

    /// The page at 10,10; a loupe of radius 8 at 40,25 that shows 20,20 four times as large.
    private func scene(_ loupe: String, zoom: Int = 4) -> [UInt8] {
        Array(
            #"""
            {"canvas": {"width": 60, "height": 50},
             "layers": [{"fill": "#fff", "rect": [10, 10, 40, 30]}, {"image": "page.png", "rect": [10, 10, 40, 30]}],
             "loupes": [{"center": [40, 25], "zoom": \#(zoom), "filter": "nearest", \#(loupe)}]}
            """#.utf8)
    }

    private static let disc = #""radius": 8, "focus": [20, 20]"#

    private func inspect(_ scene: [UInt8], at place: String) throws -> JSONValue {
        let outcome = self.place.run("inspect", "-", "--at", place, "--json", "-", input: scene)
        return try JSONValue(parsing: outcome.output)
    }

    @Test func ofASceneItTellsWhatIsShownWhere() throws {
        let inLoupe = try inspect(scene(Self.disc), at: "41,27")
        // 1.5/4 and 2.5/4 beyond the focus; the page's pixel there is 10,10.
        #expect(
            inLoupe["shown"] == [
                "view": "loupe 0", "canvas": [.number(20.375), .number(20.625)], "layer": .number(1),
                "image": "page.png", "imageAt": [.number(10.375), .number(10.625)],
            ])
        #expect(inLoupe["hex"] == "#3c5000" && inLoupe["scene"]["width"] == .number(60))
        let onPage = try inspect(scene(Self.disc), at: "12,12")
        #expect(onPage["shown"]["view"] == "base" && onPage["hex"] == "#0c1000")
        #expect(onPage["shown"]["imageAt"] == [.number(2.5), .number(2.5)])
        let beside = try inspect(scene(Self.disc), at: "1,1")
        #expect(beside["shown"]["layer"] == .null && beside["shown"]["image"] == .null && beside["hex"] == "#cccccc")
    }

    @Test func ofASceneItTellsTheSameInWords() {
        _ = place.folder.put(scene(Self.disc), "scene.json")
        let outcome = place.run("inspect", "scene.json", "--at", "41,27", "--size", "1")
        #expect(
            outcome.text.hasPrefix(
                """
                scene          scene.json, 60×50
                pixel          41,27, centre 41.5,27.5
                view           loupe 0
                canvas         20.375,20.625
                layer          1, page.png
                image          10.375,10.625
                hex            #3c5000

                """))
        place.expectFailure(
            ["inspect", "scene.json", "--at", "60,1"], 65, naming: "scene.json: 60,1 lies outside of the scene", "60×50"
        )
    }

    @Test func wordsRoundPlacesToAThousandthAndJSONDoesNot() throws {
        let thirds = scene(#""radius": 8, "focus": [20, 20.1]"#, zoom: 3)
        _ = place.folder.put(thirds, "thirds.json")
        let outcome = place.run("inspect", "thirds.json", "--at", "40,25", "--json", "places.json")
        #expect(outcome.text.contains("\ncanvas         20.167,20.267\n"))
        #expect(outcome.text.contains("\nimage          10.167,10.267\n"))
        let shown = try JSONValue(parsing: place.bytes("places.json") ?? [])["shown"]
        guard case .array(let canvas) = shown["canvas"], case .number(let x) = canvas[0] else {
            Issue.record("canvas is \(shown["canvas"])")
            return
        }
        #expect(abs(x - 20 - 0.5 / 3) < 1e-12)
    }

    /// A loupe's border, its halves, and what is seen through it count.
    @Test func theTopmostViewIsTheOneThatIsSeen() throws {
        let pill = scene(#""shape": {"size": [30, 6], "radius": 3, "exponent": 2}, "focus": [20, 20]"#)
        #expect(try inspect(pill, at: "53,24")["shown"]["view"] == "loupe 0")
        #expect(try inspect(pill, at: "54,22")["shown"]["view"] == "base", "beyond the pill's round end")
        let split = scene(Self.disc + #", "versus": "six.png""#)
        #expect(try inspect(split, at: "41,27")["shown"]["image"] == "six.png")
        #expect(try inspect(split, at: "38,27")["shown"]["image"] == "page.png")
        let glass = scene(#""radius": 8, "focus": [2, 2], "outside": "transparent""#)
        let through = try inspect(glass, at: "41,27")
        #expect(through["shown"]["view"] == "base" && through["shown"]["imageAt"] == [.number(31.5), .number(17.5)])
    }
}
