import LoupeImaging
import Testing

/// `gAMA` in PNGs of every colour type: samples raised to 1/gamma are light (PNG specification, 13.13), alpha is none.
@Suite struct PNGGammaTests {
    /// A PNG whose samples are linear light, as its `gAMA` of 1 says.
    struct Picture: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let width: Int
        let file: [UInt8]
        /// Red, green, blue and alpha of each pixel, from 0 to 1.
        let light: [[Double]]

        init(
            _ name: String, depth: UInt8, colorType: UInt8, chunks: [UInt8] = [], rows: [UInt8],
            isInterlaced: Bool = false,
            width: Int, _ light: [[Double]]
        ) {
            testDescription = name
            self.width = width
            self.light = light
            let header = PNGBuilder.header(
                width: width, height: light.count / width, depth: depth, colorType: colorType, interlaced: isInterlaced)
            let gamma = PNGBuilder.chunk("gAMA", PNGBuilder.word(100_000))
            file = PNGBuilder.file(header: header, extras: gamma + chunks, raw: rows)
        }

        /// In sRGB, straight RGBA.
        var expected: [Double] {
            light.flatMap { $0.prefix(3).map(StandardCurve.encoded) + [$0[3]] }
        }
    }

    private static func grey(_ value: Double, alpha: Double = 1) -> [Double] { [value, value, value, alpha] }

    static let pictures = [
        Picture(
            "grey of 1 bit", depth: 1, colorType: 0, rows: [0, 0b1011_0000], width: 4, [1, 0, 1, 1].map { grey($0) }),
        Picture(
            "grey of 2 bits", depth: 2, colorType: 0, rows: [0, 0b0001_1011], width: 4,
            [0, 1, 2, 3].map { grey($0 / 3) }),
        Picture(
            "grey of 4 bits", depth: 4, colorType: 0, rows: [0, 0x15, 0xaf], width: 4,
            [1, 5, 10, 15].map { grey($0 / 15) }),
        Picture(
            "grey of 8 bits", depth: 8, colorType: 0, rows: [0, 1, 20, 128, 255], width: 4,
            [1, 20, 128, 255].map { grey($0 / 255) }),
        // Dark greys that are equal in 8 bits.
        Picture(
            "grey of 16 bits", depth: 16, colorType: 0, rows: [0, 0, 0x20, 0, 0x80, 1, 0x23, 0xff, 0xff], width: 4,
            [0x20, 0x80, 0x123, 0xffff].map { grey($0 / 65535) }),
        Picture(
            "grey with a transparent one", depth: 8, colorType: 0, chunks: PNGBuilder.chunk("tRNS", [0, 20]),
            rows: [0, 20, 21], width: 2, [grey(20 / 255, alpha: 0), grey(21 / 255)]),
        Picture(
            "grey and alpha", depth: 8, colorType: 4, rows: [0, 20, 128, 128, 20], width: 2,
            [grey(20 / 255, alpha: 128 / 255), grey(128 / 255, alpha: 20 / 255)]),
        Picture(
            "grey and alpha of 16 bits", depth: 16, colorType: 4, rows: [0, 0, 0x80, 0x80, 0x80], width: 1,
            [grey(0x80 / 65535, alpha: 0x8080 / 65535)]),
        Picture(
            "RGB", depth: 8, colorType: 2, rows: [0, 0, 51, 204], width: 1, [[0, 0.2, 0.8, 1]]),
        Picture(
            "RGB of 16 bits", depth: 16, colorType: 2, rows: [0, 0, 0x20, 0x33, 0x33, 0, 0x80], width: 1,
            [[0x20 / 65535, 0.2, 0x80 / 65535, 1]]),
        Picture(
            "RGBA", depth: 8, colorType: 6, rows: [0, 0, 51, 204, 102], width: 1, [[0, 0.2, 0.8, 0.4]]),
        Picture(
            "RGBA of 16 bits", depth: 16, colorType: 6, rows: [0, 0, 0x20, 0x33, 0x33, 0, 0x80, 0x66, 0x66], width: 1,
            [[0x20 / 65535, 0.2, 0x80 / 65535, 0.4]]),
        Picture(
            "palette with alpha", depth: 2, colorType: 3,
            chunks: PNGBuilder.chunk("PLTE", [0, 51, 204, 20, 128, 255]) + PNGBuilder.chunk("tRNS", [102]),
            rows: [0, 0b0001_0000], width: 2, [[0, 0.2, 0.8, 0.4], [20 / 255, 128 / 255, 1, 1]]),
        // The first pass has the first pixel, the sixth its neighbour, the seventh the row below.
        Picture(
            "interlaced", depth: 8, colorType: 0, rows: [0, 51, 0, 204, 0, 20, 128], isInterlaced: true, width: 2,
            [0.2, 0.8, 20 / 255, 128 / 255].map { grey($0) }),
        Picture(
            "interlaced, of 16 bits", depth: 16, colorType: 0, rows: [0, 0, 0x20, 0, 0, 0x80, 0, 0x33, 0x33, 0, 0],
            isInterlaced: true, width: 2, [0x20 / 65535, 0x80 / 65535, 0.2, 0].map { grey($0) }),
    ]

    @Test(arguments: pictures)
    func linearSamplesBecomeSRGB(_ picture: Picture) throws {
        let image = try ImageFile.decode(picture.file, name: "a.png")
        #expect(image.width == picture.width && image.pixels16 == nil)
        for (found, expected) in zip(image.pixels, picture.expected) {
            #expect(abs(Double(found) - expected * 255) <= 1, "\(found), not \(expected * 255)")
        }
    }

    @Test(arguments: pictures)
    func rowsAreTheSameAsTheWhole(_ picture: Picture) throws {
        var pixels: [UInt8] = []
        try ImageFile(picture.file, name: "a.png").rows().forEachConvertedBand { band, _ in pixels += band }
        #expect(try pixels == ImageFile.decode(picture.file, name: "a.png").pixels)
    }

    private static let deepPictures = pictures.filter { $0.testDescription.contains("16") }

    @Test(arguments: deepPictures)
    func sixteenBitsAreAsFineAsTheyAreStored(_ picture: Picture) throws {
        let image = try ImageFile.decode(picture.file, name: "a.png", keepsDepth: true)
        for (found, expected) in zip(try #require(image.pixels16), picture.expected) {
            #expect(abs(Double(found) - expected * 65535) <= 1, "\(found), not \(expected * 65535)")
        }
    }
}
