import LoupeScene
import Testing

/// A loupe's edge on the canvas, or a source's on the page, is enough to be seen.
@Suite struct UnseenLoupeTests {
    @Test(arguments: [
        ("--callout 8,9@45.9,15 --radius 6", "--callout 8,9@46.1,15 --radius 6"),
        ("--callout 41.9,15@20,15 --radius 6", "--callout 42.1,15@20,15 --radius 6"),
        ("--callout 8,9@44.1,34.1 --radius 6", "--callout 8,9@44.4,34.4 --radius 6"),
        ("--callout 8,9@51,15 --shape 23x4", "--callout 8,9@52,15 --shape 23x4"),
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
}
