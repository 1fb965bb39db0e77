import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// Reading row by row gives what reading at once gives.
struct PNGRowsTests {
    private func pixels(_ rows: PNGRows) throws -> [UInt8] {
        var pixels: [UInt8] = []
        var next = 0
        try rows.forEachBand { band, indices in
            #expect(indices.lowerBound == next && band.count == indices.count * rows.width * 4)
            next = indices.upperBound
            pixels += band
        }
        #expect(next == rows.height)
        return pixels
    }

    @Test func aPictureOfManyBandsReadsTheSame() throws {
        let image = Image(width: 3000, height: 1800, pixels: noise(3000 * 1800 * 4, seed: 4))
        let file = try PNG.encode(image)
        #expect(try pixels(ImageFile(file, name: "page.png").rows()) == image.pixels)
        let folder = TemporaryFolder()
        _ = folder.put(file, "page.png")
        #expect(try pixels(ImageFile(path: Path(folder.file("page.png"))).rows()) == image.pixels)
        _ = folder.put(Array(file.dropLast(5)), "cut.png")
        #expect(throws: ImageError.self) { try pixels(ImageFile(path: Path(folder.file("cut.png"))).rows()) }
        _ = folder.put(Array(file.prefix(file.count / 2)), "half.png")
        #expect(throws: ImageError.self) {
            try ImageFile(path: Path(folder.file("half.png"))).rows().forEachBand { _, _ in }
        }
    }

    /// Whether all is well, what is wrong, and every pixel.
    private func expectTheSame(_ file: [UInt8], _ what: Comment) {
        let whole = Result { () throws(ImageError) in try PNG.decode(file, name: "a.png").pixels }
        let byRows = Result { try pixels(ImageFile(file, name: "a.png").rows()) }
        switch (whole, byRows) {
        case (.success(let a), .success(let b)): #expect(a == b, what)
        case (.failure(let a), .failure(let b)): #expect(a == b as? ImageError, what)
        default: Issue.record(what)
        }
    }

    @Test func aFaultInALaterBandIsJudgedAsInAFileReadAtOnce() throws {
        var pixels = noise(2000 * 1500 * 4, seed: 9)
        for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
        let image = Image(width: 2000, height: 1500, pixels: pixels)
        let file = try PNG.encode(image)
        for part in [0.3, 0.6, 0.9] {
            var damaged = file
            damaged[Int(part * Double(file.count))] ^= 16
            expectTheSame(damaged, "at \(part)")
            expectTheSame(PNGBuilder.correctingChecksums(of: damaged), "at \(part), with right checksums")
        }
        expectTheSame(file, "whole")
    }

    @Test func limitsAreHeldBeforeAnythingIsRead() {
        let file = PNGBuilder.signature + PNGBuilder.header(width: 70_000, height: 4)
        #expect(throws: ImageError.overLimit(name: "a.png", width: 70_000, height: 4, limit: "65535 pixels a side")) {
            try ImageFile(file, name: "a.png").rows()
        }
        let wide = PNGBuilder.signature + PNGBuilder.header(width: 300, height: 4)
        #expect(throws: ImageError.overLimit(name: "a.png", width: 300, height: 4, limit: "1199 pixels")) {
            try ImageFile(wide, name: "a.png").rows(limits: ImageLimits(maxPixels: 1199))
        }
    }

    @Test func anInterlacedPictureThatCantBeHeldIsRefused() throws {
        let file = PNGBuilder.signature + PNGBuilder.header(width: 60_000, height: 15_000, interlaced: true)
        let padded = file + [UInt8](repeating: 0, count: 4 << 20)
        let rows = try ImageFile(padded, name: "a.png").rows(limits: ImageLimits(maxPixels: 1 << 30))
        let expected = ImageError.interlaced(name: "a.png", width: 60_000, height: 15_000, limit: 268_435_456)
        #expect(throws: expected) { try rows.forEachBand { _, _ in } }
        #expect(expected.description.contains("save it without interlacing"))
    }
}
