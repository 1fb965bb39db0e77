import LoupeBase
import LoupeScene
import TestSupport
import Testing

/// Loupes that nobody can see.
@Suite struct UnseenLoupeTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private static let unseen = [
        "warning: loupe 0, of radius 6 at 300,20, lies wholly off the canvas of 40×30",
        "warning: loupe 1 shows 20,100, wholly off the page, which reaches from 0,0 to 40,30",
    ]

    @Test func aLoupeOffTheCanvasAndAFocusOffThePageAreNamed() throws {
        let flags = ["--callout", "8,9@300,20", "--callout", "20,100@20,15", "--radius", "6", "--scale", "1"]
        let drawn = place.command.run(["page.png", "-o", "out.png"] + flags)
        #expect(drawn.code == 0)
        #expect(drawn.errors == Self.unseen.map { "loupe-render: \($0)\n" }.joined())
        let printed = place.command.run(["page.png", "--print-scene", "--plain"] + flags)
        #expect(printed.code == 0 && printed.errors == drawn.errors)
        _ = place.folder.put(printed.output, "scene.json")
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
        let sentence = "loupe 0 shows no grid, as the page's pixels are too small in it; magnify more"
        for output in ["out.png", "out.pdf"] {
            let drawn = place.command.run(["page.png", "-o", output] + flags)
            #expect(drawn.code == 0)
            #expect(drawn.errors == "loupe-render: warning: \(sentence)\n")
        }
        // Another picture with larger pixels, which the loupe does not show, makes no difference.
        let scene =
            #"{"canvas": {"width": 80, "height": 30}, "layers": [{"image": "page.png", "rect": [0, 0, 40, 30]}, {"image": "page.png", "rect": [40, 0, 400, 300]}], "loupes": [{"center": [15, 15], "radius": 9, "zoom": 4, "grid": {}}]}"#
        place.put(scene, "two.json")
        #expect(place.command.run("two.json", "-o", "out.png").errors.contains(sentence))
        place.run(["page.png", "-o", "out.png", "--zoom", "4.2"] + flags)
    }
}
