import CDeflate
import CISAL
import LoupeSystem
import Synchronization

/// Compresses filtered rows to a zlib stream, by one of two compressors, each the better one for its kind of image.
///
/// A photograph's differences hardly ever repeat in longer matches: ``BandCompressor`` finds as much as a full search, on
/// several bands at once. Drawings and screenshots repeat: libdeflate's search makes them much smaller, and is fast on
/// them. A sample of the rows decides.
package enum PNGCompressor {
    /// The zlib stream; nil where there is no memory.
    /// - Parameter past: the bands of the images before, which are reused where they are the same.
    static func compressed(
        _ rows: some PNGRowSource, _ effort: PNGOptions.Effort, past: PackedRows? = nil
    ) -> PNGStream? {
        if effort == .best { return smallest(of: rows) }
        switch method(for: rows, effort) {
        case .bands(let reach): return BandCompressor.compressed(rows, reach: reach, past: past)
        case .search: return zlib(rows.whole, level: 6).map { PNGStream([$0]) }
        case nil: return nil
        }
    }

    /// A method of compressing rows, unless they are compressed as well as possible.
    enum Method {
        /// By ``BandCompressor``.
        case bands(BandCompressor.Reach)
        /// By libdeflate's search.
        case search
    }

    /// The method that suits some rows; nil where there is no memory.
    static func method(for rows: some PNGRowSource, _ effort: PNGOptions.Effort) -> Method? {
        let sample = rows.sample(period: 256)
        guard let sizes = BandCompressor.sizes(of: sample) else { return nil }
        let reach: BandCompressor.Reach = sizes.runs < sizes.far ? .runs : .far
        if effort == .fast { return .bands(reach) }
        // An image that compresses to less than an eighth is a drawing: libdeflate is fast on it and may gain much.
        let isDrawn = sizes.runs < sample.count / 8
        return reach == .runs && !(isDrawn && gains(rows.sample(period: 64))) ? .bands(.runs) : .search
    }

    /// Whether libdeflate's search makes some rows smaller than matches of runs do.
    private static func gains(_ rows: [UInt8]) -> Bool {
        guard let runs = BandCompressor.size(of: rows, reach: .runs), let found = zlib(rows, level: 6)
        else { return false }
        return found.count < runs
    }

    /// The smallest of three results: for small or noisy images level 12 is not always the best.
    private static func smallest(of rows: some PNGRowSource) -> PNGStream? {
        let whole = rows.whole
        let found = [6, 12].map { level in zlib(whole, level: level).map { PNGStream([$0]) } }
        let streams = ([BandCompressor.compressed(rows, reach: .runs)] + found).compactMap(\.self)
        return streams.count == 3 ? streams.min { $0.count < $1.count } : nil
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
enum BandCompressor {
    /// The longest distance of a match.
    enum Reach: UInt16 {
        /// The whole window of 32 KiB.
        case far = 0
        /// 4 bytes, so that a match is a run of equal pixels or bytes: longer distances make a photograph larger.
        case runs = 2
    }

    /// The zlib stream; nil where there is no memory.
    /// - Parameter past: the bands of the images before, which are reused where they are the same.
    static func compressed(_ rows: some PNGRowSource, reach: Reach, past: PackedRows? = nil) -> PNGStream? {
        let packing = BandPacking(rows, reach: reach, past: past)
        var parts = [PackedBand?](repeating: nil, count: packing.bands.number)
        parts.withUnsafeMutableBufferPointer { parts in
            nonisolated(unsafe) let parts = parts
            Threads.forEach(parts.count) { parts[$0] = packing.band($0) }
        }
        let done = parts.compactMap(\.self)
        guard done.count == parts.count else { return nil }
        let checksum = done.map(\.checksum).reduce(Adler32(), +)
        // The header for deflate with a 32 KiB window, marked as the fastest level (RFC 1950).
        return PNGStream([[0x78, 0x01]] + done.map(\.bytes) + [PNG.bigEndian(checksum.value)])
    }

    /// Compresses some bands, by their indices, one after another, for as long as they are wanted.
    /// - Parameter past: keeps them.
    static func compress(
        _ indices: [Int], of rows: some PNGRowSource, reach: Reach, past: PackedRows, while isWanted: () -> Bool
    ) {
        let packing = BandPacking(rows, reach: reach, past: past)
        for index in indices where isWanted() { _ = packing.band(index) }
    }

    static func bands(of rows: some PNGRowSource) -> Bands {
        Bands(count: rows.height, atLeast: max(1, (1 << 18) / rows.rowBytes))
    }

    /// The bands of some rows, on their way to a stream.
    private struct BandPacking<Rows: PNGRowSource> {
        let bands: Bands
        private let rows: Rows
        private let reach: Reach
        private let past: PackedRows?
        private let workspaces: Workspaces

        init(_ rows: Rows, reach: Reach, past: PackedRows?) {
            (self.rows, self.reach, self.past) = (rows, reach, past)
            bands = BandCompressor.bands(of: rows)
            workspaces = Workspaces(bandSize: (rows.height / bands.number + 1) * rows.rowBytes)
        }

        /// A band, compressed here or known from before; nil where there is no memory. Any thread may call it.
        func band(_ index: Int) -> PackedBand? {
            past.map { $0.band(bands[index], reach: reach) { packed(index) } } ?? packed(index)
        }

        private func packed(_ index: Int) -> PackedBand? {
            workspaces.withOne { workspace in
                let band = bands[index]
                let room = UnsafeMutableBufferPointer(rebasing: workspace.input[..<(band.count * rows.rowBytes)])
                rows.write(band, to: room)
                let bytes = UnsafeBufferPointer(room)
                return deflated(bytes, reach: reach, isLast: index == bands.number - 1, workspace).map {
                    PackedBand(bytes: Array($0), checksum: Adler32(of: bytes))
                }
            }
        }
    }

    /// The compressed sizes with either reach; nil where there is no memory.
    static func sizes(of bytes: [UInt8]) -> (runs: Int, far: Int)? {
        var sizes: [Int?] = [nil, nil]
        sizes.withUnsafeMutableBufferPointer { sizes in
            nonisolated(unsafe) let sizes = sizes
            Threads.forEach(2) { index in
                sizes[index] = size(of: bytes, reach: index == 0 ? .runs : .far)
            }
        }
        guard let runs = sizes[0], let far = sizes[1] else { return nil }
        return (runs, far)
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
struct PackedBand {
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
struct Adler32 {
    private static let modulus: UInt64 = 65521
    /// The sum of the bytes, without RFC 1950's initial 1.
    private let sum: UInt64
    /// The sum of all intermediate values of `sum`.
    private let sums: UInt64
    private let count: UInt64

    /// The checksum of no bytes.
    init() { (sum, sums, count) = (0, 0, 0) }

    /// The checksum of `bytes`.
    init(of bytes: UnsafeBufferPointer<UInt8>) {
        let value = libdeflate_adler32(0, bytes.baseAddress, bytes.count)
        self.init(sum: UInt64(value & 0xffff), sums: UInt64(value >> 16), count: UInt64(bytes.count))
    }

    private init(sum: UInt64, sums: UInt64, count: UInt64) {
        (self.sum, self.sums, self.count) = (sum % Self.modulus, sums % Self.modulus, count % Self.modulus)
    }

    /// The checksum of one run of bytes followed by another.
    static func + (first: Adler32, second: Adler32) -> Adler32 {
        Adler32(
            sum: first.sum + second.sum, sums: first.sums + second.count * first.sum + second.sums,
            count: first.count + second.count)
    }

    /// The number in the stream's last four bytes.
    var value: UInt32 {
        UInt32((sums + count) % Self.modulus) << 16 | UInt32((sum + 1) % Self.modulus)
    }
}

/// The content of an image's IDAT chunk, in pieces. They are joined only in the file's bytes: another copy would cost as much
/// for its fresh memory as for its bytes.
struct PNGStream {
    let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) { self.pieces = pieces }

    var count: Int { pieces.reduce(0) { $0 + $1.count } }
}

/// The inverse of ``PNGCompressor/zlib(_:level:)``.
enum PNGInflater {
    /// The most bytes that a text or a profile may have, uncompressed.
    private static let mostBytes = 64 << 20

    /// The content of a zlib stream; nil where the stream is broken or its content is over 64 MiB.
    static func inflated(_ stream: ArraySlice<UInt8>) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var room = max(1 << 16, stream.count * 8)
        while room <= mostBytes {
            var output = [UInt8](repeating: 0, count: room)
            var count = 0
            let result = stream.withUnsafeBytes {
                libdeflate_zlib_decompress(decompressor, $0.baseAddress, $0.count, &output, room, &count)
            }
            if result == LIBDEFLATE_SUCCESS { return Array(output.prefix(count)) }
            guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { return nil }
            room *= 4
        }
        return nil
    }
}
