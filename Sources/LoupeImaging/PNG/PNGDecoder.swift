import CPNG
import LoupeFiles

/// Decoding: every colour type, depth and interlacing to straight 8-bit RGBA.
///
/// 16-bit samples are rounded to 8 bits unless they are asked for. Colour profiles and gamma are not applied. Broken
/// ancillary chunks are passed over; a broken critical chunk, and image data that is corrupt or cut short, is an error
/// and never part of a picture. As libpng does, a palette index past the palette's end reads as opaque black, and
/// compressed bytes left over after the last row are let pass.
extension PNG {
    /// Decodes the file at `path`.
    public static func read(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) -> Image {
        let source = try ByteSource(picture: path)
        return try decode(source, PNGHeader(from: source, name: path), name: path, limits: limits)
    }

    /// Decodes the PNG in `bytes`; what follows its end is ignored.
    /// - Parameter name: what messages call these bytes, a file's path or "standard input".
    /// - Parameter keepsDepth: whether the picture has 16 bits a channel where the file does.
    public static func decode(
        _ bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try withSource(of: bytes) { source throws(ImageError) in
            let header = try PNGHeader(from: source, name: name)
            return try decode(source, header, name: name, limits: limits, keepsDepth: keepsDepth)
        }
    }

    /// - Parameter keepsDepth: whether the picture has 16 bits a channel where the file does.
    static func decode(
        _ source: ByteSource, _ header: PNGHeader, name: String, limits: ImageLimits, keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try limits.check(width: header.width, height: header.height, name: name)
        try checkLength(of: source, for: header, name: name)
        // 16 bits are also rounded to 8. A file that is read in one go is held, and its packed rows once more.
        let bytesPerPixel = keepsDepth && header.depth == 16 ? 12 : 4
        guard Memory.hasRoom(for: min(2 * (source.length ?? 0), 1 << 29)),
            Memory.hasRoom(forPixels: header.width, header.height, bytesPerPixel: bytesPerPixel)
        else { throw .outOfMemory(name: name, width: header.width, height: header.height) }
        if keepsDepth, header.depth == 16 {
            return try decode16Bit(source, header: header, name: name, limits: limits)
        }
        if let pixels = PlainPNG.pixels(source, header: header) {
            return Image(width: header.width, height: header.height, pixels: pixels)
        }
        return try decodeByRows(source, header: header, name: name, limits: limits)
    }

    /// What libpng makes of it.
    static func decodeByRows(
        _ source: ByteSource, header: PNGHeader, name: String, limits: ImageLimits
    ) throws(ImageError) -> Image {
        let (width, height) = (header.width, header.height)
        let count = width * height * 4
        guard let reader = PNGReader(source: source, limits: limits) else {
            throw .outOfMemory(name: name, width: width, height: height)
        }
        guard reader.start() else { throw failure(of: reader, reading: source, name: name) }
        let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let place = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            initializedCount = reader.readPixels(into: place) ? count : 0
        }
        guard pixels.count == count else { throw failure(of: reader, reading: source, name: name) }
        return Image(width: width, height: height, pixels: pixels)
    }

    static func failure(
        of reader: borrowing PNGReader, reading source: ByteSource, name: String
    ) -> ImageError {
        source.failure.map(ImageError.unreadable) ?? .corrupt(name: name, reason: reader.message)
    }

    /// Refuses a header whose pixels cannot come from so few bytes, before memory is asked for.
    static func checkLength(of source: ByteSource, for header: PNGHeader, name: String) throws(ImageError) {
        guard let length = source.length, header.leastLength > Double(length) else { return }
        throw .corrupt(name: name, reason: "\(header.width)×\(header.height) pixels can't come from \(length) bytes")
    }
}

/// An owned libpng reader over a source, freed once.
struct PNGReader: ~Copyable {
    private let handle: OpaquePointer
    /// libpng holds it unretained.
    private let source: ByteSource

    /// Nil when there is no memory.
    init?(source: ByteSource, limits: ImageLimits) {
        let side = UInt32(clamping: limits.maxSide)
        let handle = cpng_reader_create(
            { context, into, count in
                Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: into, count: count))
            }, Unmanaged.passUnretained(source).toOpaque(),
            cpng_limits(width: side, height: side))
        guard let handle else { return nil }
        self.handle = handle
        self.source = source
    }

    deinit {
        cpng_reader_destroy(handle)
    }

    /// Why the last call failed, in libpng's words.
    var message: String { String(cString: cpng_reader_message(handle)) }

    /// Reads up to the pixels; false with a ``message``.
    /// - Parameter is16Bit: whether the 16-bit samples of a file that has them are kept.
    func start(is16Bit: Bool = false) -> Bool {
        cpng_reader_start(handle, is16Bit)
    }

    /// Reads all rows and the file's end into `pixels`, of width × height × 4 bytes, or twice as many for 16 bits; false
    /// with a ``message``.
    func readPixels(into pixels: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let start = pixels.baseAddress else { return false }
        return cpng_reader_read_pixels(handle, start, pixels.count)
    }

    /// Reads the next rows of a picture that is not interlaced, as many as fit; false with a ``message``.
    func readRows(_ rows: Int, into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = pixels.baseAddress else { return false }
        return cpng_reader_read_rows(handle, start.assumingMemoryBound(to: UInt8.self), rows, pixels.count)
    }

    /// Reads from the last row to the file's end; false with a ``message``.
    func finish() -> Bool { cpng_reader_finish(handle) }
}
