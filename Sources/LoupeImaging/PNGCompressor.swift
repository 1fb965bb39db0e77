import CDeflate

/// Makes a zlib stream of filtered rows.
///
/// Two compressors, each the better for its kind of picture. A photograph's differences hardly ever repeat in
/// longer matches: ``RunCompressor`` finds as much as a full search, on several bands at once. Drawings and screenshots
/// repeat: libdeflate's search makes them far smaller and is quick on them. A sample of the rows decides.
enum PNGCompressor {
    /// Nil where there is no memory.
    static func compressed(_ rows: [UInt8], rowBytes: Int, _ effort: PNGOptions.Effort) -> [UInt8]? {
        if effort == .best { return smallest(of: rows) }
        let sample = Self.sample(of: rows, rowBytes: rowBytes)
        guard let runs = RunCompressor.band(sample, reach: .runs), let far = RunCompressor.band(sample, reach: .far)
        else { return nil }
        if runs.count < far.count { return RunCompressor.compressed(rows, reach: .runs) }
        return effort == .fast ? RunCompressor.compressed(rows, reach: .far) : matches(rows, level: 6)
    }

    /// One run of 8 rows in 16, or all of a small picture.
    private static func sample(of rows: [UInt8], rowBytes: Int) -> [UInt8] {
        let run = 8 * rowBytes
        guard rows.count > 16 * run else { return rows }
        return stride(from: 0, to: rows.count - run, by: 16 * run).flatMap { rows[$0..<($0 + run)] }
    }

    /// Level 12 is not always the smallest of small or noisy pictures.
    private static func smallest(of rows: [UInt8]) -> [UInt8]? {
        let streams = [RunCompressor.compressed(rows, reach: .runs)] + [6, 12].map { matches(rows, level: $0) }
        guard !streams.contains(nil) else { return nil }
        return streams.compactMap(\.self).min { $0.count < $1.count }
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
