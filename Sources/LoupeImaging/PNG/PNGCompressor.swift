import CDeflate
import CISAL
import Dispatch
import Synchronization

/// Makes a zlib stream of filtered rows.
///
/// Two compressors, each the better for its kind of picture. A photograph's differences hardly ever repeat in
/// longer matches: ``BandCompressor`` finds as much as a full search, on several bands at once. Drawings and screenshots
/// repeat: libdeflate's search makes them far smaller and is quick on them. A sample of the rows decides.
enum PNGCompressor {
    /// Nil where there is no memory.
    /// - Parameter past: of the pictures before, of which bands that are still the same are taken.
    static func compressed(
        _ rows: some PNGRowSource, _ effort: PNGOptions.Effort, past: PackedRows? = nil
    ) -> PNGStream? {
        if effort == .best { return smallest(of: rows) }
        let sample = rows.sample(period: 256)
        guard let sizes = BandCompressor.sizes(of: sample) else { return nil }
        let reach: BandCompressor.Reach = sizes.runs < sizes.far ? .runs : .far
        if effort == .fast { return BandCompressor.compressed(rows, reach: reach, past: past) }
        // What packs so well is drawn, not photographed: quick to search, and worth it.
        let isDrawn = sizes.runs < sample.count / 8
        if reach == .runs, !(isDrawn && gains(rows.sample(period: 64))) {
            return BandCompressor.compressed(rows, reach: .runs, past: past)
        }
        return matches(rows.whole, level: 6).map { PNGStream([$0]) }
    }

    /// Whether libdeflate's search makes some rows smaller than runs do.
    private static func gains(_ rows: [UInt8]) -> Bool {
        guard let runs = BandCompressor.size(of: rows, reach: .runs), let found = matches(rows, level: 6)
        else { return false }
        return found.count < runs
    }

    /// Level 12 is not always the smallest of small or noisy pictures.
    private static func smallest(of rows: some PNGRowSource) -> PNGStream? {
        let whole = rows.whole
        let found = [6, 12].map { level in matches(whole, level: level).map { PNGStream([$0]) } }
        let streams = ([BandCompressor.compressed(rows, reach: .runs)] + found).compactMap(\.self)
        return streams.count == 3 ? streams.min { $0.count < $1.count } : nil
    }

    /// By libdeflate; its levels go from 1 to 12.
    static func matches(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
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
/// At its level 3: at 1 and 2, ISA-L 2.30 packs the same bytes otherwise now and then, as the address of its stream wills: a drawing
/// of 1.4 MB in one address of 300, 30 bytes with the whole window in one of 60. Level 1 would take two thirds of the time.
enum BandCompressor {
    /// How far back a match may lie.
    enum Reach: UInt16 {
        /// The whole window of 32 KiB.
        case far = 0
        /// 4 bytes, so that a match is a run of equal pixels or bytes: farther ones cost a photograph more than they save.
        case runs = 2
    }

    /// Nil where there is no memory.
    /// - Parameter past: of the pictures before, of which bands that are still the same are taken.
    static func compressed(_ rows: some PNGRowSource, reach: Reach, past: PackedRows? = nil) -> PNGStream? {
        let bands = Bands(count: rows.height, atLeast: max(1, (1 << 18) / rows.rowBytes))
        let workspaces = Workspaces(bandSize: (rows.height / bands.number + 1) * rows.rowBytes)
        var parts = [PackedBand?](repeating: nil, count: bands.number)
        parts.withUnsafeMutableBufferPointer { parts in
            nonisolated(unsafe) let parts = parts
            DispatchQueue.concurrentPerform(iterations: bands.number) { index in
                let isLast = index == bands.number - 1
                func pack() -> PackedBand? {
                    workspaces.lend { packed(bands[index], of: rows, reach: reach, isLast: isLast, $0) }
                }
                parts[index] = past.map { $0.band(bands[index], reach: reach, packing: pack) } ?? pack()
            }
        }
        let done = parts.compactMap(\.self)
        guard done.count == bands.number else { return nil }
        let checksum = done.map(\.checksum).reduce(Adler32(), +)
        // Deflate with a 32 KiB window, told as the fastest level; RFC 1950.
        return PNGStream([[0x78, 0x01]] + done.map(\.bytes) + [PNG.bigEndian(checksum.value)])
    }

    private static func packed(
        _ band: Range<Int>, of rows: some PNGRowSource, reach: Reach, isLast: Bool, _ workspace: Workspace
    ) -> PackedBand? {
        let room = UnsafeMutableBufferPointer(rebasing: workspace.input[..<(band.count * rows.rowBytes)])
        rows.write(band, to: room)
        let bytes = UnsafeBufferPointer(room)
        return deflated(bytes, reach: reach, isLast: isLast, workspace).map {
            PackedBand(bytes: Array($0), checksum: Adler32(of: bytes))
        }
    }

    /// How many bytes some become with either reach; nil where there is no memory.
    static func sizes(of bytes: [UInt8]) -> (runs: Int, far: Int)? {
        var sizes: [Int?] = [nil, nil]
        sizes.withUnsafeMutableBufferPointer { sizes in
            nonisolated(unsafe) let sizes = sizes
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                sizes[index] = size(of: bytes, reach: index == 0 ? .runs : .far)
            }
        }
        guard let runs = sizes[0], let far = sizes[1] else { return nil }
        return (runs, far)
    }

    /// How many bytes some become; nil where there is no memory.
    static func size(of bytes: [UInt8], reach: Reach) -> Int? {
        Workspaces(bandSize: bytes.count).lend { workspace in
            bytes.withUnsafeBufferPointer { deflated($0, reach: reach, isLast: true, workspace)?.count }
        }
    }

    /// A band without a frame around it, which ends on a byte, so that the next can follow.
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
    /// Of what is packed.
    let checksum: Adler32
}

/// What packing a band needs. Held by the list of those that are free, or by the one who has borrowed it.
private struct Workspace: @unchecked Sendable {
    /// For ISA-L itself.
    let level: UnsafeMutableBufferPointer<UInt8>
    /// The band.
    let input: UnsafeMutableBufferPointer<UInt8>
    let output: UnsafeMutableBufferPointer<UInt8>

