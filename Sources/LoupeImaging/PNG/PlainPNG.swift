import CDeflate
import CPNG
import Glibc
import LoupeSystem

/// Decodes a PNG of 8 or 16 bits a sample that is not interlaced: libdeflate inflates all of it at once, and its rows are unfiltered to
/// four samples a pixel. That takes a third of libpng's time.
///
/// It gives up at anything unusual or wrong. libpng then reads the file, and decides whether that is an error.
struct PlainPNG {
    private let header: PNGHeader
    private let channels: Int
    private var packed: [UInt8] = []
    /// The words of a palette's colours, and how many there are.
    private var (palette, colors): ([UInt32], Int) = ([], 0)
    /// The word of the colour that is transparent, without its alpha.
    private var key: UInt32?

    /// Fills `pixels` with 4 samples a pixel: of 16 bits where `is16Bit`, otherwise of 8, rounded as libpng does.
    /// - Parameter source: nothing of it has been taken.
    /// - Returns: whether that is done.
    static func decode(
        _ source: ByteSource, _ header: PNGHeader, is16Bit: Bool, into pixels: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard header.isPlain, let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][header.colorType],
            let length = source.length,
            header.colorType != 3 || header.depth == 8, let out = pixels.baseAddress
        else { return false }
        let size = (header.width * channels * header.depth / 8 + 1) * header.height
        // A pixel is loaded as a word, of which the last ones reach beyond the rows.
        let room = size + 8
        // Rows that are shorter than their pixels are inflated to the end of these, where each is read before pixels reach it.
        let fits = is16Bit == (header.depth == 16) && size + 8 * header.height <= pixels.count
        guard Memory.hasRoom(for: fits ? length : room + length),
            let rows = fits ? out + (pixels.count - room) : malloc(room)
        else { return false }
        defer { if !fits { free(rows) } }
        var png = PlainPNG(header: header, channels: channels)
        png.packed.reserveCapacity(length)
        guard png.readChunks(source), png.inflate(into: rows, size) else { return false }
        return png.unfilterInBands(rows) { band, first in
            if header.depth == 8, png.palette.isEmpty, png.key == nil {
                (out + 4 * first).copyMemory(from: band.baseAddress!, byteCount: band.count)
            } else if header.depth == 16 {
                Self.write(band.bindMemory(to: UInt16.self), is16Bit: is16Bit, to: out, at: 4 * first)
            } else {
                png.write(band.bindMemory(to: UInt32.self), to: out.assumingMemoryBound(to: UInt32.self) + first)
            }
        }
    }

    private init(header: PNGHeader, channels: Int) { (self.header, self.channels) = (header, channels) }

    // MARK: - The file

    private mutating func readChunks(_ source: ByteSource) -> Bool {
        var chunks = PNGChunkReader(source)
        guard chunks.readSignature(), chunks.open() == "IHDR", chunks.skip() else { return false }
        var (last, hasTransparency) = ("IHDR", false)
        while let type = chunks.open() {
            switch type {
            case "IDAT" where last == type || packed.isEmpty:
                while let piece = chunks.piece() { packed.append(contentsOf: piece) }
                guard chunks.close() else { return false }
            case "PLTE" where packed.isEmpty && palette.isEmpty && header.colorType == 3:
                guard setPalette(chunks.content()), chunks.close() else { return false }
            case "tRNS" where packed.isEmpty && !hasTransparency:
                hasTransparency = true
                guard setTransparency(chunks.content()), chunks.close() else { return false }
            case "IEND": return chunks.skip() && !packed.isEmpty && (header.colorType != 3 || !palette.isEmpty)
            default: guard type.isAncillary, type != "tRNS", chunks.skip() else { return false }
            }
            last = type
        }
        return false
    }

    /// Indices beyond the palette are opaque black, as in libpng.
    private mutating func setPalette(_ bytes: [UInt8]) -> Bool {
        guard bytes.count % 3 == 0, 3...768 ~= bytes.count else { return false }
        (palette, colors) = ([UInt32](repeating: 0xff00_0000, count: 256), bytes.count / 3)
        for index in 0..<colors {
            palette[index] |=
                UInt32(bytes[3 * index]) | UInt32(bytes[3 * index + 1]) << 8 | UInt32(bytes[3 * index + 2]) << 16
        }
        return true
    }

    private mutating func setTransparency(_ bytes: [UInt8]) -> Bool {
        switch (header.colorType, bytes.count) {
        case (3, 1...256) where bytes.count <= colors:
            for (index, alpha) in bytes.enumerated() {
                palette[index] = palette[index] & 0xff_ffff | UInt32(alpha) << 24
            }
        case (0, 2) where header.depth == 8 && bytes[0] == 0: key = UInt32(bytes[1]) * 0x01_0101
        case (2, 6) where header.depth == 8 && bytes[0] | bytes[2] | bytes[4] == 0:
            key = UInt32(bytes[1]) | UInt32(bytes[3]) << 8 | UInt32(bytes[5]) << 16
        default: return false
        }
        return true
    }

    /// False for a stream that is broken, has another length, or a smaller window than the largest, to which zlib holds it.
    private func inflate(into rows: UnsafeMutableRawPointer, _ size: Int) -> Bool {
        guard packed[0] >> 4 == 7, let decompressor = libdeflate_alloc_decompressor() else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        var read = 0
        let result = libdeflate_zlib_decompress_ex(decompressor, packed, packed.count, rows, size, &read, nil)
        return result == LIBDEFLATE_SUCCESS && read == packed.count
    }

    // MARK: - Pixels

    private func unfilter(
        _ rows: UnsafeRawPointer, _ count: Int, above: UnsafeRawPointer, to pixels: UnsafeMutableRawPointer
    ) -> Bool {
        cpng_unfilter(rows, count, above, pixels, header.width, Int32(channels), Int32(header.depth))
    }

    /// Unfilters some rows at a time, as samples of the file's depth and order of bytes, and passes on their pixels with the index of
    /// the first.
    private func unfilterInBands(
        _ rows: UnsafeRawPointer, _ body: (_ band: UnsafeMutableRawBufferPointer, _ first: Int) -> Void
    ) -> Bool {
        let (stride, bytes) = (header.width * channels * header.depth / 8 + 1, header.width * header.depth / 2)
        let most = max(2, (1 << 18) / bytes)
        var buffer = [UInt8](repeating: 0, count: bytes * (most + 1))
        return buffer.withUnsafeMutableBytes { buffer in
            guard let above = buffer.baseAddress else { return false }
            for y in Swift.stride(from: 0, to: header.height, by: most) {
                let count = min(most, header.height - y)
                guard unfilter(rows + y * stride, count, above: above, to: above + bytes) else { return false }
                body(UnsafeMutableRawBufferPointer(start: above + bytes, count: bytes * count), header.width * y)
                above.copyMemory(from: above + bytes * count, byteCount: bytes)
            }
            return true
        }
    }

    /// Colours in place of a palette's indices, or the transparent colour.
    private func write(_ words: UnsafeMutableBufferPointer<UInt32>, to out: UnsafeMutablePointer<UInt32>) {
        if let key {
            for (index, word) in words.enumerated() { out[index] = word & 0xff_ffff == key ? key : word }
        } else {
            palette.withUnsafeBufferPointer { palette in
                for (index, word) in words.enumerated() { out[index] = palette[Int(word & 0xff)] }
            }
        }
    }

    /// Samples of 16 bits, of which the file has the high byte first.
    private static func write(
        _ samples: UnsafeMutableBufferPointer<UInt16>, is16Bit: Bool, to out: UnsafeMutableRawPointer, at place: Int
    ) {
        if is16Bit {
            let out = out.assumingMemoryBound(to: UInt16.self) + place
            for (index, sample) in samples.enumerated() { out[index] = sample.byteSwapped }
        } else {
            let out = out.assumingMemoryBound(to: UInt8.self) + place
            for (index, sample) in samples.enumerated() {
                out[index] = UInt8(truncatingIfNeeded: (UInt32(sample.byteSwapped) * 255 + 32895) >> 16)
            }
        }
    }
}
