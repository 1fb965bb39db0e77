import CDeflate
import LoupeSystem

/// Settings for writing a PNG.
public struct PNGOptions: Hashable, Sendable {
    /// The amount of time that is spent to make the file smaller. The pixels are the same with each.
    public enum Effort: String, Hashable, Sendable, CaseIterable {
        /// ISA-L on every core: the fastest.
        case fast
        /// libdeflate's level 6 where longer matches make the file smaller, as for drawings; otherwise as `fast`. Smaller
        /// than zlib's default.
        case `default`
        /// Each filter is tried for the whole image, and the best result is compressed by libdeflate's level 12.
        case best
    }

    /// How much time is spent to make the file smaller.
    public var effort: Effort
    /// Texts that are stored before the pixels, in this order.
    public var texts: [PNGText]
    /// The ICC profile of the image's numbers; nil for sRGB.
    public var profile: [UInt8]?
    /// How many pixels lie on a metre; nil leaves that open.
    public var density: PixelDensity?

    /// Options whose defaults give a file in sRGB without texts.
    public init(
        effort: Effort = .default, texts: [PNGText] = [], profile: [UInt8]? = nil, density: PixelDensity? = nil
    ) {
        self.effort = effort
        self.profile = profile
        self.texts = texts
        self.density = density
    }
}

/// Encoding: as grey, RGB, RGBA or, with 8 bits, a palette, whichever holds the image and makes the smallest file. Never
/// interlaced.
extension PNG {
    /// The bytes of a PNG file of the image. The same image and options give the same bytes.
    ///
    /// Throws ``ImageError/outOfMemory(name:width:height:)`` or ``ImageError/unencodable(width:height:reason:)``.
    public static func encode(_ image: Image, options: PNGOptions = PNGOptions()) throws(ImageError) -> [UInt8] {
        try encode(image, options: options, past: nil)
    }

    /// - Parameter past: what is known of the images before this one in a sequence.
    static func encode(_ image: Image, options: PNGOptions, past: PackedPast?) throws(ImageError) -> [UInt8] {
        let effort = options.effort
        let layout = PNGLayout(of: image).beside(options.profile)
        try requireMemory(for: image, layout, effort)
        if image.pixels16 == nil, PNGPalette.isAllowed(beside: options.profile), let palette = PNGPalette(of: image),
            try isSmaller(palette, than: layout, for: image, effort: effort)
        {
            let header = size(image.width, image.height) + [UInt8(palette.depth), 3, 0, 0, 0]
            return file(header, palette: palette, try stream(image, by: palette, effort: effort), options)
        }
        let header = header(width: image.width, height: image.height, layout, depth: image.pixels16 == nil ? 8 : 16)
        return file(header, try stream(image, as: layout, effort: effort, past: past?.rows(as: layout)), options)
    }

    /// Checks that there is memory for the filtered rows, the compressed data and the file.
    static func requireMemory(
        for image: Image, _ layout: PNGLayout, _ effort: PNGOptions.Effort
    ) throws(ImageError) {
        // The compressed data may be as large as the rows, and the best of several is looked for. Each core has room for one
        // of 16 bands, twice.
        let copies = effort == .best ? 5 : 2 + (min(16, Threads.cores) * 9 + 63) / 64
        let bytesPerPixel = copies * layout.channels * (image.pixels16 == nil ? 1 : 2)
        guard Memory.hasRoom(forPixels: image.width, image.height, bytesPerPixel: bytesPerPixel) else {
            throw .outOfMemory(name: "the image as a PNG", width: image.width, height: image.height)
        }
    }

    /// Whether a palette makes the smaller file: tried with the whole image for `best`, otherwise with some rows.
    private static func isSmaller(
        _ palette: PNGPalette, than layout: PNGLayout, for image: Image, effort: PNGOptions.Effort
    ) throws(ImageError) -> Bool {
        let sample = effort == .best ? image : image.sampledRows()
        let direct = try stream(sample, as: layout, effort: effort).count
        let indexed = try stream(sample, by: palette, effort: effort).count
        // Each further chunk takes 12 bytes beside its content.
        let chunks = palette.plte.count + 12 + (palette.trns.isEmpty ? 0 : palette.trns.count + 12)
        return indexed * (image.height / sample.height) + chunks < direct * (image.height / sample.height)
    }

