import LoupeImaging
import TestSupport
import Testing

/// Broken files are errors: never a partial or another picture, never a crash.
struct PNGCorruptionTests {
    private let whole = PNGBuilder.small()

    private func error(of file: [UInt8], limits: ImageLimits = ImageLimits()) -> ImageError? {
        failure { () throws(ImageError) in _ = try PNG.decode(file, name: "page.png", limits: limits) }
    }

    @Test func aFileCutShortAnywhereIsAnErrorToEveryReader() throws {
        for count in 0..<whole.file.count {
            let cut = EveryPNGReader(file: Array(whole.file.prefix(count)))
            #expect(try cut.picture() == nil, "cut after \(count) bytes")
        }
    }

    /// But for those of the end's checksum, which libpng 1.6.48 does not read.
    @Test func everyFlippedBitIsNoticed() {
        for index in whole.file.indices.dropLast(4) {
            for bit in 0..<8 {
                var file = whole.file
                file[index] ^= 1 << bit
                #expect(error(of: file)?.kind == .invalid, "byte \(index), bit \(bit)")
            }
        }
    }

    /// With right CRCs the Adler-32 still guards the pixels.
    @Test func aFlippedBitInTheImageDataNeverGivesAnotherPicture() throws {
        for index in 33..<(whole.file.count - 12) {
            for bit in 0..<8 {
                var file = whole.file
                file[index] ^= 1 << bit
                guard let image = try? PNG.decode(PNGBuilder.correctingChecksums(of: file), name: "page.png") else {
                    continue
                }
                #expect(image.pixels == whole.pixels, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func aWrongChecksumNamesItsChunk() {
        var file = whole.file
        file[file.count - 13] ^= 1
        #expect(error(of: file) == .corrupt(name: "page.png", reason: "IDAT: CRC error"))
    }

    @Test(arguments: [(0, 5), (5, 0), (1 << 31, 1), (1, 0xffff_ffff)])
    func impossibleSidesAreRefused(width: Int, height: Int) {
        let file = PNGBuilder.file(header: PNGBuilder.header(width: width, height: height), raw: [0])
        #expect(
            error(of: file) == .corrupt(name: "page.png", reason: "its header says \(width)×\(height) pixels"))
    }

    @Test(arguments: [(5, 8), (1, 8), (2, 4), (3, 16), (6, 1), (0, 3)] as [(UInt8, UInt8)])
    func impossibleFormatsAreRefused(colorType: UInt8, depth: UInt8) {
        let header = PNGBuilder.header(width: 1, height: 1, depth: depth, colorType: colorType)
        #expect(error(of: PNGBuilder.file(header: header, raw: [0]))?.kind == .invalid)
    }

    @Test func messagesNameTheFileTheValueAndTheFix() {
        #expect(error(of: [])?.description == "page.png: the file is empty; name an image")
        #expect(
            error(of: Array("GIF8".utf8))?.description
                == "page.png: not a PNG (starts with 'GIF8'); convert it to PNG first")
        #expect(
            error(of: [0xff, 0xd8, 0xff, 0x01])?.description
                == #"page.png: not a PNG (starts with '\xff\xd8\xff\x01'); convert it to PNG first"#)
        let foreign: [(start: [UInt8], words: String)] = [
            (Array("version https://git-lfs.github.com/spec/v1\noid sha256:1\n".utf8), "Git LFS pointer"),
            (Array("\n<!DOCTYPE HTML><title>404</title>".utf8), "HTML page"),
            (Array("<html lang=en>".utf8), "HTML page"),
            (Array("BM".utf8) + [9, 1, 0, 0, 0, 0, 0, 0, 54], "BMP"),
        ]
        for (start, words) in foreign {
            #expect(
                error(of: start)?.description.hasPrefix(
                    "page.png: a\(words.hasPrefix("HT") ? "n" : "") \(words)") == true)
        }
        #expect(
            error(of: Array(whole.file.prefix(20)))?.description
                == "page.png: the PNG is damaged (the file ends after 20 bytes); save or copy it again")
    }
}
