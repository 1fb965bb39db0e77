import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

@testable import LoupePipeline

/// Rows that are packed while the device draws are those of the picture.
struct PackingAheadTests {
    private let folder = TemporaryFolder()

    /// A page of 400×700 pixels of noise.
    private static func page(alpha: UInt8 = 255, is16Bit: Bool = false) -> Image {
        var random = SplitMix64(seed: 12)
        let pixels = (0..<400 * 700).flatMap { index -> [UInt8] in
            let noise = random.next()
            return (0..<3).map { UInt8(index % 400 / 4 + Int(noise >> (8 * $0) & 15)) } + [alpha]
        }
        return is16Bit
            ? Image(width: 400, height: 700, pixels16: pixels.map { UInt16($0) * 257 })
            : Image(width: 400, height: 700, pixels: pixels)
    }

    private func picture(_ page: Image, _ scene: String, isAhead: Bool) throws -> Picture {
        _ = folder.put(try PNG.encode(page), "page.png")
        _ = folder.put(Array(scene.utf8), "page.json")
        var options = RenderOptions()
        options.packsAhead = isAhead
        return try Pipeline().render(SceneFile.read(Path(folder.file("page.json"))), options: options)
    }

    /// A scene in which some rows are the page's, and whether the others are known before it is drawn.
    private static let scenes: [(scene: String, isAhead: Bool)] = [
        (
            #"{"canvas": {"width": 400, "height": 700}, "layers": [{"image": "page.png", "rect": [0, 0, 400, 700]}]}"#,
            true
        ),
        (
            #"{"canvas": {"width": 400, "height": 700}, "layers": [{"image": "page.png", "rect": [0, 0, 400, 700]}], "#
                + #""loupes": [{"center": [200, 350], "radius": 40, "zoom": 3, "shadow": {"blur": 20, "offset": [0, 9]}, "#
                + #""focus": [90, 250], "callout": {"connector": {"style": "lines", "width": 2, "color": "red"}}}]}"#,
            true
        ),
        (
            #"{"canvas": {"width": 400, "height": 600}, "layers": [{"image": "page.png", "rect": [0, -50, 400, 700]}], "#
                + #""loupes": [{"center": [200, 350], "radius": 40, "zoom": 3}]}"#, false
        ),
        (
            #"{"canvas": {"width": 400, "height": 700}, "layers": [{"image": "page.png", "rect": [0, 0, 400, 700], "#
                + #""strokes": [{"points": [[5, 5], [300, 690]], "width": 3, "color": "lime"}]}]}"#, false
        ),
    ]

    @Test(arguments: scenes.indices)
    func aPictureIsTheSameWithRowsThatWerePackedAhead(index: Int) throws {
        let (scene, isAhead) = Self.scenes[index]
        for (page, isPlain) in [(Self.page(), true), (Self.page(alpha: 200), false), (Self.page(is16Bit: true), true)] {
            let ahead = try picture(page, scene, isAhead: true)
            #expect((ahead.packed != nil) == (isAhead && isPlain))
            let alone = try picture(page, scene, isAhead: false)
            #expect(alone.packed == nil)
            #expect(ahead.image == alone.image)
            let out = Path(folder.file("out.png"))
            #expect(try ahead.png(for: out) == alone.png(for: out))
        }
    }
}
