import CDeflate
import CISAL
import Dispatch

/// ISA-L's deflate, band by band on every core, joined to one zlib stream.
///
/// At its level 3: at 1 and 2, ISA-L 2.30 with AVX-512 packs the same bytes otherwise in one process of a few hundred (seen
/// only where addresses are randomised); at 3 it did so in none of 9,000, and is as quick and as small.
enum RunCompressor {
    /// How far back a match may lie.
    enum Reach: UInt16 {
        /// The whole window of 32 KiB.
        case far = 0
        /// 4 bytes, so that a match is a run of equal pixels or bytes: farther ones cost a photograph more than they save.
        case runs = 2
    }

    /// Nil where there is no memory.
    static func compressed(_ rows: PNGScanlines, reach: Reach) -> PNGStream? {
        let bands = Bands(count: rows.height, atLeast: max(1, (1 << 18) / rows.rowBytes))
        var parts = [[UInt8]?](repeating: nil, count: bands.number)
        var checksums = [Adler32](repeating: Adler32(), count: bands.number)
        parts.withUnsafeMutableBufferPointer { parts in
            checksums.withUnsafeMutableBufferPointer { checksums in
                nonisolated(unsafe) let (parts, checksums) = (parts, checksums)
                DispatchQueue.concurrentPerform(iterations: bands.number) { index in
                    rows.with(bands[index]) { bytes in
                        checksums[index] = Adler32(bytes)
                        parts[index] = band(bytes, reach: reach, isLast: index == bands.number - 1)
                    }
                }
            }
        }
        guard !parts.contains(nil) else { return nil }
        let checksum = checksums.reduce(Adler32()) { $0.followed(by: $1) }
        // Deflate with a 32 KiB window, told as the fastest level; RFC 1950.
        return PNGStream([[0x78, 0x01]] + parts.compactMap(\.self) + [PNG.bigEndian(checksum.value)])
    }

    /// How many bytes some become with either reach; nil where there is no memory.
    static func sizes(of bytes: [UInt8]) -> (runs: Int, far: Int)? {
        var sizes: [Int?] = [nil, nil]
        sizes.withUnsafeMutableBufferPointer { sizes in
            nonisolated(unsafe) let sizes = sizes
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                sizes[index] = band(bytes, reach: index == 0 ? .runs : .far)?.count
            }
        }
        guard let runs = sizes[0], let far = sizes[1] else { return nil }
        return (runs, far)
    }

    /// Deflated bytes without a frame around them.
    static func band(_ bytes: [UInt8], reach: Reach) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { band($0, reach: reach, isLast: true) }
    }

    /// A band that ends on a byte, so that the next can follow.
    private static func band(_ input: UnsafeBufferPointer<UInt8>, reach: Reach, isLast: Bool) -> [UInt8]? {
        var stream = isal_zstream()
        isal_deflate_init(&stream)
        stream.level = 3
        stream.hist_bits = reach.rawValue
        stream.end_of_stream = isLast ? 1 : 0
        stream.flush = UInt16(isLast ? NO_FLUSH : FULL_FLUSH)
        // Huffman codes of the bytes as they come need 8 bits each at most, and block headers.
        let bound = input.count + input.count / 4 + 4096
        return withUnsafeTemporaryAllocation(byteCount: workspaceSize + bound, alignment: 64) { memory in
            guard let workspace = memory.bindMemory(to: UInt8.self).baseAddress else { return nil }
            let output = workspace + workspaceSize
            stream.level_buf = workspace
            stream.level_buf_size = UInt32(workspaceSize)
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(input.count)
            stream.next_out = output
            stream.avail_out = UInt32(bound)
            guard isal_deflate(&stream) == COMP_OK, stream.avail_in == 0, stream.avail_out > 0 else { return nil }
            return Array(UnsafeBufferPointer(start: output, count: bound - Int(stream.avail_out)))
        }
    }

    private static let workspaceSize = Int(cisal_level3_buffer_size)
}

/// The checksum of zlib streams (RFC 1950) of bytes whose parts are summed apart.
private struct Adler32 {
    private static let modulus = 65521

    private(set) var value: UInt32 = 1
    private var count = 0

    /// Of nothing.
    init() {}

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        value = libdeflate_adler32(1, bytes.baseAddress, bytes.count)
        count = bytes.count
    }

    /// Its low half sums the bytes and 1, its high half those sums after each byte.
    func followed(by next: Adler32) -> Adler32 {
        let (sum, sums) = (Int(value & 0xffff), Int(value >> 16))
        let (nextSum, nextSums) = (Int(next.value & 0xffff), Int(next.value >> 16))
        var whole = Adler32()
        whole.count = count + next.count
        let low = (sum + nextSum + Self.modulus - 1) % Self.modulus
        let high = (sums + nextSums + next.count % Self.modulus * (sum + Self.modulus - 1)) % Self.modulus
        whole.value = UInt32(high << 16 | low)
        return whole
    }
}
