import CDeflate

/// Encoding: the smallest of grey, RGB and RGBA that holds the picture, 8 bits, never interlaced.
extension PNG {
    /// The picture as the bytes of a PNG file: the same picture and options give the same bytes.
    ///
    /// Throws ``PNGError/unencodable(width:height:reason:)`` where there is no memory for it.
    public static func encode(_ image: Image, options: PNGOptions = PNGOptions()) throws(PNGError) -> [UInt8] {
        let layout = PNGLayout(of: image)
        let rows = PNGFilter.filtered(image, as: layout)
        guard let stream = PNGCompressor.compressed(rows, rowBytes: layout.rowBytes(width: image.width) + 1, options.effort)
        else {
            throw .unencodable(width: image.width, height: image.height, reason: "out of memory")
        }
        var file = signature
        file.reserveCapacity(stream.count + 64)
        append("IHDR", header(image, layout), to: &file)
        append("IDAT", stream, to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// Encodes the picture and puts it at `path` whole or not at all, as ``AtomicFile`` does.
    public static func write(
        _ image: Image, to path: String, options: PNGOptions = PNGOptions()
    ) throws(PNGError) {
        let bytes = try encode(image, options: options)
        do {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw .unwritable(error)
        }
    }

    private static func header(_ image: Image, _ layout: PNGLayout) -> [UInt8] {
        bigEndian(UInt32(image.width)) + bigEndian(UInt32(image.height)) + [8, layout.colorType, 0, 0, 0]
    }

    /// Length, type, content, and the checksum of type and content.
    private static func append(_ type: String, _ content: [UInt8], to file: inout [UInt8]) {
        file += bigEndian(UInt32(content.count))
        let start = file.count
        file += type.utf8
        file += content
        let checksum = file[start...].withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        file += bigEndian(checksum)
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
