import TestSupport
import Testing

@testable import LoupeImaging

/// The quick way to read a common PNG gives what libpng gives, or gives way to it.
struct PlainPNGTests {
    /// Rows of noise, each after a filter's number: any bytes are differences of some image.
    private func rows(width: Int, height: Int, channels: Int, seed: UInt64, filter: (Int) -> UInt8) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<height).flatMap { y in
            [filter(y)] + (0..<width * channels).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
        }
    }

    private func quick(_ file: [UInt8]) throws -> [UInt8]? {
        try PNG.withSource(of: file) { source throws(ImageError) in
            PlainPNG.pixels(source, header: try PNGHeader(from: source, name: "page.png"))
        }
    }

    private func byLibpng(_ file: [UInt8]) throws -> [UInt8] {
        try PNG.withSource(of: file) { source throws(ImageError) in
            let header = try PNGHeader(from: source, name: "page.png")
            return try PNG.samples(UInt8.self, from: source, header, name: "page.png", limits: ImageLimits())
        }
    }

    private static let layouts: [(colorType: UInt8, channels: Int)] = [(0, 1), (4, 2), (2, 3), (6, 4)]

    @Test(arguments: layouts)
    func everyFilterAtEveryWidthEqualsLibpng(colorType: UInt8, channels: Int) throws {
        for width in 1...70 {
            for filter in 0...5 as ClosedRange<UInt8> {
                // 5 stands for all of them in turns, beginning with another one at each width.
                let raw = rows(width: width, height: 11, channels: channels, seed: UInt64(width) << 8) { y in
                    filter < 5 ? filter : UInt8((y + width) % 5)
                }
                let file = PNGBuilder.file(
                    header: PNGBuilder.header(width: width, height: 11, colorType: colorType), raw: raw)
                let pixels = try quick(file)
                #expect(try pixels == byLibpng(file), "width \(width), filter \(filter)")
            }
        }
    }

    /// Where every difference and every sum is at the ends of its range.
    @Test(arguments: layouts)
    func filtersOfBlackAndWhiteEqualLibpng(colorType: UInt8, channels: Int) throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let raw = (0..<8).flatMap { _ -> [UInt8] in
                [UInt8(random.next() % 5)]
                    + (0..<9 * channels).map { _ in [0, 1, 127, 128, 255][Int(random.next() % 5)] }
            }
            let file = PNGBuilder.file(
                header: PNGBuilder.header(width: 9, height: 8, colorType: colorType), raw: raw)
            let pixels = try quick(file)
            #expect(try pixels == byLibpng(file))
        }
    }

    // MARK: - Chunks

    private let header = PNGBuilder.header(width: 20, height: 9)
    private var raw: [UInt8] { rows(width: 20, height: 9, channels: 4, seed: 1) { UInt8($0 % 5) } }
    private let end = PNGBuilder.chunk("IEND", [])

    @Test func imageDataMayBeCutAnywhere() throws {
        let data = PNGBuilder.zlib(raw)
        let whole = try #require(try quick(PNGBuilder.file(header: header, raw: raw)))
        for cut in stride(from: 0, through: data.count, by: 7) {
            let parts = [data[..<cut], data[cut...].prefix(3), data[cut...].dropFirst(3)]
            let file = PNGBuilder.signature + header + parts.flatMap { PNGBuilder.chunk("IDAT", Array($0)) } + end
            #expect(try quick(file) == whole)
        }
    }

    @Test func chunksThatDoNotBearOnThePixelsArePassedOver() throws {
        let text = PNGBuilder.chunk("tEXt", Array("Title".utf8) + [0])
        let data = PNGBuilder.chunk("IDAT", PNGBuilder.zlib(raw))
        let file = PNGBuilder.signature + header + text + data + text + end
        #expect(try quick(file) == byLibpng(file))
        #expect(try quick(file) != nil)
    }

    @Test func whateverFollowsTheEndIsIgnored() throws {
        let file = PNGBuilder.file(header: header, raw: raw)
        #expect(try quick(file + [1, 2, 3]) == quick(file))
        #expect(try quick(file) != nil)
    }

    @Test func anythingUnusualIsLeftToLibpng() throws {
        let data = PNGBuilder.zlib(raw)
        let idat = PNGBuilder.chunk("IDAT", data)
        let text = PNGBuilder.chunk("tEXt", [65, 0])
        let unusual: [(what: String, chunks: [UInt8])] = [
            ("transparency", PNGBuilder.chunk("tRNS", [0, 0, 0, 0, 0, 0]) + idat + end),
            ("a palette", PNGBuilder.chunk("PLTE", [1, 2, 3]) + idat + end),
            ("an unknown critical chunk", PNGBuilder.chunk("CRIT", []) + idat + end),
            (
                "data in two places",
                PNGBuilder.chunk("IDAT", Array(data[..<9])) + text
                    + PNGBuilder.chunk("IDAT", Array(data[9...])) + end
            ),
            ("a second header", header + idat + end),
            ("an end that holds something", idat + PNGBuilder.chunk("IEND", [0])),
            ("no data", end), ("no end", idat),
            ("a wrong checksum", Array(idat.dropLast()) + [idat[idat.count - 1] ^ 1] + end),
            ("bytes after the stream", PNGBuilder.chunk("IDAT", data + [0]) + end),
            ("too few rows", PNGBuilder.chunk("IDAT", PNGBuilder.zlib(Array(raw.dropLast(81)))) + end),
            ("too many rows", PNGBuilder.chunk("IDAT", PNGBuilder.zlib(raw + raw.suffix(81))) + end),
            ("a filter that does not exist", PNGBuilder.chunk("IDAT", PNGBuilder.zlib([5] + raw.dropFirst())) + end),
            ("a small window", PNGBuilder.chunk("IDAT", [0x18, 0x19] + data.dropFirst(2)) + end),
        ]
        for (what, chunks) in unusual {
            #expect(try quick(PNGBuilder.signature + header + chunks) == nil, "\(what)")
        }
        for colorType in [2, 6] as [UInt8] {
            let interlaced = PNGBuilder.header(width: 20, height: 9, colorType: colorType, interlaced: true)
            #expect(try quick(PNGBuilder.file(header: interlaced, raw: raw)) == nil)
            let deep = PNGBuilder.header(width: 20, height: 9, depth: 16, colorType: colorType)
            #expect(try quick(PNGBuilder.file(header: deep, raw: raw)) == nil)
        }
    }

    @Test func aFileCutShortAnywhereIsLeftToLibpng() throws {
        let file = PNGBuilder.file(header: header, raw: raw)
        for count in 33..<file.count { #expect(try quick(Array(file.prefix(count))) == nil, "after \(count) bytes") }
    }
}
