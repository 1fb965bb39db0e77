import CPNG
import LoupeSystem

/// Decoding: every colour type, depth and interlacing to straight RGBA.
///
/// 16-bit samples are rounded to 8 bits unless they are asked for. Colour profiles and gamma are not applied. Broken
/// ancillary chunks are skipped. A broken critical chunk, and image data that is corrupt or cut short, is an error and
/// never part of an image. As in libpng, a palette index past the palette's end reads as opaque black, and compressed
/// bytes after the last row are ignored.
extension PNG {
    /// Decodes the file at `path`.
    /// - Throws: ``ImageError``: the file can't be read, is no sound PNG, is over a limit, or there is no memory for it.
    public static func read(path: Path, limits: ImageLimits = ImageLimits()) throws(ImageError) -> Image {
        let source = try ByteSource(image: path)
        let name = path.description
        return try decode(source, PNGHeader(from: source, name: name), name: name, limits: limits)
    }

    /// Decodes the PNG in `bytes`; what follows its end is ignored.
    /// - Parameters:
    ///   - name: what messages call these bytes, a file's path or "standard input".
    ///   - keepsDepth: whether the image has 16 bits a channel where the file does.
    /// - Throws: ``ImageError``: it is no sound PNG, is over a limit, or there is no memory for it.
    public static func decode(
        _ bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        try withSource(of: bytes) { source throws(ImageError) in
            let header = try PNGHeader(from: source, name: name)
            return try decode(source, header, name: name, limits: limits, keepsDepth: keepsDepth)
        }
    }

    /// - Parameter keepsDepth: whether the image has 16 bits a channel where the file does.
    static func decode(
        _ source: ByteSource, _ header: PNGHeader, name: String, limits: ImageLimits, keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        let (width, height) = (header.width, header.height)
        try limits.check(width: width, height: height, name: name)
        try checkLength(of: source, for: header, name: name)
        // 16 bits are also rounded to 8. PlainPNG holds the whole file, and its inflated rows too.
        let bytesPerPixel = keepsDepth && header.depth == 16 ? 12 : 4
        guard Memory.hasRoom(for: min(2 * (source.length ?? 0), 1 << 29)),
            Memory.hasRoom(forPixels: width, height, bytesPerPixel: bytesPerPixel)
        else { throw .outOfMemory(name: name, width: width, height: height) }
        if keepsDepth, header.depth == 16 {
            let samples = try samples(UInt16.self, from: source, header, name: name, limits: limits)
            return Image(width: width, height: height, pixels16: samples)
        }
        if let pixels = PlainPNG.pixels(source, header: header) {
            return Image(width: width, height: height, pixels: pixels)
        }
        let pixels = try samples(UInt8.self, from: source, header, name: name, limits: limits)
        return Image(width: width, height: height, pixels: pixels)
    }

    /// Straight RGBA by libpng, with the sample's number of bits.
    static func samples<Sample: FixedWidthInteger>(
        _ type: Sample.Type, from source: ByteSource, _ header: PNGHeader, name: String, limits: ImageLimits
    ) throws(ImageError) -> [Sample] {
        let count = header.width * header.height * 4
        guard let reader = PNGReader(source: source, limits: limits) else {
            throw .outOfMemory(name: name, width: header.width, height: header.height)
        }
        guard reader.start(is16Bit: Sample.bitWidth == 16) else {
            throw failure(of: reader, reading: source, name: name)
        }
        let samples = [Sample](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let bytes = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
            initializedCount = reader.readPixels(into: bytes) ? count : 0
        }
        guard samples.count == count else { throw failure(of: reader, reading: source, name: name) }
        return samples
    }

    /// Why libpng's reader failed: the source's error where it has one.
    static func failure(
        of reader: borrowing PNGReader, reading source: ByteSource, name: String
    ) -> ImageError {
        source.failure.map(ImageError.unreadable) ?? .corrupt(name: name, reason: reader.message)
    }

    /// Refuses a header with more pixels than so few bytes can hold, before memory is allocated.
    static func checkLength(of source: ByteSource, for header: PNGHeader, name: String) throws(ImageError) {
        guard let length = source.length, header.leastLength > Double(length) else { return }
        throw .corrupt(name: name, reason: "\(header.width)×\(header.height) pixels can't come from \(length) bytes")
    }
}

/// A reader of libpng over a source, freed once.
struct PNGReader: ~Copyable {
    private let handle: OpaquePointer
    /// libpng holds it unretained.
    private let source: ByteSource

    /// Nil where there is no memory.
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

    /// Reads up to the pixels; false with a ``message`` after an error.
    /// - Parameter is16Bit: whether the 16-bit samples of a file that has them are kept.
    func start(is16Bit: Bool) -> Bool {
        cpng_reader_start(handle, is16Bit)
    }

    /// Reads all rows and the file's end into `pixels`, which have room for width × height pixels of 4 bytes, or of 8
    /// bytes for 16 bits; false with a ``message`` after an error.
    func readPixels(into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = pixels.baseAddress else { return false }
        return cpng_reader_read_pixels(handle, start.assumingMemoryBound(to: UInt8.self), pixels.count)
    }

    /// Reads the next rows of an image that is not interlaced, which must fill `pixels`; false with a ``message`` after an
    /// error.
    func readRows(_ rows: Int, into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = pixels.baseAddress else { return false }
        return cpng_reader_read_rows(handle, start.assumingMemoryBound(to: UInt8.self), rows, pixels.count)
    }

    /// Reads from the last row to the file's end; false with a ``message`` after an error.
    func finish() -> Bool { cpng_reader_finish(handle) }
}
