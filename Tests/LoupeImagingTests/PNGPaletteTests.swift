import LoupeImaging
import TestSupport
import Testing

/// Few colours are stored as a palette where that is smaller, and read back exactly.
struct PNGPaletteTests {
    /// Blocks of a few colours, so that rows repeat as a drawing's do.
    private func drawing(colors: [[UInt8]], width: Int, height: Int) -> Image {
        var random = SplitMix64(seed: UInt64(colors.count))
        let blocks = (0..<(width / 3 + 1) * (height / 3 + 1)).map { _ in Int(random.next() % UInt64(colors.count)) }
        var pixels: [UInt8] = []
        for y in stride(from: 0, to: height, by: 3) {
            let first = y / 3 * (width / 3 + 1)
            var row: [UInt8] = []
            for x in 0..<width { row += colors[blocks[first + x / 3]] }
            for _ in y..<min(height, y + 3) { pixels += row }
        }
        // Every colour is used.
        pixels.replaceSubrange(0..<4 * colors.count, with: colors.joined())
        return Image(width: width, height: height, pixels: pixels)
    }

    private func colors(_ count: Int, translucent: Bool) -> [[UInt8]] {
        (0..<count).map { number -> [UInt8] in
            let alpha = translucent && number % 3 == 1 ? UInt8(number) : 255
            return [UInt8(number), UInt8(number * 7 & 255), UInt8(number * 31 & 255), alpha]
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 100, 256], [false, true])
    func fewColoursReadBackTheSame(count: Int, translucent: Bool) throws {
        for width in [61, 300, 303] {
            let image = drawing(colors: colors(count, translucent: translucent), width: width, height: 290)
            for effort in PNGOptions.Effort.allCases {
                let file = try PNG.encode(image, options: PNGOptions(effort: effort))
                // A single colour, and a small picture of many, are smaller without.
                if count > 1, width >= 300 {
                    let depth: UInt8 = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8
                    #expect(file[25] == 3 && file[24] == depth, "width \(width), \(effort)")
                }
                #expect(try PNG.decode(file, name: "drawing.png") == image)
            }
        }
    }

    @Test func oneColourMoreThanAPaletteHoldsIsStoredAsItIs() throws {
        var image = drawing(colors: colors(256, translucent: false), width: 300, height: 300)
        #expect(try PNG.encode(image)[25] == 3)
        image.pixels.replaceSubrange(0..<4, with: [9, 9, 9, 255])
        image.pixels.replaceSubrange(4..<8, with: [0, 0, 0, 255])
        #expect(try PNG.encode(image)[25] == 2)
    }

    @Test func aGreySlopeIsSmallerWithoutAPalette() throws {
        let pixels = (0..<256 * 256).flatMap { index -> [UInt8] in
            let grey = UInt8((index % 256 + index / 256) / 2)
            return [grey, grey, grey, 255]
        }
        let file = try PNG.encode(Image(width: 256, height: 256, pixels: pixels))
        #expect(file[25] == 0)
    }

    @Test func transparencyEndsWithTheLastTranslucentColour() throws {
        let image = drawing(
            colors: [[1, 2, 3, 255], [4, 5, 6, 0], [7, 8, 9, 255], [4, 5, 6, 128]], width: 90, height: 90)
        let file = try PNG.encode(image)
        let trns = try #require(file.firstRange(of: Array("tRNS".utf8)))
        #expect(Array(file[trns.lowerBound - 4..<trns.lowerBound]) == [0, 0, 0, 2])
        #expect(try PNG.decode(file, name: "drawing.png") == image)
    }
}
