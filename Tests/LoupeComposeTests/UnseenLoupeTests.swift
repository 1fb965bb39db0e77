import LoupeBase
import LoupeScene
import Testing

/// A loupe's edge on the canvas, or a source's on the page, is enough to be seen.
@Suite struct UnseenLoupeTests {
    @Test(arguments: [
        ("--callout 8,9@45.9,15 --radius 6", "--callout 8,9@46.1,15 --radius 6"),
        ("--callout 41.4,15@20,15 --radius 6", "--callout 41.6,15@20,15 --radius 6"),
        ("--callout 8,9@44.1,34.1 --radius 6", "--callout 8,9@44.4,34.4 --radius 6"),
        ("--callout 8,9@51,15 --shape-size 23x4", "--callout 8,9@52,15 --shape-size 23x4"),
        ("--callout 60,40@20,15 --radius 6 --outside clamp", "--callout 60,40@20,15 --radius 6"),
        ("--at 25,25 --margin 20", "--at 100,100 --margin 20"),
    ])
    func whatIsPartlySeenIsNotNamed(seen: String, unseen: String) throws {
        func sentences(_ flags: String) throws -> [String] {
            try FlaggedPage.scene(flags.split(separator: " ").map(String.init)).unseenLoupes
        }
        #expect(try sentences(seen).isEmpty)
        let named = try sentences(unseen)
        #expect(!named.isEmpty && named.allSatisfy { $0.contains("wholly off the") })
    }

    @Test("A grid is named that is not seen, as a pixel of the page is not more than 4 pixels large")
    func anUnseenGridIsNamed() throws {
        let flags = ["--at", "20,15", "--radius", "12", "--grid"]
        let sentence = "the page's pixels are 4 pixels large in it, and lines of 1 need more than 4; magnify more"
        #expect(try FlaggedPage.scene(flags).unseenLoupes == ["loupe 0 shows no grid: \(sentence)"])
        #expect(try FlaggedPage.scene(flags + ["--zoom", "4.2"]).unseenLoupes == [])
        // Another picture with larger pixels, which the loupe does not show, makes no difference.
        let text =
            #"{"canvas": {"width": 80, "height": 30}, "layers": [{"image": "page.png", "rect": [0, 0, 40, 30]}, {"image": "page.png", "rect": [40, 0, 400, 300]}], "loupes": [{"center": [15, 15], "radius": 9, "zoom": 4, "grid": {}}]}"#
        let scene = try SceneDecoder { _ in ImageSize(width: 40, height: 30) }.decode(Array(text.utf8))
        #expect(scene.unseenLoupes.contains { $0.contains(sentence) })
    }
}
