import Glibc
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// Enormous pictures are refused before their memory is touched.
struct PNGLimitsTests {
    private func error(of file: [UInt8], limits: ImageLimits = ImageLimits()) -> ImageError? {
        failure { () throws(ImageError) in _ = try PNG.decode(file, name: "page.png", limits: limits) }
    }

    private func file(_ width: Int, _ height: Int, padding: Int = 0) -> [UInt8] {
        let extras = padding == 0 ? [] : PNGBuilder.chunk("juNk", [UInt8](repeating: 0, count: padding))
        return PNGBuilder.file(header: PNGBuilder.header(width: width, height: height), extras: extras, raw: [0])
    }

    @Test func aSideOverTheLimitIsRefusedWithItsNumbers() {
        #expect(
            error(of: file(70000, 70000))?.description
                == "page.png: 70000×70000 pixels are over the limit of 65535 pixels a side; scale it down first")
        #expect(error(of: file(1, 11), limits: ImageLimits(maxSide: 10))?.kind == .invalid)
    }

    @Test func anAreaOverTheLimitIsRefusedWithItsNumbers() {
        #expect(
            error(of: file(16385, 16384))
                == .overLimit(name: "page.png", width: 16385, height: 16384, limit: "268435456 pixels"))
    }

    @Test func aPictureAtTheLimitIsRead() throws {
        let (file, pixels) = PNGBuilder.small(width: 5, height: 3)
        let limits = ImageLimits(maxPixels: 15, maxSide: 5)
        #expect(try PNG.decode(file, name: "page.png", limits: limits).pixels == pixels)
        #expect(error(of: file, limits: ImageLimits(maxPixels: 14)) != nil)
        #expect(error(of: file, limits: ImageLimits(maxSide: 4)) != nil)
    }

    @Test func aHugeHeaderOverFewBytesIsRefusedByItsLength() {
        let tiny = file(16384, 16384)
        #expect(
            error(of: tiny)
                == .corrupt(
                    name: "page.png", reason: "16384×16384 pixels can't come from \(tiny.count) bytes"))
    }

    @Test func aHugeHeaderOverTooLittleDataFailsWithoutTouchingItsMemory() {
        let padded = file(16384, 16384, padding: 2_000_000)
        let before = peakKilobytes()
        #expect(error(of: padded)?.kind == .invalid)
        #expect(peakKilobytes() - before < 256 * 1024)
    }

    @Test func aPictureThatNoMemoryCanHoldIsAnErrorWithItsSize() {
        let side = 1 << 22
        let folder = TemporaryFolder()
        let header = PNGBuilder.header(width: side, height: side, depth: 1, colorType: 0)
        let path = folder.put(PNGBuilder.signature + header, "sparse.png")
        // As long as so many pixels need, without taking room on the disk.
        #expect(truncate(path, 1 << 32) == 0)
        #expect(throws: ImageError.outOfMemory(name: path, width: side, height: side)) {
            try PNG.read(path: Path(path), limits: ImageLimits(maxPixels: .max, maxSide: .max))
        }
    }

    // MARK: - Chunks

    private func fileWithChunks(_ count: Int, of bytes: Int) -> [UInt8] {
        let chunk = PNGBuilder.chunk("tEXt", [UInt8](repeating: 65, count: bytes))
        let raw = PNGBuilder.small(width: 1, height: 1)
        return Array(raw.file[..<33]) + Array(repeatElement(chunk, count: count).joined()) + raw.file[33...]
    }

    /// What every way to read colours says of a file.
    private func chunkError(_ file: [UInt8], limits: ImageLimits = ImageLimits()) -> String? {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.put(file, "page.png")
        let errors = [
            failure { _ = try ImageFile.read(path: Path(path), limits: limits) },
            failure { _ = try ImageFile.decode(file, name: path, limits: limits) },
            failure { try ImageFile(path: Path(path)).rows(limits: limits).forEachBand { _, _ in } },
        ].map { (error: (any Error)?) in error.map { "\($0)".replacing("\(path): ", with: "") } }
        #expect(Set(errors).count == 1, "\(errors)")
        return errors[0]
    }

    @Test func tooManyChunksBeforeTheImageAreRefusedWithTheLimit() {
        #expect(chunkError(fileWithChunks(9_999, of: 100)) == nil)
        #expect(
            chunkError(fileWithChunks(10_000, of: 100))
                == "over the limit of 10000 chunks before the image data; save it without metadata")
    }

    @Test func tooManyBytesBeforeTheImageAreRefusedWithTheLimit() {
        let limits = ImageLimits(maxChunkBytes: 1 << 20)
        #expect(chunkError(fileWithChunks(10, of: 100_000), limits: limits) == nil)
        #expect(
            chunkError(fileWithChunks(11, of: 100_000), limits: limits)
                == "over the limit of 1048576 bytes before the image data; save it without metadata")
    }

    /// A packed text or profile of a few kilobytes may hold gigabytes.
    @Test func aProfileThatUnpacksToTooMuchIsNotUsed() throws {
        let bomb = try #require(PNGCompressor.zlib([UInt8](repeating: 0, count: 80 << 20), level: 6))
        let raw = PNGBuilder.small(width: 1, height: 1)
        let chunk = PNGBuilder.chunk("iCCP", [65, 0, 0] + bomb)
        let file = try ImageFile(Array(raw.file[..<33]) + chunk + Array(raw.file[33...]), name: "a")
        #expect(try file.stored().color == .sRGB)
        #expect(file.profileProblem == "its colour profile can't be decompressed")
    }

    /// Of a PDF with 100,000 markers, a form holds 40 MB.
    @Test func aContentBelowTheLimitIsUnpackedHoweverSmallItIsPacked() throws {
        let content = [UInt8](repeating: 7, count: 40 << 20)
        let packed = try #require(PNGCompressor.zlib(content, level: 1))
        #expect(PNGInflater.inflated(packed[...]) == content)
    }

    private func peakKilobytes() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
