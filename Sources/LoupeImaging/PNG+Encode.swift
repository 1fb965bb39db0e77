import CPNG

/// Encoding: 8-bit RGB where the whole picture is opaque, else RGBA with straight alpha; never interlaced.
extension PNG {
    /// The picture as the bytes of a PNG file: the same picture and options give the same bytes.
    ///
    /// Rows go to libpng straight from the pixels. Throws ``PNGError/unencodable(width:height:reason:)``.
    public static func encode(_ image: Image, options: PNGOptions = PNGOptions()) throws(PNGError) -> [UInt8] {
        let picture = cpng_picture(
            width: UInt32(clamping: image.width), height: UInt32(clamping: image.height), opaque: image.isOpaque,
            effort: options.effort.shim)
        var bytes: [UInt8] = []
        var message = [CChar](repeating: 0, count: Int(CPNG_MESSAGE_SIZE))
        let done = image.pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return false }
            // `&bytes` alone would be the address of the array's first element.
            return withUnsafeMutablePointer(to: &bytes) { cpng_write(picture, start, append, $0, &message) }
        }
        guard done else {
            let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw .unencodable(width: image.width, height: image.height, reason: reason)
        }
        return bytes
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

    /// libpng's way out; `context` is the array that grows.
    private static let append: cpng_write_function = { context, bytes, count in
        context.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

extension PNGOptions.Effort {
    fileprivate var shim: cpng_effort {
        switch self {
        case .fast: .fast
        case .default: .default
        case .best: .best
        }
    }
}
