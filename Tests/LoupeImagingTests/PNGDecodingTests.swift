import LoupeBase
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// Decoding compared with pictures computed from the PNG specification, and with what Pillow reads.
struct PNGDecodingTests {
    @Test(arguments: SamplePicture.all)
    func everyFormatDecodesToTheSpecifiedColours(sample: SamplePicture) throws {
        #expect(try EveryPNGReader(file: sample.file).picture() == sample.expected.pixels)
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

    /// Inserts chunks after the header.
    private func adding(_ chunks: [UInt8], to file: [UInt8]) -> [UInt8] {
        Array(file[..<33]) + chunks + Array(file[33...])
    }
}
