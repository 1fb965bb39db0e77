import CDeflate

/// Encoding: the smallest of grey, RGB and RGBA that holds the picture, 8 or 16 bits as it has, never interlaced.
extension PNG {
    /// The picture as the bytes of a PNG file: the same picture and options give the same bytes.
    ///
    /// Throws ``PNGError/unencodable(width:height:reason:)`` where there is no memory for it.
    public static func encode(_ image: Image, options: PNGOptions = PNGOptions()) throws(PNGError) -> [UInt8] {
        let deep = image.deepPixels
        let layout = deep.map(PNGLayout.init(deepPixels:)) ?? PNGLayout(of: image)
        let stream =
            if let deep {
                try deepStream(deep, width: image.width, height: image.height, as: layout, effort: options.effort)
            } else {
                try stream(image, as: layout, effort: options.effort)
            }
        var file = signature
        file.reserveCapacity(stream.count + 64)
        append("IHDR", header(width: image.width, height: image.height, layout, depth: deep == nil ? 8 : 16), to: &file)
        if let profile = options.profile { file += profileChunk(profile) }
        for text in options.texts { file += text.chunk }
        append("IDAT", stream, to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// The content of an IDAT chunk.
    static func stream(_ image: Image, as layout: PNGLayout, effort: PNGOptions.Effort) throws(PNGError) -> [UInt8] {
        let rows = PNGFilter.filtered(image, as: layout)
        let rowBytes = layout.rowBytes(width: image.width) + 1
        guard let stream = PNGCompressor.compressed(rows, rowBytes: rowBytes, effort) else {
            throw .unencodable(width: image.width, height: image.height, reason: "out of memory")
        }
        return stream
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

    static func header(width: Int, height: Int, _ layout: PNGLayout, depth: UInt8 = 8) -> [UInt8] {
        bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [depth, layout.colorType, 0, 0, 0]
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + 12)
        append(type, content, to: &bytes)
        return bytes
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

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
