import LoupeSystem
import Testing

@testable import LoupeImaging

/// Reads a PNG in every way: they must give the same picture, or all refuse the file.
struct EveryPNGReader {
    let file: [UInt8]
    var limits = ImageLimits(maxPixels: 1 << 20)

    /// The picture that all ways of reading agree on; nil where they refuse the file.
    /// - Throws: where one way has another result, or an error is not about the file.
    func picture(sourceLocation: SourceLocation = #_sourceLocation) throws -> [UInt8]? {
        let whole = pixels { () throws(ImageError) in try PNG.decode(file, name: "page.png", limits: limits).pixels }
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
        try #require(rows == stored && (rows == nil || rows == whole), "row by row", sourceLocation: sourceLocation)
        return whole
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
