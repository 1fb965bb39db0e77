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
                neighbours
                  -         -         -
                  #ff0000   #00ff0080 #0a141e
                  #00000000 #ffffff   #01020304

                """)
    }

    @Test func jsonMayGoToAFileBesideTheText() throws {
        let outcome = place.run(
            "inspect", "-", "--at", "2,0", "--size", "1", "--json", "out.json", input: place.bytes("six.png") ?? [])
        #expect(outcome.text.hasPrefix("page           standard input, 3×2\n"))
        let expected: JSONValue = [
            "page": ["name": "standard input", "width": 3, "height": 2], "at": [2, 0], "pixel": [2, 0],
            "center": [2.5, 0.5], "hex": "#0a141e", "straight": [10, 20, 30, 255], "neighbours": [["#0a141e"]],
        ]
        #expect(try place.json("out.json") == expected)
    }

    @Test(arguments: ["-0.1,0", "3,0", "0,2", "400.5,1"])
    func aPlaceOutsideOfThePageIsRefusedWithNumbers(at: String) {
        place.expectFailure(
            ["inspect", "six.png", "--at=\(at)"], 65, naming: "six.png: \(at) lies outside of the page", "3×2",
            "from 0,0 to 2,1")
    }

    @Test func wrongUseIsRefused() {
        place.expectFailure(["inspect", "six.png"], 64, naming: "--at")
        place.expectFailure(["inspect", "six.png", "--at", "1,1", "--size=2"], 64, naming: "--size")
        place.expectFailure(["inspect", "gone.png", "--at", "1,1"], 66, naming: "gone.png")
    }

    // MARK: - Scenes

    /// The page at 10,10; a loupe of radius 8 at 40,25 that shows 20,20 four times as large.
    private static let scene = #"""
        {"canvas": {"width": 60, "height": 50},
         "layers": [{"fill": "#fff", "rect": [10, 10, 40, 30]}, {"image": "page.png", "rect": [10, 10, 40, 30]}],
         "loupes": [{"center": [40, 25], "zoom": 4, "filter": "nearest", "radius": 8, "focus": [20, 20]}]}
        """#

    @Test func ofASceneItTellsTheColorOfItsPicture() throws {
        place.put(Self.scene, "scene.json")
        let outcome = place.run("inspect", "scene.json", "--at", "41,27", "--size", "1", "--json", "out.json")
        #expect(
            outcome.text.hasPrefix(
                """
                scene          scene.json, 60×50
                pixel          41,27, centre 41.5,27.5
                hex            #3c5000

                """))
        place.expectFailure(
            ["inspect", "scene.json", "--at", "60,1"], 65, naming: "scene.json: 60,1 lies outside of the scene", "60×50"
        )
    }
}
