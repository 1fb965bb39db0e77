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
        _ = place.folder.put(try PNG.encode(Image(width: 3, height: 2, pixels: pixels)), "six.png")
    }

    private let files = ["page.png", "six.png"]

    @Test func itTellsThePixelAndItsNeighbours() {
        let outcome = place.command.run("inspect", "six.png", "--at", "1.9,0")
        place.expectSuccess(outcome)
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
        let outcome = place.command.run("inspect", "six.png", "--at", "2,0", "--size", "1", "--json", "-")
        place.expectSuccess(outcome)
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
        let outcome = place.command.run(
            "inspect", "-", "--at", "0,0", "--json", "out.json", input: place.bytes("six.png") ?? [])
        place.expectSuccess(outcome)
        #expect(outcome.text.hasPrefix("page           standard input, 3×2\n"))
        #expect(place.bytes("out.json") != nil)
    }

    @Test(arguments: ["3,0", "0,2", "-0.1,0", "1,-5", "400.5,1"])
    func aPlaceOutsideOfThePageIsRefusedWithNumbers(at: String) {
        place.expectFailure(
            place.command.run("inspect", "six.png", "--at=\(at)"), 65,
            naming: "six.png: \(at) lies outside of the page", "3×2", "from 0,0 to 2,1", files: files)
    }

    @Test func wrongUseIsRefused() {
        place.expectFailure(place.command.run("inspect", "six.png"), 64, naming: "--at", files: files)
        place.expectFailure(place.command.run("inspect", "six.png", "--at", "x"), 64, naming: "--at", files: files)
        for size in ["0", "2", "35", "-1"] {
            place.expectFailure(
                place.command.run("inspect", "six.png", "--at", "1,1", "--size=\(size)"), 64, naming: "--size",
                files: files)
        }
        place.expectFailure(
            place.command.run("inspect", "gone.png", "--at", "1,1"), 66, naming: "gone.png", files: files)
        place.expectFailure(
            place.command.run("inspect", "-", "--at", "1,1", input: Array("{}".utf8)), 65, naming: "a page is needed",
            files: files)
    }
}
