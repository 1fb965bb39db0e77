@testable import LoupeImaging

/// Every way to read a PNG gives the same picture, or all refuse the file.
///
/// Made-up bytes seldom have right checksums, behind which most of the reader lies: so each input is read as it is,
/// with its checksums mended, and with what its IDAT chunks hold taken as filtered rows that are still to be packed.
func checkPNG(_ bytes: [UInt8]) {
    checkReaders(bytes)
    guard let file = ChunkedFile(bytes) else { return }
    checkReaders(file.bytes)
    checkReaders(file.packingImageData.bytes)
}

private func checkReaders(_ bytes: [UInt8]) {
    let byLibpng = picture { () throws(ImageError) in
        try PNG.withSource(of: bytes) { source throws(ImageError) in
            let header = try PNGHeader(from: source, name: "")
            try ImageLimits.fuzzing.check(width: header.width, height: header.height, name: "")
            return try PNG.samples(UInt8.self, from: source, header, name: "", limits: .fuzzing)
        }
    }
    let whole = picture { () throws(ImageError) in try PNG.decode(bytes, name: "", limits: .fuzzing).pixels }
    precondition(whole == byLibpng, "the plain reader and libpng see different pictures")
    let banded = picture { () throws(ImageError) in
        var pixels: [UInt8] = []
        try PNGRows(bytes, name: "", limits: .fuzzing).forEachBand { band, _ in pixels += band }
        return pixels
    }
    // Rows stand for a picture as `ImageFile` reads it, which refuses broken profiles and too many chunks.
    precondition(banded == nil || banded == byLibpng, "rows differ from libpng's")
    let stored = picture { () throws(ImageError) in
        try ImageFile.stored(bytes, name: "", limits: .fuzzing).image.pixels
    }
    precondition(stored == banded, "the picture whole and row by row differ")
    _ = try? PNG.text("loupe", in: bytes, name: "")
}

private func picture(_ read: () throws(ImageError) -> [UInt8]) -> [UInt8]? {
    do {
        return try read()
    } catch {
        precondition(error.kind == .invalid, "not an error of the file: \(error)")
        return nil
    }
}

extension ImageLimits {
    /// Small enough that no input takes long.
    static let fuzzing = ImageLimits(maxPixels: 1 << 16)
}
