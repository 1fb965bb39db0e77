import CDeflate
import CISAL
import LoupeSystem
import Synchronization

/// Compresses filtered rows to a zlib stream, by one of two compressors, each the better one for its kind of image.
///
/// A photograph's differences hardly ever repeat in longer matches: ``BandCompressor`` finds as much as a full search, on
/// several bands at once. Drawings and screenshots repeat: libdeflate's search makes them much smaller, and is fast on
/// them. A sample of the rows decides; those of 16 bits are always compressed in bands.
package enum PNGCompressor {
    /// The zlib stream, in pieces; nil where there is no memory.
    /// - Parameter past: the bands of the images before, which are reused where they are the same.
    static func compressed(_ rows: FilteredRows, past: PackedPast? = nil) -> [[UInt8]]? {
        switch suitsBands(rows) {
        case true?: BandCompressor(rows, past: past).stream
        case false?: zlib(rows.whole, level: 6).map { [$0] }
        case nil: nil
        }
    }

    /// Whether ``BandCompressor`` suits some rows; otherwise libdeflate's search does. Nil where there is no memory.
    private static func suitsBands(_ rows: FilteredRows) -> Bool? {
        // libdeflate needs all rows at once, and those of 16 bits are large.
        if rows.image.pixels16 != nil { return true }
        let sample = rows.sample
        let sizes = Threads.map(2) { BandCompressor.size(of: sample, reach: $0 == 0 ? .runs : .far) }
        guard let runs = sizes[0], let far = sizes[1] else { return nil }
        // An image that compresses to less than an eighth is a drawing: libdeflate is fast on it and may gain much.
        return runs < far && runs >= sample.count / 8
    }

    /// A zlib stream by libdeflate, at a level in 1…12; nil where there is no memory.
    package static func zlib(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = libdeflate_zlib_compress(compressor, bytes, bytes.count, output.baseAddress, bound)
        }
    }
}

/// ISA-L's deflate, band by band on every core, joined to one zlib stream.
///
/// It uses level 3, whose output depends on the input only. At levels 1 and 2 the output of ISA-L 2.30 sometimes also depends
/// on the address of its stream: for a drawing of 1.4 MB at one address of 300, for 30 bytes with the whole window at one of
/// 60. Level 1 would take two thirds of the time.
struct BandCompressor {
    /// The longest distance of a match.
    enum Reach: UInt16 {
        /// The whole window of 32 KiB.
        case far = 0
        /// 4 bytes, so that a match is a run of equal pixels or bytes: longer distances make a photograph larger.
        case runs = 2
    }

    private let bands: Bands
    private let rows: FilteredRows
    private let past: PackedPast?
    private let workspaces: Workspaces

    /// - Parameter past: the bands of the images before, which are reused where they are the same. It keeps those of this one.
    init(_ rows: FilteredRows, past: PackedPast?) {
        (self.rows, self.past) = (rows, past)
        bands = Bands(count: rows.height, atLeast: max(1, (1 << 18) / rows.rowBytes))
        workspaces = Workspaces(bandSize: (rows.height / bands.number + 1) * rows.rowBytes)
    }

    /// The zlib stream, in pieces; nil where there is no memory.
    var stream: [[UInt8]]? {
        let parts = Threads.map(bands.number) { band($0) }.compactMap(\.self)
        guard parts.count == bands.number else { return nil }
        let checksum = parts.map(\.checksum).reduce(Adler32(), +)
        // The header for deflate with a 32 KiB window, marked as the fastest level (RFC 1950).
        return [[0x78, 0x01]] + parts.map(\.bytes) + [PNG.bigEndian(checksum.value)]
    }

    /// A band, compressed here or known from before; nil where there is no memory.
    private func band(_ index: Int) -> PackedBand? {
        past.map { $0.band(bands[index], as: rows.layout) { packed(index) } } ?? packed(index)
    }

    private func packed(_ index: Int) -> PackedBand? {
        workspaces.withOne { workspace in
            let band = bands[index]
            let room = UnsafeMutableBufferPointer(rebasing: workspace.input[..<(band.count * rows.rowBytes)])
            rows.write(band, to: room)
            let bytes = UnsafeBufferPointer(room)
            return Self.deflated(bytes, reach: .runs, isLast: index == bands.number - 1, workspace).map {
                PackedBand(bytes: Array($0), checksum: Adler32(of: bytes))
            }
        }
    }

    /// The compressed size; nil where there is no memory.
    static func size(of bytes: [UInt8], reach: Reach) -> Int? {
        Workspaces(bandSize: bytes.count).withOne { workspace in
            bytes.withUnsafeBufferPointer { deflated($0, reach: reach, isLast: true, workspace)?.count }
        }
    }

