import LoupeImaging
import Testing

/// PNGs of 16 bits a channel.
@Suite struct PNG16Tests {
    private func samples(_ count: Int) -> [UInt16] { (0..<count).map { UInt16(truncatingIfNeeded: $0 &* 40_503) } }

    @Test(arguments: [0, 2, 4, 6], [false, true])
    func everySampleOfAFileIsKept(colorType: Int, isInterlaced: Bool) throws {
        // One row, so that interlacing by its first pass alone would show.
        let channels = [0: 1, 2: 3, 4: 2, 6: 4][colorType] ?? 0
        let stored = samples(channels)
        let raw: [UInt8] = [0] + stored.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let header = PNGBuilder.header(
            width: 1, height: 1, depth: 16, colorType: UInt8(colorType), interlaced: isInterlaced)
        let file = PNGBuilder.file(header: header, raw: raw)
        let image = try PNG.decode(file, name: "a", keepsDepth: true)
        let expected: [UInt16] =
            switch colorType {
            case 0: [stored[0], stored[0], stored[0], 65535]
            case 2: stored + [65535]
            case 4: [stored[0], stored[0], stored[0], stored[1]]
            default: stored
            }
        #expect(image.pixels16 == expected)
        #expect(try image.pixels == PNG.decode(file, name: "a").pixels, "rounded as libpng rounds")
    }

    @Test func fileOf8BitsStays8Bits() throws {
        let image = try PNG.decode(PNGBuilder.small().file, name: "a", keepsDepth: true)
        #expect(image.pixels16 == nil)
    }

    @Test(arguments: ["grey", "rgb", "rgba"])
    func pictureIsReadBackAsItWasWritten(_ kind: String) throws {
        var pixels = samples(37 * 23 * 4)
        for start in stride(from: 0, to: pixels.count, by: 4) {
            if kind != "rgba" { pixels[start + 3] = 65535 }
            if kind == "grey" { (pixels[start + 1], pixels[start + 2]) = (pixels[start], pixels[start]) }
        }
        let image = Image(width: 37, height: 23, pixels16: pixels)
        let file = try PNG.encode(image)
        #expect(file[24] == 16 && file[25] == ["grey": 0, "rgb": 2, "rgba": 6][kind])
        #expect(try PNG.decode(file, name: "a", keepsDepth: true) == image)
        #expect(try PNG.encode(image) == file)
    }

    @Test func cutShortFileIsAnError() throws {
        let file = try PNG.encode(Image(width: 9, height: 9, pixels16: samples(324)))
        for count in stride(from: 40, to: file.count, by: 9) {
            #expect(throws: ImageError.self) { try PNG.decode(Array(file.prefix(count)), name: "a", keepsDepth: true) }
        }
    }

    @Test func roundingIsToNearest() {
        let samples: [UInt16] = [0, 128, 129, 65535, 65406, 65407, 257, 385]
        let image = Image(width: 2, height: 1, pixels16: samples)
        #expect(image.pixels == samples.map { UInt8((Double($0) / 257).rounded()) })
    }
}
