import LoupeImaging
import TestSupport
import Testing

/// Each command decodes a page once, whatever it makes of it. LOUPE_COUNT_DECODES has the command say how often it did.
@Suite struct DecodeCountTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try place.put(Workplace.page, "other.png")
        // So large that the picture of a live page is drawn twice.
        var random = SplitMix64(seed: 3)
        let noise = (0..<600 * 500).flatMap { _ -> [UInt8] in
            let bits = random.next()
            return [UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16 & 255), 255]
        }
        try place.put(Image(width: 600, height: 500, pixels: noise), "noise.png")
        let fixture = TemporaryFolder.bytes(at: DepthAndColorTests.fixtures + "colour-444.jpg")
        _ = place.folder.put(try #require(fixture), "photo.jpg")
        place.put(
            "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'><path d='M9 9H20V20Z'/></svg>", "a.svg")
        place.put(#"{"layers": [{"image": "page.png"}]}"#, "scene.json")
        place.put(
            #"{"model": "keyframes", "scene": "scene.json", "duration": 0.2, "fps": 20, "keyframes": [{"t": 1, "layer": 0, "opacity": 0}]}"#,
            "session.json")
        let jobs = (0..<9).map { #"{"input": "page.png", "output": "\#($0).png", "callout": "\#($0),9@30,20"}"# }
        place.put(jobs.joined(separator: "\n") + "\n" + #"{"input": "scene.json", "output": "s.png"}"#, "jobs.jsonl")
        for name in ["a", "b"] {
            place.put(#"{"layers": [{"image": "../page.png"}]}"#, "suite/\(name).json")
            try place.put(Workplace.page, "suite/\(name).png")
        }
    }

    @Test(arguments: [
        (["page.png", "-o", "out.png"], 1), (["page.png", "-o", "out.png", "--depth", "16", "--at", "9,9"], 1),
        (["page.png", "-o", "out.png", "--reference", "--at", "9,9"], 1),
        (
            ["page.png", "-o", "out.png", "--place", "auto", "--callout", "9,9", "--letters", "a"], 1
        ),
        (["page.png", "-o", "out.png", "--callout", "9,9@30,20", "--compare-with", "other.png"], 2),
        (["page.png", "-o", "out.png", "--at", "9,9", "--stream-from", "1"], 1),
        (["photo.jpg", "-o", "out.png", "--at", "9,9"], 1), (["photo.jpg", "-o", "out.pdf", "--at", "9,9"], 1),
        (["page.png", "-o", "out.svg", "--at", "9,9"], 1), (["a.svg", "-o", "out.png", "--at", "9,9"], 1),
        (["scene.json", "-o", "out.png", "--map", "map.json", "--stats", "stats.json"], 1),
        (["inspect", "page.png", "--at", "1,1"], 1), (["inspect", "scene.json", "--at", "1,1"], 1),
        (["batch", "jobs.jsonl", "--quiet"], 1), (["replay", "session.json", "-o", "out.apng", "--quiet"], 1),
        (["verify", "suite", "--allow-outside", "--quiet"], 1),
        (["live", "page.png", "--at", "9,9", "-o", "out.html"], 1),
        (["live", "noise.png", "--at", "90,90", "-o", "out.html"], 1),
        (["live", "scene.json", "--record", "-o", "out.html"], 1),
        (["live", "session.json", "-o", "out.html"], 1),
    ])
    func aPageIsDecodedOnce(arguments: [String], images: Int) {
        let outcome = place.command.run(arguments, environment: ["LOUPE_COUNT_DECODES": "1"])
        // The modules of live pages need a toolchain that is not everywhere.
        if arguments[0] == "live", outcome.code == 69 { return }
        #expect(outcome.code == 0 && outcome.errors.hasSuffix("decoded \(images)\n"), "\(arguments): \(outcome.errors)")
    }
}
