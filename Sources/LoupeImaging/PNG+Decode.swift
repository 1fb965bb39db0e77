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
