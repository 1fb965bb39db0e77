import LoupeSystem
import Testing

@testable import LoupeImaging

/// Reads a PNG by every reader: they must give the same picture, or all refuse the file.
struct EveryPNGReader {
    let file: [UInt8]
    var limits = ImageLimits(maxPixels: 1 << 20)

    /// The picture by libpng; nil where it refuses the file.
    func byLibpng() -> [UInt8]? {
        guard let header = try? PNGHeader(from: ByteSource(file), name: "page.png"),
            (try? limits.check(width: header.width, height: header.height, name: "page.png")) != nil,
            let reader = PNGReader(source: ByteSource(file), limits: limits), reader.start(is16Bit: false)
        else { return nil }
        var pixels = [UInt8](repeating: 0, count: header.width * header.height * 4)
        let isRead = pixels.withUnsafeMutableBytes { reader.readRows(header.height, into: $0) }
        return isRead && reader.finish() ? pixels : nil
    }

    /// The picture that all readers agree on.
    /// - Throws: where a reader's result differs from libpng's, or an error is not about the file.
    func picture(sourceLocation: SourceLocation = #_sourceLocation) throws -> [UInt8]? {
        let expected = byLibpng()
        let whole = pixels { () throws(ImageError) in try PNG.decode(file, name: "page.png", limits: limits).pixels }
        try #require(whole == expected, "read in one go", sourceLocation: sourceLocation)
        let rows = pixels { () throws(ImageError) in
            var pixels: [UInt8] = []
            let rows = try ImageFile(file, name: "page.png").rows(limits: limits)
            try rows.forEachBand { band, _ in pixels += band }
            return pixels
        }
        // Rows and pictures have colours too, whose profile may be broken.
        let stored = pixels { () throws(ImageError) in
            try ImageFile(file, name: "page.png").stored(limits: limits).image.pixels
        }
        try #require(rows == stored && (rows == nil || rows == expected), "row by row", sourceLocation: sourceLocation)
        return expected
    }

    private func pixels(_ read: () throws(ImageError) -> [UInt8]) -> [UInt8]? {
        do {
            return try read()
        } catch {
            #expect(error.kind == .invalid && !error.description.contains("\n"), "\(error)")
            return nil
        }
    }
}