    /// The whole file. A profile must come before the palette.
    private static func file(
        _ header: [UInt8], palette: PNGPalette? = nil, _ stream: PNGStream, _ options: PNGOptions
    ) -> [UInt8] {
        let profile = options.profile.map(profileChunk) ?? []
        let texts = options.texts.flatMap(\.chunk)
        var file = signature
        file.reserveCapacity(profile.count + texts.count + stream.count + 2048)
        append("IHDR", [header], to: &file)
        file += profile + texts
        if let palette {
            append("PLTE", [palette.plte], to: &file)
            if !palette.trns.isEmpty { append("tRNS", [palette.trns], to: &file) }
        }
        if let density = options.density { append("pHYs", [density.content], to: &file) }
        append("IDAT", stream.pieces, to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// The content of an IDAT chunk.
    static func stream(
        _ image: Image, as layout: PNGLayout, effort: PNGOptions.Effort, past: PackedRows? = nil
    ) throws(ImageError) -> PNGStream {
        let rows = FilteredRows(image: image, layout: layout)
        return try effort == .best
            ? stream(smallest(of: rows), of: image, effort) : stream(rows, of: image, effort, past: past)
    }

    private static func stream(
        _ image: Image, by palette: PNGPalette, effort: PNGOptions.Effort
    ) throws(ImageError) -> PNGStream {
        let rows = FinishedRows(whole: palette.rows(of: image), rowBytes: palette.rowBytes(width: image.width) + 1)
        return try stream(rows, of: image, effort)
    }

    private static func stream(
        _ rows: some PNGRowSource, of image: Image, _ effort: PNGOptions.Effort, past: PackedRows? = nil
    ) throws(ImageError) -> PNGStream {
        guard let stream = PNGCompressor.compressed(rows, effort, past: past) else {
            throw .unencodable(width: image.width, height: image.height, reason: "out of memory")
        }
        return stream
    }

    /// The rows filtered adaptively or by one filter throughout: whichever compresses best.
    private static func smallest(of filtered: FilteredRows) -> FinishedRows {
        func finished(_ only: PNGFilter?) -> FinishedRows {
            let rows = FilteredRows(image: filtered.image, layout: filtered.layout, only: only)
            return FinishedRows(whole: rows.whole, rowBytes: rows.rowBytes)
        }
        func count(_ rows: FinishedRows) -> Int {
            let counts = [
                BandCompressor.compressed(rows, reach: .runs)?.count,
                PNGCompressor.zlib(rows.whole, level: 6)?.count,
            ]
            return counts.map { $0 ?? .max }.reduce(.max, min)
        }
        let adaptive = finished(nil)
        return PNGFilter.allCases.reduce((rows: adaptive, count: count(adaptive))) { best, filter in
            let rows = finished(filter)
            let count = count(rows)
            return count < best.count ? (rows, count) : best
        }.rows
    }

    /// Encodes the image and writes the file at `path` whole or not at all, as `AtomicFile` does.
    /// - Throws: ``ImageError/unwritable(_:)`` too.
    public static func write(
        _ image: Image, to path: Path, options: PNGOptions = PNGOptions()
    ) throws(ImageError) {
        try writeFile(encode(image, options: options), to: path)
    }

    /// Writes a file's bytes whole or not at all.
    static func writeFile(_ bytes: [UInt8], to path: Path) throws(ImageError) {
        do {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw .unwritable(error)
        }
    }

    static func header(width: Int, height: Int, _ layout: PNGLayout, depth: UInt8 = 8) -> [UInt8] {
        size(width, height) + [depth, layout.colorType, 0, 0, 0]
    }

    private static func size(_ width: Int, _ height: Int) -> [UInt8] {
        bigEndian(UInt32(width)) + bigEndian(UInt32(height))
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + 12)
        append(type, [content], to: &bytes)
        return bytes
    }

    /// Length, type, content, and the checksum of type and content.
    private static func append(_ type: String, _ pieces: [[UInt8]], to file: inout [UInt8]) {
        file += bigEndian(UInt32(pieces.reduce(0) { $0 + $1.count }))
        let start = file.count
        file += type.utf8
        for piece in pieces { file += piece }
        let checksum = file[start...].withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        file += bigEndian(checksum)
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

extension Image {
    /// 8 of every 64 rows of a large image, all of a small one.
    fileprivate func sampledRows() -> Image {
        let (run, period) = (8, 64)
        guard height > 4 * period else { return self }
        let starts = stride(from: 0, to: height / period * period, by: period)
        let part = starts.flatMap { pixels[$0 * width * 4..<($0 + run) * width * 4] }
        return Image(width: width, height: part.count / (width * 4), pixels: part)
    }
}
