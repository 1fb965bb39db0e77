import CDeflate
import LoupeFiles

/// The common PNG, 8 bits a channel and not interlaced, read in one go: its chunks are walked, libdeflate inflates
/// the image data, and the rows are unfiltered straight into RGBA. That takes less than half of libpng's time.
///
/// It reads only files without any fault. Wherever something is unusual or wrong it gives nil, and libpng decides what
/// the file is or what is the matter with it.
enum PlainPNG {
    /// Beyond this many bytes, packed or not, a file is left to libpng, which goes row by row.
    private static let mostBytes = 1 << 28

    /// The RGBA pixels of a file of which nothing has been taken yet; nothing is taken here either.
    ///
    /// All is done in the one array that holds the pixels in the end, because fresh memory costs more than the work: the
    /// filtered rows are inflated to its end and spread from there to its start.
    static func pixels(_ source: ByteSource, header: PNGHeader) -> [UInt8]? {
        guard header.isPlain, let layout = PNGUnfilter.Layout(colorType: header.colorType) else { return nil }
        let (width, height) = (header.width, header.height)
        // Sides go up to 2³¹ − 1 where the limits let them.
        let (rowsCount, overflow) = (width * layout.rawValue + 1).multipliedReportingOverflow(by: height)
        guard !overflow, rowsCount <= mostBytes, let bytes = source.peekAll(most: mostBytes),
            let parts = imageData(bytes)
        else { return nil }
        let joinedCount = parts.count == 1 ? 0 : parts.reduce(0) { $0 + $1.count }
        let count = width * height * 4
        let capacity = max(count + height, joinedCount + rowsCount)
        let pixels = [UInt8](unsafeUninitializedCapacity: capacity + PNGUnfilter.slack) { array, initializedCount in
            let buffer = UnsafeMutableRawBufferPointer(array)
            let stream = parts.count == 1 ? parts[0] : joined(parts, at: buffer)
            let rows = UnsafeMutableRawBufferPointer(rebasing: buffer[(capacity - rowsCount)..<capacity])
            let isSound =
                inflate(stream, to: rows)
                && PNGUnfilter.spread(rows, to: buffer, width: width, height: height, layout: layout)
            initializedCount = isSound ? count : 0
        }
        return pixels.count == count ? pixels : nil
    }

    /// The contents of the IDAT chunks; nil unless the file is a sound series of chunks of which no other bears on the
    /// pixels.
    private static func imageData(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
        var parts: [UnsafeRawBufferPointer] = []
        var offset = PNG.signature.count
        var isAfterData = false
        while let chunk = PNGChunk(in: bytes, at: offset) {
            switch chunk.type {
            case "IHDR" where offset == PNG.signature.count: break
            case "IDAT" where !isAfterData: parts.append(chunk.content)
            case "IEND": return chunk.content.isEmpty && !parts.isEmpty ? parts : nil
            case "tRNS": return nil
            default:
                guard chunk.type.isAncillary else { return nil }
                isAfterData = !parts.isEmpty
            }
            offset = chunk.end
        }
        return nil
    }

    private static func joined(
        _ parts: [UnsafeRawBufferPointer], at buffer: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        var count = 0
        for part in parts {
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: part)
            count += part.count
        }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Unpacks a zlib stream; false unless it fills `rows` and nothing follows it.
    private static func inflate(_ stream: UnsafeRawBufferPointer, to rows: UnsafeMutableRawBufferPointer) -> Bool {
        // libdeflate does not hold a stream to a window smaller than the largest, as zlib does.
        guard stream.first == 0x78, let decompressor = libdeflate_alloc_decompressor() else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        var used = 0
        let result = libdeflate_zlib_decompress_ex(
            decompressor, stream.baseAddress, stream.count, rows.baseAddress, rows.count, &used, nil)
        return result == LIBDEFLATE_SUCCESS && used == stream.count
    }
}

/// A chunk whose checksum is right.
private struct PNGChunk {
    let type: PNGChunkName
    let content: UnsafeRawBufferPointer
    /// Where the next one starts.
    let end: Int

    init?(in bytes: UnsafeRawBufferPointer, at offset: Int) {
        guard bytes.count - offset >= 12 else { return nil }
        let length = Int(Self.word(bytes, at: offset))
        guard bytes.count - offset - 12 >= length else { return nil }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + 8 + length)])
        end = offset + 12 + length
        guard libdeflate_crc32(0, checked.baseAddress, checked.count) == Self.word(bytes, at: end - 4) else {
            return nil
        }
        type = PNGChunkName(code: Self.word(bytes, at: offset + 4))
        content = UnsafeRawBufferPointer(rebasing: checked.dropFirst(4))
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
