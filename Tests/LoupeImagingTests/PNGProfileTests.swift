import LoupeImaging
import TestSupport
import Testing

/// What stands beside the pixels, and what a profile allows them to be stored as.
@Suite struct PNGProfileTests {
    private func profile(_ space: String) -> [UInt8] {
        [UInt8](repeating: 0, count: 16) + Array(space.utf8) + [UInt8](repeating: 0, count: 108)
    }

    private func image(_ pixel: (Int) -> [UInt8]) -> Image {
        Image(width: 64, height: 64, pixels: (0..<64 * 64).flatMap(pixel))
    }

    @Test func profileTextsAndDensityStandBeforeThePixels() throws {
        let text = PNGText("key", "x", form: .plain)
        let options = PNGOptions(texts: [text], profile: profile("RGB "), density: PixelDensity(perInch: 300))
        let file = try PNG.encode(image { _ in [10, 10, 90, 128] }, options: options)
        #expect(PNGBuilder.chunks(of: file).map(\.type) == ["IHDR", "iCCP", "tEXt", "pHYs", "IDAT", "IEND"])
    }

    @Test(arguments: ["RGB ", "GRAY"])
    func greyIsStoredWithAsManyChannelsAsItsProfileHas(space: String) throws {
        let slope = image { [UInt8($0 / 16), UInt8($0 / 16), UInt8($0 / 16), 255] }
        let two = image { $0 % 3 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255] }
        let image16 = Image(width: 1, height: 1, pixels16: [300, 300, 300, .max])
        for picture in [slope, two, image16] {
            let file = try PNG.encode(picture, options: PNGOptions(profile: profile(space)))
            #expect((file[25] == 0) == (space == "GRAY"), "colour type \(file[25])")
            #expect(try PNG.decode(file, name: "grey.png", keepsDepth: true) == picture)
        }
    }
}
