import CDeflate

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
