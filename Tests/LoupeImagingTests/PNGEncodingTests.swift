import LoupeImaging
import Testing

/// What is written reads back the same, in the smallest colour type that holds it.
struct PNGEncodingTests {
    private func random(_ width: Int, _ height: Int, opaque: Bool) -> Image {
        var pixels = noise(width * height * 4, seed: UInt64(width))
        if opaque { for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 } }
        return Image(width: width, height: height, pixels: pixels)
    }

    @Test(arguments: [(1, 1), (1, 300), (300, 1), (127, 65), (400, 300)], [false, true])
    func everyPictureReadsBackTheSame(size: (Int, Int), opaque: Bool) throws {
        let image = random(size.0, size.1, opaque: opaque)
        #expect(try PNG.decode(PNG.encode(image), name: "copy.png") == image)
    }

    @Test func onlyAWhollyOpaquePictureLosesItsAlpha() throws {
        var image = random(9, 9, opaque: true)
        #expect(try colorType(PNG.encode(image)) == 2)
        image.pixels[9 * 9 * 4 - 1] = 254
        #expect(try colorType(PNG.encode(image)) == 6)
    }

    @Test func anOpaqueGreyPictureIsWrittenAsGrey() throws {
        let pixels = (0..<70 * 50).flatMap { index -> [UInt8] in
            let grey = UInt8(truncatingIfNeeded: index * 7)
            return [grey, grey, grey, 255]
        }
        let image = Image(width: 70, height: 50, pixels: pixels)
        let file = try PNG.encode(image)
        #expect(colorType(file) == 0)
        #expect(try PNG.decode(file, name: "grey.png") == image)
    }

    @Test func aLargePhotographIsWrittenInBandsThatReadBackTheSame() throws {
        // Noise on a slope, as a camera's: large enough for several bands of every stage.
        var pixels = noise(700 * 600 * 4, seed: 1)
        for index in pixels.indices {
            let (base, channel) = (UInt8(index / 4 % 700 / 4), UInt8(index % 4))
            pixels[index] = channel == 3 ? 255 : base + pixels[index] % 16 + 10 * channel
        }
        let image = Image(width: 700, height: 600, pixels: pixels)
        #expect(try PNG.decode(PNG.encode(image), name: "photo.png") == image)
    }

    @Test func theSamePictureGivesTheSameBytes() throws {
        let image = random(64, 64, opaque: false)
        #expect(try PNG.encode(image) == PNG.encode(image))
    }

    @Test func theFileHasTheFormThatTheSpecificationAsksFor() throws {
        let bytes = try PNG.encode(random(40, 30, opaque: false))
        #expect(bytes.starts(with: PNGBuilder.signature + PNGBuilder.header(width: 40, height: 30)))
        #expect(bytes.suffix(12).elementsEqual(PNGBuilder.chunk("IEND", [])))
        #expect(PNGBuilder.correctingChecksums(of: bytes) == bytes)
    }

    private func colorType(_ file: [UInt8]) -> UInt8 { file[25] }
}
