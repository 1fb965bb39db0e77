import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// The quick reader of PNGs gives what libpng gives, or gives way to it.
struct PlainPNGTests {
    /// The samples by the quick reader, as bytes; nil where it gives way.
    private static func quick(_ file: [UInt8], is16Bit: Bool) -> [UInt8]? {
        guard let header = try? PNGHeader(from: ByteSource(file), name: "page.png"),
            header.width * header.height < 1 << 22
        else { return nil }
        var pixels = [UInt8](repeating: 0, count: header.width * header.height * (is16Bit ? 8 : 4))
        let isDone = pixels.withUnsafeMutableBytes {
            PlainPNG.decode(ByteSource(file), header, is16Bit: is16Bit, into: $0)
        }
        return isDone ? pixels : nil
    }

    private static func byLibpng(_ file: [UInt8], is16Bit: Bool) throws(ImageError) -> [UInt8] {
        let header = try PNGHeader(from: ByteSource(file), name: "page.png")
        let reader = try PNGRowReader(.bytes(file), header, is16Bit: is16Bit, name: "page.png", limits: ImageLimits())
        var pixels = [UInt8](repeating: 0, count: reader.rowBytes * header.height)
        let result = pixels.withUnsafeMutableBytes { pixels in
            Result { () throws(ImageError) in
                try reader.read(into: pixels)
                try reader.finish()
            }
        }
        try result.get()
        return pixels
    }

    /// Compares both readers at both depths.
    /// - Returns: whether the quick one read the file.
    @discardableResult
    private static func compare(_ file: [UInt8], _ name: @autoclosure () -> String) throws -> Bool {
        let depth = file.count > 24 ? file[24] : 0
        var isRead = false
        for is16Bit in depth == 16 ? [false, true] : [false] {
            guard let pixels = quick(file, is16Bit: is16Bit) else { continue }
            isRead = true
            let expected = try? byLibpng(file, is16Bit: is16Bit)
            let isSame = pixels == expected
            #expect(isSame, "\(name()), 16 bits kept: \(is16Bit)")
        }
        return isRead
    }

    private static let kinds: [(colorType: UInt8, channels: Int, depth: UInt8)] = [
        (0, 1, 8), (2, 3, 8), (3, 1, 8), (4, 2, 8), (6, 4, 8), (0, 1, 16), (2, 3, 16), (4, 2, 16), (6, 4, 16),
    ]

    /// The chunks before the image data that a kind needs.
    private static func extras(_ colorType: UInt8, _ random: inout SplitMix64) -> [UInt8] {
        guard colorType == 3 else { return [] }
        let colors = 1 + Int(random.next() % 256)
        let palette = (0..<3 * colors).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
        return PNGBuilder.chunk("PLTE", palette) + PNGBuilder.chunk("tRNS", Array(palette.prefix(colors / 2 + 1)))
    }

    @Test("every filter at every width equals libpng", arguments: kinds)
    func filters(colorType: UInt8, channels: Int, depth: UInt8) throws {
        var random = SplitMix64(seed: UInt64(colorType))
        for width in 1...70 {
            for filter in 0...5 as ClosedRange<UInt8> {
                // 5 stands for all of them in turns, beginning with another one at each width.
                let raw = (0..<11).flatMap { y in
                    [filter < 5 ? filter : UInt8((y + width) % 5)]
                        + (0..<width * channels * Int(depth) / 8).map { _ in
                            UInt8(truncatingIfNeeded: random.next() >> 32)
                        }
                }
                let header = PNGBuilder.header(width: width, height: 11, depth: depth, colorType: colorType)
                let file = PNGBuilder.file(header: header, extras: Self.extras(colorType, &random), raw: raw)
                #expect(try Self.compare(file, "width \(width), filter \(filter)"))
            }
        }
    }

    @Test("differences and sums at the ends of their range equal libpng", arguments: kinds)
    func extremes(colorType: UInt8, channels: Int, depth: UInt8) throws {
        var random = SplitMix64(seed: 5)
        for round in 0..<100 {
            let raw = (0..<8).flatMap { _ -> [UInt8] in
                [UInt8(random.next() % 5)]
                    + (0..<9 * channels * Int(depth) / 8).map { _ in [0, 1, 127, 128, 255][Int(random.next() % 5)] }
            }
            let header = PNGBuilder.header(width: 9, height: 8, depth: depth, colorType: colorType)
            let file = PNGBuilder.file(header: header, extras: Self.extras(colorType, &random), raw: raw)
            #expect(try Self.compare(file, "round \(round)"))
        }
    }

    /// Rows are inflated into the memory of their pixels where these are longer by enough, from 9 pixels on for three channels.
    @Test("tall pictures of few columns equal libpng in every band", arguments: kinds)
    func bands(colorType: UInt8, channels: Int, depth: UInt8) throws {
        var random = SplitMix64(seed: 9)
        for width in [8, 9, 10, 40] {
            let height = (1 << 17) / width + 1
            let raw = (0..<height).flatMap { _ in
                [UInt8(random.next() % 5)]
                    + (0..<width * channels * Int(depth) / 8).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32)
                    }
            }
            let header = PNGBuilder.header(width: width, height: height, depth: depth, colorType: colorType)
            let file = PNGBuilder.file(header: header, extras: Self.extras(colorType, &random), raw: raw)
            #expect(try Self.compare(file, "width \(width)"))
        }
    }

    /// The file without a gamma and with the largest window: nearly all of PngSuite has a gamma or a small window, which the quick
    /// reader leaves to libpng.
    private static func simplified(_ file: [UInt8]) -> [UInt8] {
        PNGBuilder.signature
            + PNGBuilder.chunks(of: file).filter { $0.type != "gAMA" }.flatMap { type, data in
                PNGBuilder.chunk(type, type == "IDAT" ? [0x78, 0x01] + data.dropFirst(2) : data)
            }
    }

    @Test("PngSuite, damaged palettes and the fixtures equal libpng")
    func files() throws {
        let folder = Path(Repository.path + "/Tests/LoupeImagingTests/Fixtures")
        let suite = folder.child("pngsuite")
        let paths = try (folder.listed.map(folder.child) + suite.listed.map(suite.child)).filter {
            $0.hasEnding(".png")
        }
        try #require(paths.count > 60)
        let read = try paths.filter { path in
            let file = try #require(TemporaryFolder.bytes(at: path.description))
            let results = try [file, Self.simplified(file)].map { try Self.compare($0, "\(path)") }
            return results.contains(true)
        }
        // The others are interlaced, have less than a byte a sample or a transparent colour of 16 bits.
        #expect(read.count > 20)
    }

    @Test("2,000 mutated files are read as by libpng, or not at all", arguments: 0..<50)
    func mutations(seed: UInt64) throws {
        var mutator = PNGMutator(seed: seed)
        for picture in SamplePicture.all where !picture.interlaced {
            for _ in 0..<2 {
                let file = mutator.mutate(picture.file)
                try Self.compare(file, "\(picture.testDescription): \(file)")
            }
        }
    }
}