    init(bandSize: Int) {
        level = .allocate(capacity: Int(cisal_level3_buffer_size))
        input = .allocate(capacity: bandSize)
        // Huffman codes of the bytes as they come need 8 bits each at most, and block headers.
        output = .allocate(capacity: bandSize + bandSize / 4 + 4096)
    }

    func deallocate() {
        level.deallocate()
        input.deallocate()
        output.deallocate()
    }
}

/// Workspaces that are lent from band to band: fresh memory costs nearly as much as packing into it.
private final class Workspaces: Sendable {
    private let bandSize: Int
    private let free = Mutex<[Workspace]>([])

    init(bandSize: Int) { self.bandSize = bandSize }

    func lend<Result>(_ body: (Workspace) -> Result) -> Result {
        let workspace = free.withLock { $0.popLast() } ?? Workspace(bandSize: bandSize)
        defer { free.withLock { $0.append(workspace) } }
        return body(workspace)
    }

    deinit {
        free.withLock { for workspace in $0 { workspace.deallocate() } }
    }
}

/// The checksum of a zlib stream (RFC 1950), which can be put together of its parts'.
struct Adler32 {
    private static let modulus: UInt64 = 65521
    /// The sum of the bytes, and the sum of these sums; without the 1 that RFC 1950 begins with.
    private let sum: UInt64
    private let sums: UInt64
    private let count: UInt64

    /// Of nothing.
    init() { (sum, sums, count) = (0, 0, 0) }

    init(of bytes: UnsafeBufferPointer<UInt8>) {
        let value = libdeflate_adler32(0, bytes.baseAddress, bytes.count)
        self.init(sum: UInt64(value & 0xffff), sums: UInt64(value >> 16), count: UInt64(bytes.count))
    }

    private init(sum: UInt64, sums: UInt64, count: UInt64) {
        (self.sum, self.sums, self.count) = (sum % Self.modulus, sums % Self.modulus, count % Self.modulus)
    }

    /// Of one run of bytes and the one behind it.
    static func + (first: Adler32, second: Adler32) -> Adler32 {
        Adler32(
            sum: first.sum + second.sum, sums: first.sums + second.count * first.sum + second.sums,
            count: first.count + second.count)
    }

    /// As the stream's last four bytes tell it.
    var value: UInt32 {
        UInt32((sums + count) % Self.modulus) << 16 | UInt32((sum + 1) % Self.modulus)
    }
}

/// The content of an image's IDAT chunk in the pieces that it was made of: joined only where it is written, since fresh memory
/// for a copy costs as much as what fills it.
struct PNGStream {
    let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) { self.pieces = pieces }

    var count: Int { pieces.reduce(0) { $0 + $1.count } }
}
