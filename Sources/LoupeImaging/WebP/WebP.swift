import CWebP
import LoupeBase
import LoupeSystem

/// Reads WebPs, lossy and lossless, by libwebp. Of an animation the first frame is read.
package enum WebP {
    /// The size after the EXIF orientation is applied.
    static func size(of bytes: [UInt8], name: String) throws(ImageError) -> ImageSize {
        let features = try features(of: bytes, name: name)
        let size = ImageSize(width: Int(features.width), height: Int(features.height))
        return orientation(of: bytes).isSideways ? size.transposed : size
    }

    /// A file of so many pixels may have any length: 38 bytes can hold the largest page of one colour.
    private static let freePixels = 1 << 26
    /// The most pixels for each byte of a larger one: those of a PNG with one bit for each pixel, which no page exceeds.
    private static let pixelsPerByte = 8 * 1032

    /// Decodes the image and applies its EXIF orientation.
    static func decode(_ bytes: [UInt8], name: String) throws(ImageError) -> Image {
        let features = try features(of: bytes, name: name)
        let (width, height) = (Int(features.width), Int(features.height))
        guard width * height <= max(freePixels, bytes.count * pixelsPerByte) else {
            throw .damaged(
                name: name, format: .webp, reason: "\(width)×\(height) pixels are too many for \(bytes.count) bytes")
        }
        if features.has_animation != 0 { return try firstFrame(of: bytes, width, height, name: name) }
        let count = width * height * 4
        // libwebp holds all pixels of a lossless file once more.
        let bytesPerPixel = (orientation(of: bytes) == .upright ? 4 : 8) + (features.format == 2 ? 4 : 1)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: bytesPerPixel) else {
            throw .outOfMemory(name: name, width: width, height: height, bytesPerPixel: bytesPerPixel)
        }
        var status = VP8_STATUS_OK
        let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            status = decode(bytes, into: buffer.baseAddress, count: count, rowBytes: width * 4)
            initializedCount = status == VP8_STATUS_OK ? count : 0
        }
        if status != VP8_STATUS_OK { throw .damaged(name: name, format: .webp, reason: reason(of: status)) }
        return orientation(of: bytes).applied(to: Image(width: width, height: height, pixels: pixels))
    }

    /// How many frames an animation has; 1 for other files.
    static func frameCount(of bytes: [UInt8]) -> Int {
        withMux(of: bytes) { mux in
            var count: Int32 = 0
            return WebPMuxNumChunks(mux, WEBP_CHUNK_ANMF, &count) == WEBP_MUX_OK ? max(1, Int(count)) : 1
        } ?? 1
    }

    /// The first frame of an animation, on its transparent canvas.
    private static func firstFrame(
        of bytes: [UInt8], _ width: Int, _ height: Int, name: String
    ) throws(ImageError) -> Image {
        var frame = WebPMuxFrameInfo()
        let file = withMux(of: bytes) { mux -> [UInt8]? in
            guard WebPMuxGetFrame(mux, 1, &frame) == WEBP_MUX_OK else { return nil }
            defer { WebPDataClear(&frame.bitstream) }
            return Array(UnsafeRawBufferPointer(start: frame.bitstream.bytes, count: frame.bitstream.size))
        }
        guard let file = file ?? nil, try features(of: file, name: name).has_animation == 0 else {
            throw .damaged(name: name, format: .webp, reason: "it has no first frame")
        }
        let shown = try decode(file, name: name)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 8) else {
            throw .outOfMemory(name: name, width: width, height: height, bytesPerPixel: 8)
        }
        let (left, top) = (Int(frame.x_offset), Int(frame.y_offset))
        guard left + shown.width <= width, top + shown.height <= height else {
            throw .damaged(name: name, format: .webp, reason: "its first frame is larger than its canvas")
        }
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        for row in 0..<shown.height {
            let (from, to) = (row * shown.width * 4, ((top + row) * width + left) * 4)
            pixels.replaceSubrange(to..<to + shown.width * 4, with: shown.pixels[from..<from + shown.width * 4])
        }
        return orientation(of: bytes).applied(to: Image(width: width, height: height, pixels: pixels))
    }

    private static func withMux<Value>(of bytes: [UInt8], _ use: (OpaquePointer) -> Value) -> Value? {
        bytes.withUnsafeBufferPointer { bytes in
            var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
            guard let mux = WebPMuxCreate(&data, 0) else { return nil }
            defer { WebPMuxDelete(mux) }
            return use(mux)
        }
    }

    private static func decode(
        _ bytes: [UInt8], into pixels: UnsafeMutablePointer<UInt8>?, count: Int, rowBytes: Int
    ) -> VP8StatusCode {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { return VP8_STATUS_INVALID_PARAM }
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        config.output.u.RGBA = WebPRGBABuffer(rgba: pixels, stride: Int32(rowBytes), size: count)
        return WebPDecode(bytes, bytes.count, &config)
    }

    private static func features(of bytes: [UInt8], name: String) throws(ImageError) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(bytes, bytes.count, &features)
        if status != VP8_STATUS_OK { throw .damaged(name: name, format: .webp, reason: reason(of: status)) }
        return features
    }

    private static func reason(of status: VP8StatusCode) -> String {
        status == VP8_STATUS_OUT_OF_MEMORY ? "out of memory" : "it is broken or cut short"
    }

    static func orientation(of bytes: [UInt8]) -> Orientation {
        chunk("EXIF", in: bytes).map { Orientation(exif: $0) } ?? .upright
    }

    /// The content of a chunk of the file's RIFF structure; nil where there is none.
    static func chunk(_ name: String, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var offset = 12
        while offset + 8 <= bytes.count {
            let length = bytes[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            let start = offset + 8
            guard length <= bytes.count - start else { return nil }
            if bytes[offset..<offset + 4].elementsEqual(name.utf8) { return bytes[start..<start + length] }
            // Chunks start at even offsets.
            offset = start + length + length % 2
        }
        return nil
    }
}
