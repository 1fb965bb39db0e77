import CDeflate
import CISAL
import LoupeSystem

/// Decodes a whole plain PNG: 8 bits a channel, not interlaced. libdeflate inflates the image data, and the rows are
/// unfiltered directly to RGBA. That takes less than half of libpng's time.
///
/// It gives nil for a file with anything unusual or wrong. libpng then decides whether that is an error.
enum PlainPNG {
    /// The largest file, compressed or not, in bytes; larger ones are left to libpng, which reads row by row.
    private static let mostBytes = 1 << 28

    /// The RGBA pixels of a source of which nothing has been taken; nothing is taken here either.
    ///
    /// The rows are inflated to the end of the pixels' own array, and expanded from there to its start: page-faulting fresh
    /// memory for them would cost more than the work.
    static func pixels(_ source: ByteSource, header: PNGHeader) -> [UInt8]? {
        guard header.isPlain, let layout = PNGUnfilter.Layout(colorType: header.colorType) else { return nil }
        let (width, height) = (header.width, header.height)
        // Sides may be up to 2³¹ − 1, depending on the limits.
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
                && PNGUnfilter.expand(rows, to: buffer, width: width, height: height, layout: layout)
            initializedCount = isSound ? count : 0
        }
        return pixels.count == count ? pixels : nil
    }

    /// The contents of the IDAT chunks; nil where the file is not plain.
    private static func imageData(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
        var data = PNGImageData(ByteSource(bytes))
        guard data.start() else { return nil }
        var parts: [UnsafeRawBufferPointer] = []
        while let part = data.next() { parts.append(part) }
        return data.finish() && !parts.isEmpty ? parts : nil
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

    /// Inflates a zlib stream; false unless it fills `rows` exactly and nothing follows it.
    private static func inflate(_ stream: UnsafeRawBufferPointer, to rows: UnsafeMutableRawBufferPointer) -> Bool {
        // libdeflate, unlike zlib, accepts distances beyond a window smaller than the largest.
        guard stream.first == 0x78, let decompressor = libdeflate_alloc_decompressor() else { return false }
        defer { libdeflate_free_decompressor(decompressor) }
        var used = 0
        let result = libdeflate_zlib_decompress_ex(
            decompressor, stream.baseAddress, stream.count, rows.baseAddress, rows.count, &used, nil)
        return result == LIBDEFLATE_SUCCESS && used == stream.count
    }
}

/// Decodes a plain PNG, as ``PlainPNG``, but row by row: ISA-L inflates the image data. That takes less than half of libpng's
/// time.
///
/// It fails for a file with anything unusual or wrong. libpng then decides whether that is an error.
final class PlainRowReader {
    private var data: PNGImageData
    private let layout: PNGUnfilter.Layout
    private let width: Int
    private let stream: UnsafeMutablePointer<inflate_state>
    /// Inflated rows of one band.
    private var filtered: UnsafeMutableRawBufferPointer
    /// The last row of the band before.
    private var above: [UInt32]

    /// Whether the stream has been given any bytes.
    private var hasBegun = false

    /// Nil where the header is not plain; nothing of the source is taken then.
    init?(source: ByteSource, header: PNGHeader) {
        guard header.isPlain, let layout = PNGUnfilter.Layout(colorType: header.colorType) else { return nil }
        // ISA-L counts its output in 32 bits.
        guard
            (header.width * layout.rawValue + 1).multipliedReportingOverflow(by: header.height).partialValue >> 32 == 0
        else { return nil }
        (data, self.layout, width) = (PNGImageData(source), layout, header.width)
        above = [UInt32](repeating: 0, count: header.width)
        // After the last `return nil`, as an object that is not made has no deinitializer.
        stream = .allocate(capacity: 1)
        filtered = .allocate(byteCount: 0, alignment: 16)
        isal_inflate_init(stream)
        stream.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit {
        stream.deallocate()
        filtered.deallocate()
    }

    /// Reads up to the first image data.
    func start() -> Bool { data.start() }

    /// Reads the next rows, of width × 4 bytes each; false where the file is not plain.
    func readRows(_ count: Int, into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        let rowsCount = count * (width * layout.rawValue + 1)
        if filtered.count < rowsCount + PNGUnfilter.slack {
            filtered.deallocate()
            filtered = .allocate(byteCount: rowsCount + PNGUnfilter.slack, alignment: 16)
        }
        let rows = UnsafeMutableRawBufferPointer(rebasing: filtered[..<rowsCount])
        guard inflate(to: rows) else { return false }
        let isSound = above.withUnsafeBytes { above in
            PNGUnfilter.expand(rows, to: pixels, width: width, height: count, layout: layout, above: above.baseAddress)
        }
        let last = UnsafeRawBufferPointer(rebasing: pixels.suffix(width * 4))
        above.withUnsafeMutableBytes { $0.copyMemory(from: last) }
        return isSound
    }

    /// Reads from the last row to the file's end; false where the stream does not end with the image data, or its checksum
    /// does not match.
    func finish() -> Bool {
        var extra: UInt8 = 0
        while !isFinished {
            guard withUnsafeMutableBytes(of: &extra, inflateSome) == 0 else { return false }
            if !isFinished, stream.pointee.avail_in > 0 || !fill() { return false }
        }
        return stream.pointee.avail_in == 0 && data.next() == nil && data.finish()
    }

    // MARK: - The stream

    private func inflate(to rows: UnsafeMutableRawBufferPointer) -> Bool {
        var filled = 0
        while filled < rows.count {
            guard let count = inflateSome(to: UnsafeMutableRawBufferPointer(rebasing: rows[filled...])) else {
                return false
            }
            filled += count
            if count == 0, stream.pointee.avail_in > 0 || !fill() { return false }
        }
        return true
    }

    private var isFinished: Bool { stream.pointee.block_state == ISAL_BLOCK_FINISH }

    /// Inflates what is at hand and returns the number of bytes; nil where the stream is broken.
    private func inflateSome(to buffer: UnsafeMutableRawBufferPointer) -> Int? {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let room = stream.pointee.avail_out
        guard isal_inflate(stream) == ISAL_DECOMP_OK else { return nil }
        return Int(room - stream.pointee.avail_out)
    }

    /// Gives the stream the next piece of image data; false where there is none.
    private func fill() -> Bool {
        guard let piece = data.next() else { return false }
        // ISA-L, unlike zlib, accepts distances beyond a window smaller than the largest.
        guard hasBegun || piece.first == 0x78 else { return false }
        hasBegun = true
        stream.pointee.next_in = piece.baseAddress.map {
            UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self))
        }
        stream.pointee.avail_in = UInt32(piece.count)
        return true
    }
}
