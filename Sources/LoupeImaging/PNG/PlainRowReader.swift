import CISAL
import LoupeSystem

/// Decodes a plain PNG row by row: grey, RGB or RGBA of 8 bits a channel, not interlaced. ISA-L inflates the image data,
/// and the rows are unfiltered directly to RGBA. That takes less than half of libpng's time.
///
/// It fails for a file with anything unusual or wrong. libpng then decides whether that is an error.
final class PlainRowReader {
    private var data: PNGImageData
    private let layout: PNGUnfilter.Layout
    private let width: Int
    private let stream: UnsafeMutablePointer<inflate_state>
    /// Inflated rows, as many as fit in a processor's cache.
    private let filtered: UnsafeMutableRawBufferPointer
    /// The number of bytes of a filtered row.
    private let stride: Int
    /// The last row before.
    private var above: [UInt32]
    /// Whether the stream has been given any bytes.
    private var hasBegun = false

    /// Reads up to the first image data; nil where the file is not plain.
    init?(source: ByteSource, header: PNGHeader) {
        guard header.isPlain, let layout = PNGUnfilter.Layout(colorType: header.colorType) else { return nil }
        stride = header.width * layout.rawValue + 1
        data = PNGImageData(source)
        // ISA-L counts its output in 32 bits.
        guard stride.multipliedReportingOverflow(by: header.height).partialValue >> 32 == 0, data.start() else {
            return nil
        }
        (self.layout, width) = (layout, header.width)
        above = [UInt32](repeating: 0, count: header.width)
        // After the last `return nil`, as an object that is not made has no deinitializer.
        stream = .allocate(capacity: 1)
        filtered = .allocate(byteCount: max(1, (1 << 18) / stride) * stride + PNGUnfilter.slack, alignment: 16)
        isal_inflate_init(stream)
        stream.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit {
        stream.deallocate()
        filtered.deallocate()
    }

    /// Reads the next rows, of width × 4 bytes each; false where the file is not plain.
    func read(into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        var rest = pixels[...]
        while !rest.isEmpty {
            let count = min((filtered.count - PNGUnfilter.slack) / stride, rest.count / (width * 4))
            let rows = UnsafeMutableRawBufferPointer(rebasing: filtered[..<(count * stride)])
            let part = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(count * width * 4))
            let isSound =
                inflate(to: rows)
                && above.withUnsafeBytes {
                    PNGUnfilter.expand(rows, to: part, width: width, height: count, layout: layout, above: $0)
                }
            guard isSound else { return false }
            let last = UnsafeRawBufferPointer(rebasing: part.suffix(width * 4))
            above.withUnsafeMutableBytes { $0.copyMemory(from: last) }
            rest = rest.dropFirst(part.count)
        }
        return true
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
