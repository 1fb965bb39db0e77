import CDeflate
import LoupeFiles

/// PNGs of 16 bits a channel.
extension PNG {
    /// Every sample of a 16-bit file as it is stored.
    static func decode16Bit(
        _ source: ByteSource, header: PNGHeader, name: String, limits: ImageLimits
    ) throws(ImageError) -> Image {
        let (width, height) = (header.width, header.height)
        let count = width * height * 4
        guard let reader = PNGReader(source: source, limits: limits) else {
            throw .outOfMemory(name: name, width: width, height: height)
        }
        guard reader.start(is16Bit: true) else { throw failure(of: reader, reading: source, name: name) }
        let pixels = [UInt16](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let bytes = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(count * 2)])
            initializedCount = reader.readPixels(into: bytes.bindMemory(to: UInt8.self)) ? count : 0
        }
        guard pixels.count == count else { throw failure(of: reader, reading: source, name: name) }
        return Image(width: width, height: height, pixels16: pixels)
    }

    /// The content of the IDAT chunk of a 16-bit PNG: each row under the filter that leaves the smallest differences.
    static func stream16Bit(
        _ pixels: [UInt16], width: Int, height: Int, as layout: PNGLayout, effort: PNGOptions.Effort
    ) throws(ImageError) -> [UInt8] {
        let rowBytes = layout.rowBytes(width: width) * 2
        var above = [UInt8](repeating: 0, count: rowBytes)
        var rows: [UInt8] = []
        rows.reserveCapacity((rowBytes + 1) * height)
        for y in 0..<height {
            let row = bigEndian(pixels[(y * width * 4)..<((y + 1) * width * 4)], as: layout)
            rows += Row16(bytes: row, above: above, pixelBytes: layout.channels * 2).filtered
            above = row
        }
        guard let stream = compressed(rows, level: effort == .fast ? 6 : effort == .default ? 8 : 12) else {
            throw .unencodable(width: width, height: height, reason: "out of memory")
        }
        return stream
    }

    private static func bigEndian(_ pixels: ArraySlice<UInt16>, as layout: PNGLayout) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(pixels.count * 2)
        for start in stride(from: pixels.startIndex, to: pixels.endIndex, by: 4) {
            for sample in pixels[start..<(start + layout.channels)] {
                row.append(UInt8(sample >> 8))
                row.append(UInt8(truncatingIfNeeded: sample))
            }
        }
        return row
    }

    /// As a zlib stream; nil where there is no memory.
    static func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = libdeflate_zlib_compress(compressor, bytes, bytes.count, buffer.baseAddress, bound)
        }
    }
}

/// A row of 16-bit samples, the high byte first, that is to be filtered (PNG specification, section 9).
private struct Row16 {
    let bytes: [UInt8]
    let above: [UInt8]
    /// Between a byte and the one it is compared with.
    let pixelBytes: Int

    /// The filter's number and the row under it: none, sub or up, whichever has the least sum of magnitudes.
    var filtered: [UInt8] {
        let sub = bytes.indices.map { bytes[$0] &- ($0 < pixelBytes ? 0 : bytes[$0 - pixelBytes]) }
        let up = zip(bytes, above).map { $0 &- $1 }
        let candidates: [[UInt8]] = [[0] + bytes, [1] + sub, [2] + up]
        return candidates.min { Self.cost($0) < Self.cost($1) } ?? candidates[0]
    }

    private static func cost(_ row: [UInt8]) -> Int {
        row.dropFirst().reduce(0) { $0 + Int(Int8(bitPattern: $1).magnitude) }
    }
}

extension PNGLayout {
    /// The smallest that holds all of 16-bit RGBA.
    init(pixels16 pixels: [UInt16]) {
        let starts = stride(from: 0, to: pixels.count, by: 4)
        if !starts.allSatisfy({ pixels[$0 + 3] == .max }) {
            self = .rgba
        } else {
            self = starts.allSatisfy { pixels[$0] == pixels[$0 + 1] && pixels[$0] == pixels[$0 + 2] } ? .grey : .rgb
        }
    }
}
