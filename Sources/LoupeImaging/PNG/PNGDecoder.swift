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
        let header = try PNGHeader(from: source, name: path.description)
        return try decode(ImageContent(source), header, name: path.description, limits: limits)
    }

    /// Decodes the PNG in `bytes`; what follows its end is ignored.
    /// - Parameters:
    ///   - name: what messages call these bytes, a file's path or "standard input".
    ///   - keepsDepth: whether the image has 16 bits a channel where the file does.
    /// - Throws: ``ImageError``: it is no sound PNG, is over a limit, or there is no memory for it.
    public static func decode(
        _ bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits(), keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        let header = try PNGHeader(from: ByteSource(bytes), name: name)
        return try decode(.bytes(bytes), header, name: name, limits: limits, keepsDepth: keepsDepth)
    }

    /// - Parameter keepsDepth: whether the image has 16 bits a channel where the file does.
    static func decode(
        _ content: ImageContent, _ header: PNGHeader, name: String, limits: ImageLimits, keepsDepth: Bool = false
    ) throws(ImageError) -> Image {
        let (width, height) = (header.width, header.height)
        try limits.check(width: width, height: height, name: name)
        let is16Bit = keepsDepth && header.depth == 16
        let reader = try PNGRowReader(content, header, is16Bit: is16Bit, name: name, limits: limits)
        // 16 bits are also rounded to 8.
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: is16Bit ? 12 : 4) else {
            throw .outOfMemory(name: name, width: width, height: height, bytesPerPixel: is16Bit ? 12 : 4)
        }
        return is16Bit
            ? Image(width: width, height: height, pixels16: try reader.readAll())
            : Image(width: width, height: height, pixels: try reader.readAll())
    }
}

/// Reads the rows of a PNG in order, as straight RGBA, by libpng; all at once by ``PlainPNG`` where that can.
final class PNGRowReader {
    private let content: ImageContent
    private let reader: PNGReader
    private let header: PNGHeader
    private let is16Bit: Bool
    private let name: String
    private var hasStarted = false

    /// Checks the header again, as the file may have been written to.
    /// - Parameter is16Bit: whether the samples of a file with 16 bits keep them.
    init(
        _ content: ImageContent, _ header: PNGHeader, is16Bit: Bool, name: String, limits: ImageLimits
    ) throws(ImageError) {
        (self.content, self.header, self.is16Bit, self.name) = (content, header, is16Bit, name)
        let source = try content.source()
        try header.check(source, name: name)
        guard let reader = PNGReader(source: source, limits: limits) else {
            throw .outOfMemory(name: name, width: header.width, height: header.height)
        }
        self.reader = reader
    }

    /// The bytes of a row.
    var rowBytes: Int { header.width * (is16Bit ? 8 : 4) }

    /// Fills `pixels` with the next rows; of an interlaced image, with all rows.
    func read(into pixels: UnsafeMutableRawBufferPointer) throws(ImageError) {
        if !hasStarted, !reader.start(is16Bit: is16Bit) { throw failure }
        hasStarted = true
        guard reader.readRows(pixels.count / rowBytes, into: pixels) else { throw failure }
    }

    /// Reads from the last row to the file's end. An error in the file may be found only here.
    func finish() throws(ImageError) {
        guard reader.finish() else { throw failure }
    }

    /// All rows and the file's end.
    /// - Parameter Sample: of 8 bits, or of 16 where these are kept.
    func readAll<Sample: FixedWidthInteger>() throws(ImageError) -> [Sample] {
        var failure: ImageError?
        let count = header.width * header.height * 4
        let samples = [Sample](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let all = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
            do throws(ImageError) {
                if try !PlainPNG.decode(content.source(), header, is16Bit: is16Bit, into: all) {
                    try read(into: all)
                    try finish()
                }
                initializedCount = count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return samples
    }

    /// Why the last call failed: the source's error where it has one.
    private var failure: ImageError {
        reader.source.failure.map(ImageError.unreadable) ?? .corrupt(name: name, reason: reader.message)
    }
}
