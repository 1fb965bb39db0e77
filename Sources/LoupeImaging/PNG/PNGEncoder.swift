import CDeflate
import LoupeSystem

/// Metadata that a PNG stores beside the pixels.
public struct PNGOptions: Hashable, Sendable {
    /// Texts that are stored before the pixels, in this order.
    public var texts: [PNGText]
    /// The ICC profile of the image's numbers; nil for sRGB.
    public var profile: [UInt8]?
    /// How many pixels lie on a metre; nil leaves that open.
    public var density: PixelDensity?

    /// Options whose defaults give a file in sRGB without texts.
    public init(texts: [PNGText] = [], profile: [UInt8]? = nil, density: PixelDensity? = nil) {
        self.texts = texts
        self.profile = profile
        self.density = density
    }
}

/// Encoding: as grey, RGB or RGBA, whichever has the fewest channels that hold the image. Never interlaced.
extension PNG {
    /// The bytes of a PNG file of the image. The same image and options give the same bytes.
    ///
    /// Throws ``ImageError/outOfMemory(name:width:height:bytesPerPixel:)`` or ``ImageError/unencodable(width:height:reason:)``.
    public static func encode(_ image: Image, options: PNGOptions = PNGOptions()) throws(ImageError) -> [UInt8] {
        try encode(image, options: options, past: nil)
    }

    /// - Parameter past: what is known of the images before this one in a sequence.
    static func encode(_ image: Image, options: PNGOptions, past: PackedPast?) throws(ImageError) -> [UInt8] {
        let layout = PNGLayout(of: image).beside(options.profile)
        let stream = try stream(FilteredRows(image: image, layout: layout), past: past)
        let profile = options.profile.map(profileChunk) ?? []
        let texts = options.texts.flatMap(\.chunk)
        var file = signature
        file.reserveCapacity(profile.count + texts.count + stream.reduce(0) { $0 + $1.count } + 1024)
        append("IHDR", [header(width: image.width, height: image.height, layout, image.depth)], to: &file)
        file += profile + texts
        if let density = options.density { append("pHYs", [density.content], to: &file) }
        append("IDAT", stream, to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// The content of an IDAT chunk, in pieces. They are joined only in the file's bytes: another copy would cost as much for
    /// its fresh memory as for its bytes.
    static func stream(_ rows: FilteredRows, past: PackedPast? = nil) throws(ImageError) -> [[UInt8]] {
        let (width, height) = (rows.image.width, rows.height)
        // For the filtered rows, the compressed data, which may be as large, and the file. Each core has room for one of 16
        // bands, twice.
        let copies = 2 + (min(16, Threads.cores) * 9 + 63) / 64
        let bytesPerPixel = copies * rows.layout.channels * rows.image.depth / 8
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: bytesPerPixel) else {
            throw .outOfMemory(name: "the image as a PNG", width: width, height: height, bytesPerPixel: bytesPerPixel)
        }
        guard let stream = PNGCompressor.compressed(rows, past: past) else {
            throw .unencodable(width: width, height: height, reason: "out of memory")
        }
        return stream
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

    /// The content of an IHDR chunk.
    static func header(width: Int, height: Int, _ layout: PNGLayout, _ depth: Int) -> [UInt8] {
        bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [UInt8(depth), layout.colorType, 0, 0, 0]
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