    /// The deflate data of a band. It ends at a whole byte, so that the next band's can follow.
    private static func deflated(
        _ band: UnsafeBufferPointer<UInt8>, reach: Reach, isLast: Bool, _ workspace: Workspace
    ) -> UnsafeBufferPointer<UInt8>? {
        var stream = isal_zstream()
        isal_deflate_init(&stream)
        stream.level = 3
        stream.hist_bits = reach.rawValue
        stream.end_of_stream = isLast ? 1 : 0
        stream.flush = UInt16(isLast ? NO_FLUSH : FULL_FLUSH)
        stream.level_buf = workspace.level.baseAddress
        stream.level_buf_size = UInt32(workspace.level.count)
        stream.next_in = UnsafeMutablePointer(mutating: band.baseAddress)
        stream.avail_in = UInt32(band.count)
        stream.next_out = workspace.output.baseAddress
        stream.avail_out = UInt32(workspace.output.count)
        guard isal_deflate(&stream) == COMP_OK, stream.avail_in == 0, stream.avail_out > 0 else { return nil }
        return UnsafeBufferPointer(rebasing: workspace.output.dropLast(Int(stream.avail_out)))
    }
}

/// A band's part of a zlib stream.
struct PackedBand: Sendable {
    let bytes: [UInt8]
    /// The checksum of the bytes before compression.
    let checksum: Adler32
}

/// Memory for compressing one band. Either free or used by one thread.
private struct Workspace: @unchecked Sendable {
    /// ISA-L's own memory.
    let level: UnsafeMutableBufferPointer<UInt8>
    /// The filtered rows of the band.
    let input: UnsafeMutableBufferPointer<UInt8>
    let output: UnsafeMutableBufferPointer<UInt8>

    init(bandSize: Int) {
        level = .allocate(capacity: Int(cisal_level3_buffer_size))
        input = .allocate(capacity: bandSize)
        // At worst each byte takes 8 bits, and there are block headers.
        output = .allocate(capacity: bandSize + bandSize / 4 + 4096)
    }

    func deallocate() {
        level.deallocate()
        input.deallocate()
        output.deallocate()
    }
}

/// Workspaces reused across bands: page-faulting fresh memory costs nearly as much as compressing.
private final class Workspaces: Sendable {
    private let bandSize: Int
    private let free = Mutex<[Workspace]>([])

    init(bandSize: Int) { self.bandSize = bandSize }

    /// Calls `body` with a workspace that no other thread uses.
    func withOne<Result>(_ body: (Workspace) -> Result) -> Result {
        let workspace = free.withLock { $0.popLast() } ?? Workspace(bandSize: bandSize)
        defer { free.withLock { $0.append(workspace) } }
        return body(workspace)
    }

    deinit {
        free.withLock { for workspace in $0 { workspace.deallocate() } }
    }
}

/// The checksum of a zlib stream (RFC 1950). The checksums of two parts can be combined.
struct Adler32: Sendable {
    private static let modulus: UInt64 = 65521
    /// The number in the stream's last four bytes.
    let value: UInt32
    private let count: UInt64

    /// The checksum of no bytes.
    init() { (value, count) = (1, 0) }

    /// The checksum of `bytes`.
    init(of bytes: UnsafeBufferPointer<UInt8>) {
        value = libdeflate_adler32(1, bytes.baseAddress, bytes.count)
        count = UInt64(bytes.count)
    }

    private init(low: UInt64, high: UInt64, count: UInt64) {
        value = UInt32(high % Self.modulus) << 16 | UInt32(low % Self.modulus)
        self.count = count
    }

    /// 1 and the sum of the bytes.
    private var low: UInt64 { UInt64(value & 0xffff) }
    /// The sum of all intermediate values of `low`.
    private var high: UInt64 { UInt64(value >> 16) }

    /// The checksum of one run of bytes followed by another.
    static func + (first: Adler32, second: Adler32) -> Adler32 {
        // The second one's 1 is counted once too often.
        let before = first.low + modulus - 1
        return Adler32(
            low: before + second.low, high: first.high + second.high + second.count % modulus * before,
            count: first.count + second.count)
    }
}

/// The inverse of ``PNGCompressor/zlib(_:level:)``.
package enum PNGInflater {
    /// The content of a zlib stream, or of a file of gzip; nil where that is broken or its content is larger than `mostBytes`,
    /// 64 MiB.
    package static func inflated(
        _ stream: ArraySlice<UInt8>, asGzip isGzip: Bool = false, mostBytes: Int = 64 << 20
    ) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        let decompress = isGzip ? libdeflate_gzip_decompress : libdeflate_zlib_decompress
        var room = min(max(1 << 16, stream.count * 8), mostBytes)
        while true {
            var result = LIBDEFLATE_BAD_DATA
            let output = stream.withUnsafeBytes { stream in
                [UInt8](unsafeUninitializedCapacity: room) { output, count in
                    result = decompress(
                        decompressor, stream.baseAddress, stream.count, output.baseAddress, room, &count)
                    if result != LIBDEFLATE_SUCCESS { count = 0 }
                }
            }
            if result == LIBDEFLATE_SUCCESS { return output }
            guard result == LIBDEFLATE_INSUFFICIENT_SPACE, room < mostBytes else { return nil }
            room = min(4 * room, mostBytes)
        }
    }
}
