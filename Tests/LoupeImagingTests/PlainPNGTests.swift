import LoupeSystem
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
        let header = try PNGHeader(from: ByteSource(file), name: "page.png")
        guard let reader = PlainRowReader(source: ByteSource(file), header: header) else { return nil }
        var pixels = [UInt8](repeating: 0, count: header.width * header.height * 4)
        return pixels.withUnsafeMutableBytes(reader.read) && reader.finish() ? pixels : nil
    }

    private func byLibpng(_ file: [UInt8]) throws -> [UInt8] { try #require(EveryPNGReader(file: file).byLibpng()) }

    private static let layouts: [(colorType: UInt8, channels: Int)] = [(0, 1), (2, 3), (6, 4)]

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

    /// Where something must not be ignored, or is not sound.
    @Test func anythingUnusualIsLeftToLibpng() throws {
        let header = PNGBuilder.header(width: 20, height: 9)
        let raw = rows(width: 20, height: 9, channels: 4, seed: 1) { UInt8($0 % 5) }
        let data = PNGBuilder.zlib(raw)
        let (idat, end) = (PNGBuilder.chunk("IDAT", data), PNGBuilder.chunk("IEND", []))
        #expect(try quick(PNGBuilder.signature + header + PNGBuilder.chunk("tEXt", [65, 0]) + idat + end) != nil)
        let others: [[UInt8]] = [
            PNGBuilder.chunk("tRNS", [0, 0, 0, 0, 0, 0]) + idat + end, PNGBuilder.chunk("CRIT", []) + idat + end,
            PNGBuilder.chunk("IDAT", data + [0]) + end, Array(idat.dropLast()) + [0] + end, idat,
            PNGBuilder.chunk("IDAT", [0x18, 0x19] + data.dropFirst(2)) + end,
        ]
        for chunks in others { #expect(try quick(PNGBuilder.signature + header + chunks) == nil) }
        for (depth, colorType, isInterlaced) in [(8, 6, true), (16, 6, false), (8, 4, false)] as [(UInt8, UInt8, Bool)]
        {
            let header = PNGBuilder.header(
                width: 20, height: 9, depth: depth, colorType: colorType, interlaced: isInterlaced)
            #expect(try quick(PNGBuilder.file(header: header, raw: raw)) == nil)
        }
    }
}
