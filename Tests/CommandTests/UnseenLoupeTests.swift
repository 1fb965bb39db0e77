import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// Loupes that nobody can see.
@Suite struct UnseenLoupeTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private static let unseen = [
        "warning: loupe 1 of 2, of radius 6 at 300,20, lies wholly off the canvas of 40×30",
        "warning: loupe 2 of 2 shows 20,100, wholly off the page, which reaches from 0,0 to 40,30",
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

    /// The page's left half is white, with one black pixel in it.
    private func putHalves(bits: Int = 8) throws {
        var halves = Image(width: 300, height: 200, pixels: [UInt8](repeating: 255, count: 300 * 200 * 4))
        for row in 0..<200 { for column in 150..<300 { halves.pixels[4 * (300 * row + column)] = 0 } }
        for channel in 0..<3 { halves.pixels[4 * (300 * 100 + 60) + channel] = 0 }
        try place.put(halves, "halves.png")
    }

    private static let plain = "loupe-render: warning: loupe 2 of 2 shows one colour alone; is its point right?\n"

    @Test(arguments: ["out.png", "out.pdf", "out.svg"]) func aLoupeThatShowsOneColourIsNamed(output: String) throws {
        try putHalves()
        let flags = ["--callout", "150,50@50,150", "--callout", "30,30@250,150", "--radius", "40"]
        for more in [[], ["--shape", "80x60"], ["--depth", "16"], ["--reference"], ["--plain"]] {
            if output != "out.png", more == ["--depth", "16"] { continue }
            let flags = more.first == "--shape" ? Array(flags.dropLast(2)) + more : flags + more
            let drawn = place.command.run(["halves.png", "-o", output] + flags)
            #expect(drawn.errors == Self.plain, "\(more)")
            #expect(drawn.code == 0)
        }
        place.put(#"{"input": "halves.png", "output": "b.png", "at": [30, 30]}"#, "jobs.jsonl")
        #expect(place.command.run("batch", "jobs.jsonl", "--quiet").errors.contains("the loupe shows one colour alone"))
    }

    /// A single pixel of another colour, an edge, the page's edge, lines between pixels.
    @Test(arguments: [
        ["--callout", "60,100@200,60"], ["--callout", "141,50@50,150"], ["--at", "75,100", "--focus", "0,0"],
        ["--at", "30,30", "--grid", "--zoom", "8"],
        ["--at", "30,30", "--mark", "--zoom", "8"],
        ["--callout", "30,30@250,150", "--outside", "background", "--zoom", "1"],
    ])
    func aLoupeThatShowsAnythingElseIsNotNamed(flags: [String]) throws {
        try putHalves()
        for output in ["out.png", "out.pdf"] {
            #expect(place.run(["halves.png", "-o", output, "--radius", "40"] + flags).errors == "")
        }
    }

    @Test("A grid is named that is not seen, as a pixel of the page is not more than 4 pixels large")
    func anUnseenGridIsNamed() throws {
        let flags = ["--at", "20,15", "--radius", "12", "--grid", "--scale", "1"]
        let sentence = "the loupe shows no grid, as the page's pixels are too small in it; magnify more"
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
