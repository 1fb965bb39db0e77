import CDeflate
import CZlib
import Dispatch

/// Makes a zlib stream of filtered rows.
///
/// Two compressors, each the better for its kind of picture. A photograph's differences hardly ever repeat in
/// longer matches: zlib's run-length strategy finds as much as a full search and can work on several bands
/// at once. Drawings and screenshots repeat: libdeflate's search makes them far smaller and is quick
/// on them. A sample of the rows decides.
enum PNGCompressor {
    /// Nil where there is no memory.
    static func compressed(_ rows: [UInt8], rowBytes: Int, _ effort: PNGOptions.Effort) -> [UInt8]? {
        switch effort {
        case .fast:
            let sample = Self.sample(of: rows, rowBytes: rowBytes)
            guard let runs = Runs.compressed(sample), let matches = matches(sample, level: 6) else { return nil }
            return runs.count < matches.count ? Runs.compressed(rows) : Self.matches(rows, level: 6)
        case .default: return smallest(of: rows, levels: [8])
        case .best: return smallest(of: rows, levels: [8, 12])
        }
    }

    /// One run of 8 rows in 16, or all of a small picture.
    private static func sample(of rows: [UInt8], rowBytes: Int) -> [UInt8] {
        let run = 8 * rowBytes
        guard rows.count > 16 * run else { return rows }
        return stride(from: 0, to: rows.count - run, by: 16 * run).flatMap { rows[$0..<($0 + run)] }
    }

    private static func smallest(of rows: [UInt8], levels: [Int32]) -> [UInt8]? {
        let streams = [Runs.compressed(rows)] + levels.map { matches(rows, level: $0) }
        guard !streams.contains(nil) else { return nil }
        return streams.compactMap(\.self).min { $0.count < $1.count }
    }

    private static func matches(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            count = libdeflate_zlib_compress(compressor, bytes, bytes.count, output.baseAddress, bound)
        }
    }
}

/// zlib's run-length strategy, band by band on every core, joined to one stream.
private enum Runs {
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        let bands = Bands(count: bytes.count, atLeast: 1 << 18)
        var parts = [[UInt8]?](repeating: nil, count: bands.number)
        bytes.withUnsafeBufferPointer { input in
            parts.withUnsafeMutableBufferPointer { parts in
                nonisolated(unsafe) let (input, parts) = (input, parts)
                DispatchQueue.concurrentPerform(iterations: bands.number) { index in
                    let slice = UnsafeBufferPointer(rebasing: input[bands[index]])
                    parts[index] = band(slice, isLast: index == bands.number - 1)
                }
            }
        }
        // Deflate with a 32 KiB window, the fastest level; RFC 1950.
        var stream: [UInt8] = [0x78, 0x01]
        for part in parts {
            guard let part else { return nil }
            stream += part
        }
        let checksum = libdeflate_adler32(1, bytes, bytes.count)
        return stream + withUnsafeBytes(of: checksum.bigEndian) { Array($0) }
    }

    /// A band that ends on a byte, so that the next can follow.
    private static func band(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 1, Z_DEFLATED, -15, 9, Z_RLE, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, uLong(input.count))) + 16
        var isDone = false
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(bound)
            let result = deflate(&stream, isLast ? Z_FINISH : Z_FULL_FLUSH)
            isDone = (isLast ? result == Z_STREAM_END : result == Z_OK) && stream.avail_in == 0
            count = bound - Int(stream.avail_out)
        }
        return isDone ? output : nil
    }
}
