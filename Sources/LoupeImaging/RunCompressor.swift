import CDeflate
import CISAL
import Dispatch
import Synchronization

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
    static func compressed(_ bytes: [UInt8], reach: Reach) -> PNGStream? {
        let bands = Bands(count: bytes.count, atLeast: 1 << 18)
        let workspaces = Workspaces(for: bands)
        // The checksum is one core's work while the others pack.
        var parts = [[UInt8]?](repeating: nil, count: bands.number + 1)
        bytes.withUnsafeBufferPointer { input in
            parts.withUnsafeMutableBufferPointer { parts in
                nonisolated(unsafe) let (input, parts) = (input, parts)
                DispatchQueue.concurrentPerform(iterations: bands.number + 1) { index in
                    parts[index] =
                        index == bands.number
                        ? PNG.bigEndian(libdeflate_adler32(1, input.baseAddress, input.count))
                        : workspaces.lend { workspace in
                            band(
                                UnsafeBufferPointer(rebasing: input[bands[index]]), reach: reach,
                                isLast: index == bands.number - 1, workspace)
                        }
                }
            }
        }
        guard !parts.contains(nil) else { return nil }
        // Deflate with a 32 KiB window, told as the fastest level; RFC 1950.
        return PNGStream([[0x78, 0x01]] + parts.compactMap(\.self))
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
        Workspaces(for: Bands(count: bytes.count, number: 1)).lend { workspace in
            bytes.withUnsafeBufferPointer { band($0, reach: reach, isLast: true, workspace) }
        }
    }

    /// A band that ends on a byte, so that the next can follow.
    private static func band(
        _ input: UnsafeBufferPointer<UInt8>, reach: Reach, isLast: Bool, _ workspace: UnsafeMutableBufferPointer<UInt8>
    ) -> [UInt8]? {
        var stream = isal_zstream()
        isal_deflate_init(&stream)
        stream.level = 3
        stream.hist_bits = reach.rawValue
        stream.end_of_stream = isLast ? 1 : 0
        stream.flush = UInt16(isLast ? NO_FLUSH : FULL_FLUSH)
        guard let start = workspace.baseAddress else { return nil }
        let output = UnsafeMutableBufferPointer(rebasing: workspace[Workspaces.levelSize...])
        stream.level_buf = start
        stream.level_buf_size = UInt32(Workspaces.levelSize)
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        guard isal_deflate(&stream) == COMP_OK, stream.avail_in == 0, stream.avail_out > 0 else { return nil }
        return Array(output.dropLast(Int(stream.avail_out)))
    }
}

/// What packing a band needs beside the band, lent from band to band: fresh memory costs nearly as much as packing into it.
private final class Workspaces: Sendable {
    /// What ISA-L itself needs.
    static let levelSize = Int(cisal_level3_buffer_size)

    private let size: Int
    private let free = Mutex<[Workspace]>([])

    init(for bands: Bands) {
        let longest = bands.count / bands.number + 1
        // Huffman codes of the bytes as they come need 8 bits each at most, and block headers.
        size = Self.levelSize + longest + longest / 4 + 4096
    }

    func lend<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
        let workspace = free.withLock { $0.popLast() } ?? Workspace(memory: .allocate(byteCount: size, alignment: 64))
        defer { free.withLock { $0.append(workspace) } }
        return body(workspace.memory.bindMemory(to: UInt8.self))
    }

    deinit {
        free.withLock { for workspace in $0 { workspace.memory.deallocate() } }
    }

    // Held by the list, or by the one who has borrowed it.
    private struct Workspace: @unchecked Sendable {
        let memory: UnsafeMutableRawBufferPointer
    }
}
