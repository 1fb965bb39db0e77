import TestSupport
import Testing

@testable import LoupeImaging

/// Files that nobody would make: libpng's own rules say which of them are pictures, and every road follows them.
struct PNGDifferentialTests {
    @Test(arguments: 0..<40)
    func everyRoadSeesTheSameInMutatedFiles(seed: UInt64) throws {
        var mutator = PNGMutator(seed: seed)
        for picture in SamplePicture.all {
            let file = mutator.mutate(picture.file)
            #expect(throws: Never.self, "\(file)") { try EveryPNGReader(file: file).picture() }
        }
    }

    // MARK: - One fault each

    private static let header = PNGBuilder.header(width: 2, height: 2, colorType: 2)
    private static let rows: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12]
    private static let data = PNGBuilder.zlib(rows)
    private static let idat = PNGBuilder.chunk("IDAT", data)
    private static let end = PNGBuilder.chunk("IEND", [])
    private static let pixels: [UInt8] = [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 10, 11, 12, 255]

    private static func chunk(_ type: String, _ data: [UInt8] = [], length: Int? = nil, wrong: Bool = false) -> [UInt8]
    {
        var chunk = PNGBuilder.chunk(type, data)
        if let length { chunk.replaceSubrange(0..<4, with: PNGBuilder.word(length)) }
        if wrong { chunk[chunk.count - 1] ^= 1 }
        return chunk
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let chunks: [UInt8]
        init(_ description: String, _ chunks: [UInt8]) { (testDescription, self.chunks) = (description, chunks) }
    }

    private static let harmless = [
        Fault("an ancillary chunk with a wrong checksum", header + chunk("tEXt", [65, 0], wrong: true) + idat + end),
        Fault("a profile that is none, with a wrong checksum", header + chunk("iCCP", [1], wrong: true) + idat + end),
        Fault("a gamma of 0", header + chunk("gAMA", [0, 0, 0, 0]) + idat + end),
        Fault("two gammas of odd lengths", header + chunk("gAMA", [1]) + chunk("gAMA") + idat + end),
        Fault("primaries that are none", header + chunk("cHRM", [UInt8](repeating: 0, count: 32)) + idat + end),
        Fault("primaries far outside", header + chunk("cHRM", [UInt8](repeating: 255, count: 32)) + idat + end),
        Fault("significant bits that make no sense", header + chunk("sBIT", [99, 0]) + idat + end),
        Fault("a background of the wrong length", header + chunk("bKGD", [1]) + idat + end),
        Fault("a size of pixels that is cut short", header + chunk("pHYs", [0]) + idat + end),
        Fault("texts without a keyword", header + chunk("zTXt", [0, 0, 1]) + chunk("iTXt") + idat + end),
        Fault("an animation's chunks", header + chunk("acTL", [0, 0, 0, 9, 0, 0, 0, 0]) + idat + chunk("fdAT") + end),
        Fault("data in chunks of no bytes", header + chunk("IDAT") + idat + chunk("IDAT") + end),
        Fault("a palette beside colours", header + chunk("PLTE", [1, 2, 3]) + idat + end),
        Fault("a palette beside colours that is cut short", header + chunk("PLTE", [1, 2]) + idat + end),
        Fault("a transparent colour of the wrong length", header + chunk("tRNS", [1]) + idat + end),
        Fault("a palette after the data", header + idat + chunk("PLTE", [1, 2, 3]) + chunk("IDAT") + end),
        Fault("data of no bytes after something else", header + idat + chunk("tEXt", [65, 0]) + chunk("IDAT") + end),
        Fault("more data after something else", header + idat + chunk("tEXt", [65, 0]) + idat + end),
        Fault("an end that holds something", header + idat + chunk("IEND", [1])),
        Fault("bytes after the stream", header + chunk("IDAT", data + [1, 2]) + end),
        Fault("more rows than there are", header + chunk("IDAT", PNGBuilder.zlib(rows + rows)) + end),
        Fault("a text between the data and the end", header + idat + chunk("tEXt", [65, 0]) + end),
        Fault("bytes after the end", header + idat + end + [1, 2, 3] + header),
    ]

    @Test(arguments: harmless)
    func whatHarmsNoPixelIsPassedOver(_ fault: Fault) throws {
        #expect(try EveryPNGReader(file: PNGBuilder.signature + fault.chunks).picture() == Self.pixels)
    }

    private static let harmful = [
        Fault("no header", idat + end),
        Fault("a header twice", header + header + idat + end),
        Fault("a header with a wrong checksum", Array(header.dropLast()) + [header[header.count - 1] ^ 1] + idat + end),
        Fault(
            "an unknown filter method", PNGBuilder.chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 1, 0]) + idat + end),
        Fault("an unknown packing", PNGBuilder.chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 1, 0, 0]) + idat + end),
        Fault(
            "an unknown interlacing", PNGBuilder.chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 2]) + idat + end),
        Fault("a length over 2³¹", header + chunk("tEXt", [65, 0], length: 0x8000_0000) + idat + end),
        Fault("the greatest length", header + chunk("tEXt", [65, 0], length: 0xffff_ffff) + idat + end),
        Fault("a length beyond the file", header + chunk("IDAT", data, length: 5000) + end),
        Fault("a name that is none", header + chunk("a1b2") + idat + end),
        Fault("Apple's own kind of PNG", chunk("CgBI", [0x50, 0, 0x20, 2]) + header + idat + end),
        Fault("an unknown critical chunk after the data", header + idat + chunk("CRIT") + end),
        Fault("data with a wrong checksum", header + chunk("IDAT", data, wrong: true) + end),
        Fault("no end", header + idat),
        Fault("no data", header + end),
        Fault("data of no bytes", header + chunk("IDAT") + end),
        Fault("no stream", header + chunk("IDAT", [1, 2, 3, 4, 5, 6, 7, 8]) + end),
        Fault("a stream with a dictionary", header + chunk("IDAT", [0x78, 0x20] + data.dropFirst(2)) + end),
        Fault(
            "a stream whose header is no multiple of 31",
            header + chunk("IDAT", [0x78, 0x02] + data.dropFirst(2)) + end),
        Fault("a stream that ends too soon", header + chunk("IDAT", Array(data.dropLast(1))) + end),
        Fault("fewer rows than there should be", header + chunk("IDAT", PNGBuilder.zlib(Array(rows.dropLast()))) + end),
        Fault("a filter that does not exist", header + chunk("IDAT", PNGBuilder.zlib([5] + rows.dropFirst())) + end),
    ]

    @Test(arguments: harmful)
    func whatHarmsPixelsIsRefused(_ fault: Fault) throws {
        #expect(try EveryPNGReader(file: PNGBuilder.signature + fault.chunks).picture() == nil)
    }

    // MARK: - Palettes

    private static func indexed(depth: UInt8, palette: [UInt8]?, alphas: [UInt8]? = nil, row: UInt8) -> [UInt8] {
        PNGBuilder.file(
            header: PNGBuilder.header(width: 1, height: 1, depth: depth, colorType: 3),
            extras: (palette.map { chunk("PLTE", $0) } ?? []) + (alphas.map { chunk("tRNS", $0) } ?? []), raw: [0, row])
    }

    @Test(arguments: [1, 2, 4, 8] as [UInt8])
    func anIndexPastThePaletteIsOpaqueBlack(depth: UInt8) throws {
        let file = Self.indexed(depth: depth, palette: [9, 8, 7], alphas: [5], row: 255)
        #expect(try EveryPNGReader(file: file).picture() == [0, 0, 0, 255])
    }

    @Test(arguments: [nil, [], [1, 2], [UInt8](repeating: 3, count: 257 * 3)] as [[UInt8]?])
    func aPaletteThatIsNoneIsRefused(palette: [UInt8]?) throws {
        #expect(try EveryPNGReader(file: Self.indexed(depth: 8, palette: palette, row: 0)).picture() == nil)
    }

    @Test func alphasBeyondThePaletteAreIgnored() throws {
        let file = Self.indexed(depth: 8, palette: [9, 8, 7], alphas: [5, 6, 7, 8], row: 0)
        #expect(try EveryPNGReader(file: file).picture() == [9, 8, 7, 255])
    }

    // MARK: - Sizes

    @Test(arguments: [1, 2, 4, 8, 16] as [UInt8])
    func tinyInterlacedPicturesHaveEveryPixel(depth: UInt8) throws {
        for width in 1...9 {
            for height in 1...9 {
                let rows = { (width: Int, height: Int) -> [UInt8] in
                    guard width > 0 else { return [] }
                    return (0..<height).flatMap { _ in
                        [0] + [UInt8](repeating: 255, count: (width * Int(depth) + 7) / 8)
                    }
                }
                let passes = [
                    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
                ]
                let raw = passes.flatMap { left, top, stepX, stepY in
                    rows((width - left + stepX - 1) / stepX, (height - top + stepY - 1) / stepY)
                }
                let header = PNGBuilder.header(
                    width: width, height: height, depth: depth, colorType: 0, interlaced: true)
                let white = [UInt8](repeating: 255, count: width * height * 4)
                #expect(try EveryPNGReader(file: PNGBuilder.file(header: header, raw: raw)).picture() == white)
                #expect(
                    try EveryPNGReader(file: PNGBuilder.file(header: header, raw: Array(raw.dropLast()))).picture()
                        == nil)
            }
        }
    }
}
