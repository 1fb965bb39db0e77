import LoupeBase
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// Decoding compared with pictures computed from the PNG specification, and with what Pillow reads.
struct PNGDecodingTests {
    @Test(arguments: SamplePicture.all)
    func everyFormatDecodesToTheSpecifiedColours(sample: SamplePicture) throws {
        #expect(try PNG.decode(sample.file, name: "sample.png") == sample.expected)
    }

    @Test(arguments: [
        "bilevel", "grey", "grey-alpha", "palette-4bit", "palette-8bit-transparent", "rgb", "rgb-key", "rgba",
    ])
    func pillowsFilesDecodeAsPillowReadsThem(name: String) throws {
        let fixture = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
        let path = "/\(fixture)/Fixtures/\(name)"
        let image = try PNG.read(path: Path(path + ".png"))
        #expect(image.pixels == TemporaryFolder.bytes(at: path + ".rgba"))
        #expect((image.width, image.height) == (16, 12))
    }

    @Test func sixteenBitSamplesAreRounded() throws {
        let samples = [0, 127, 128, 129, 256, 257, 385, 386, 32767, 32768, 65406, 65407, 65535]
        let raw: [UInt8] = [0] + samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let header = PNGBuilder.header(width: samples.count, height: 1, depth: 16, colorType: 0)
        let image = try PNG.decode(PNGBuilder.file(header: header, raw: raw), name: "deep.png")
        let reds = stride(from: 0, to: image.pixels.count, by: 4).map { image.pixels[$0] }
        #expect(reds == samples.map { UInt8((Double($0) / 257).rounded()) })
    }

    @Test func anAncillaryChunkOfAnyLengthIsPassedOver() throws {
        let (file, pixels) = PNGBuilder.small()
        let text = PNGBuilder.chunk("tEXt", [UInt8](repeating: 65, count: 9_000_000))
        #expect(try PNG.decode(adding(text, to: file), name: "text.png").pixels == pixels)
        #expect(try EveryPNGReader(file: adding(text, to: file)).picture() == pixels)
    }

    @Test func theSizeIsReadFromTheHeaderAlone() throws {
        let start = PNGBuilder.signature + PNGBuilder.header(width: 60000, height: 3)
        #expect(try ImageFile(start, name: "start.png").size == ImageSize(width: 60000, height: 3))
        let folder = TemporaryFolder()
        #expect(try ImageFile(path: Path(folder.put(start, "start.png"))).size == ImageSize(width: 60000, height: 3))
    }

    @Test func theSignatureTellsAPNG() {
        #expect(ImageFile.Format(of: PNGBuilder.small().file) == .png)
        #expect(ImageFile.Format(of: Array("GIF89a..".utf8)) != .png)
        #expect(ImageFile.Format(of: [UInt8]()) != .png)
        #expect(ImageFile.Format(of: Array(PNG.signature.dropLast())) != .png)
    }

    /// Inserts chunks after the header.
    private func adding(_ chunks: [UInt8], to file: [UInt8]) -> [UInt8] {
        Array(file[..<33]) + chunks + Array(file[33...])
    }
}
