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
        let flags = ["--callout", "8,9@300,20", "--callout", "20,100@20,15", "--radius", "6"]
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
}
