import LoupeImaging
import TestSupport
import Testing

/// What counts as pixel art.
@Suite struct PixelArtTests {
    private static let palette: [SIMD4<UInt8>] = [
        .zero, SIMD4(24, 20, 37, 255), SIMD4(228, 59, 68, 255), SIMD4(254, 231, 97, 255), SIMD4(99, 199, 77, 255),
    ]

    private func image(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> SIMD4<UInt8>) -> Image {
        let pixels = (0..<width * height).flatMap { index -> [UInt8] in
            let color = pixel(index % width, index / width)
            return [color.x, color.y, color.z, color.w]
        }
        return Image(width: width, height: height, pixels: pixels)
    }

    /// Discs of different colours on transparency, each with a dark outline of one pixel, some pixels for each.
    private func sprite(_ enlarged: Int) -> Image {
        image(40 * enlarged, 20 * enlarged) { x, y in
            let (dx, dy) = (x / enlarged % 10 - 5, y / enlarged % 10 - 5)
            let distance = dx * dx + dy * dy
            if distance > 20 { return Self.palette[0] }
            return distance > 10 ? Self.palette[1] : Self.palette[2 + (x / enlarged / 10 + y / enlarged / 10) % 3]
        }
    }

    @Test(arguments: [1, 4, 40]) func spritesArePixelArtAtAnySize(enlarged: Int) {
        #expect(sprite(enlarged).isPixelArt)
    }

    @Test func coloursOfTransparentPixelsDoNotCount() {
        let hidden = image(60, 60) { x, y in
            x / 6 % 2 == 0 ? SIMD4(UInt8(x * 4), UInt8(y * 4), 7, 0) : SIMD4(20, 30, 40, 255)
        }
        #expect(hidden.isPixelArt)
    }

    /// A disc drawn over white, each pixel by how much of it is covered.
    @Test func drawingsWithSoftEdgesAreNone() {
        let disc = image(64, 64) { x, y in
            let (dx, dy) = (Double(x) - 31.7, Double(y) - 32.2)
            let coverage = min(max(24.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
            let grey = UInt8(255 - (coverage * 15).rounded() * 15)
            return SIMD4(grey, grey, grey, 255)
        }
        #expect(!disc.isPixelArt)
    }

    @Test func photographsInFewGreysAreNone() {
        let soft = image(90, 70) { x, y in
            let (ring, noise) = ((x * x + y * y) / 120, (x * 31 + y * 17) % 5)
            let grey = UInt8((ring + noise) % 90)
            return SIMD4(grey, grey, grey, 255)
        }
        #expect(!soft.isPixelArt)
    }

    @Test func aPlainImageIsNone() {
        #expect(!image(30, 30) { _, _ in SIMD4(9, 9, 9, 255) }.isPixelArt)
    }

    @Test(arguments: [
        "photograph.png", "notebook.png", "interface.png", "checker.png", "alpha.png", "notebook-2048.png",
    ])
    func pagesOfTheReferencesAreNone(name: String) throws {
        let bytes = try #require(TemporaryFolder.bytes(at: "\(Repository.path)/reference-images/pages/\(name)"))
        #expect(try !ImageFile.decode(bytes, name: "page").isPixelArt)
    }

    @Test func sixteenBitsAreJudgedAsEight() {
        let sprite = sprite(3)
        let deep = Image(
            width: sprite.width, height: sprite.height, pixels16: sprite.pixels.map { UInt16($0) * 257 })
        #expect(deep.isPixelArt)
    }
}
