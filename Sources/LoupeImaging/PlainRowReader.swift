import CDeflate
import CISAL
import LoupeFiles

/// The common PNG, 8 bits a channel and not interlaced, row by row: chunks are walked, ISA-L inflates the image data, and
/// the rows are unfiltered into RGBA. That takes less than half of libpng's time.
///
/// It reads only files without any fault. Wherever something is unusual or wrong it ends, and libpng decides what the
/// file is or what is the matter with it.
final class PlainRowReader {
    private let source: ByteSource
    private let layout: PNGUnfilter.Layout
    private let width: Int
    private let stream: UnsafeMutablePointer<inflate_state>
    private let window: UnsafeMutableRawBufferPointer
    /// Inflated rows of one band.
    private var filtered: UnsafeMutableRawBufferPointer
    /// The last row of the band before.
    private var above: [UInt32]

    /// What is left of the IDAT chunk that is being read, and its checksum so far.
    private var chunkLeft = 0
    private var checksum: UInt32 = 0
    /// Whether the stream has been given anything.
    private var hasBegun = false

    /// Nil where the header asks for more, with nothing of the source taken.
    init?(source: ByteSource, header: PNGHeader) {
        guard header.isPlain, let layout = PNGUnfilter.Layout(colorType: header.colorType) else { return nil }
        // ISA-L counts what comes out in 32 bits.
        guard
            (header.width * layout.rawValue + 1).multipliedReportingOverflow(by: header.height).partialValue >> 32 == 0
        else { return nil }
        (self.source, self.layout, width) = (source, layout, header.width)
        above = [UInt32](repeating: 0, count: header.width)
        // Not before: an object that is not made after all is not deinitialised.
        stream = .allocate(capacity: 1)
        window = .allocate(byteCount: 1 << 16, alignment: 16)
        filtered = .allocate(byteCount: 0, alignment: 16)
        isal_inflate_init(stream)
        stream.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit {
        stream.deallocate()
        window.deallocate()
        filtered.deallocate()
    }

    /// Reads from the signature to the first image data.
    func start() -> Bool {
        var signature: UInt64 = 0
        guard withUnsafeMutableBytes(of: &signature, { source.read(into: $0) }) == PNG.signature.count else {
            return false
        }
        guard openChunk() == Name.ihdr, skipChunk() else { return false }
        while let type = openChunk() {
            if type == Name.idat { return true }
            guard type.isAncillary, type != Name.trns, skipChunk() else { return false }
        }
        return false
    }

    /// Reads the next rows, of width × 4 bytes each; false where that can't be done here.
    func readRows(_ count: Int, into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        let rowsCount = count * (width * layout.rawValue + 1)
        if filtered.count < rowsCount + PNGUnfilter.slack {
            filtered.deallocate()
            filtered = .allocate(byteCount: rowsCount + PNGUnfilter.slack, alignment: 16)
        }
        let rows = UnsafeMutableRawBufferPointer(rebasing: filtered[..<rowsCount])
        guard inflate(to: rows) else { return false }
        let isSound = above.withUnsafeBytes { above in
            PNGUnfilter.spread(rows, to: pixels, width: width, height: count, layout: layout, above: above.baseAddress)
        }
        let last = UnsafeRawBufferPointer(rebasing: pixels.suffix(width * 4))
        above.withUnsafeMutableBytes { $0.copyMemory(from: last) }
        return isSound
    }

    /// Reads from the last row to the file's end: the stream has to end with the image data, and its checksum be right.
    func finish() -> Bool {
        var extra: UInt8 = 0
        while !isFinished {
            guard withUnsafeMutableBytes(of: &extra, inflateSome) == 0 else { return false }
            if !isFinished, stream.pointee.avail_in > 0 || !fill() { return false }
        }
        guard stream.pointee.avail_in == 0, chunkLeft == 0, closeChunk() else { return false }
        while let type = openChunk() {
            if type == Name.iend { return chunkLeft == 0 && closeChunk() }
            guard type.isAncillary, type != Name.trns, skipChunk() else { return false }
        }
        return false
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

    /// How many bytes came out; nil where the stream is broken.
    private func inflateSome(to buffer: UnsafeMutableRawBufferPointer) -> Int? {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: buffer.count)
        let room = stream.pointee.avail_out
        guard isal_inflate(stream) == ISAL_DECOMP_OK else { return nil }
        return Int(room - stream.pointee.avail_out)
    }

    /// Hands the stream the next piece of image data; false where there is none.
    private func fill() -> Bool {
        while chunkLeft == 0 {
            guard closeChunk(), openChunk() == Name.idat else { return false }
        }
        guard let piece = readPiece() else { return false }
        // ISA-L does not hold a stream to a window smaller than the largest, as zlib does.
        guard hasBegun || piece.first == 0x78 else { return false }
        hasBegun = true
        stream.pointee.next_in = piece.baseAddress.map {
            UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self))
        }
        stream.pointee.avail_in = UInt32(piece.count)
        return true
    }

    // MARK: - Chunks

    private typealias Name = PNGChunkName

    /// Takes a chunk's length and type.
    private func openChunk() -> Name? {
        // PNG's lengths end there.
        guard let length = word(), length <= Int32.max else { return nil }
        chunkLeft = Int(length)
        checksum = 0
        guard let type = word() else { return nil }
        withUnsafeBytes(of: type.bigEndian) { checksum = libdeflate_crc32(0, $0.baseAddress, 4) }
        return Name(code: type)
    }

    /// Takes some of the chunk's content.
    private func readPiece() -> UnsafeRawBufferPointer? {
        let room = UnsafeMutableRawBufferPointer(rebasing: window[..<min(window.count, chunkLeft)])
        guard source.read(into: room) == room.count else { return nil }
        chunkLeft -= room.count
        checksum = libdeflate_crc32(checksum, room.baseAddress, room.count)
        return UnsafeRawBufferPointer(room)
    }

    private func closeChunk() -> Bool { word() == checksum }

    private func skipChunk() -> Bool {
        while chunkLeft > 0 {
            guard readPiece() != nil else { return false }
        }
        return closeChunk()
    }

    private func word() -> UInt32? {
        var word: UInt32 = 0
        guard withUnsafeMutableBytes(of: &word, { source.read(into: $0) }) == 4 else { return nil }
        return UInt32(bigEndian: word)
    }
}
