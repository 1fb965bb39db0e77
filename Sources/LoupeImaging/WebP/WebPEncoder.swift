import CWebP
import LoupeSystem

extension WebP {
    /// The longest side of a WebP, in pixels.
    package static let longestSide = 16383
    /// What libwebp holds for each pixel while it packs an image, in bytes; measured.
    static let bytesPerPixel = 40

    /// A WebP of an image's 8-bit pixels.
    /// - Parameters:
    ///   - size: about how many bytes a WebP with losses is to have.
    ///   - quality: of a WebP with losses, 1 to 100; without both there are none, and also pixels that are transparent keep
    ///     their colours.
    /// - Returns: nil where the image has more than 16383 pixels a side, or there is no memory for packing it.
    package static func encode(_ image: Image, size: Int32? = nil, quality: Int? = nil) -> [UInt8]? {
        guard max(image.width, image.height) <= longestSide,
            Memory.hasRoom(forPixels: image.width, image.height, bytesPerPixel: bytesPerPixel)
        else { return nil }
        var (config, picture, memory) = (WebPConfig(), WebPPicture(), WebPMemoryWriter())
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else { return nil }
        if let size {
            (config.target_size, config.pass, config.method) = (size, 6, 6)
        } else if let quality {
            config.quality = Float(quality)
            config.use_sharp_yuv = 1
        } else {
            // Level 6 of 9: the last per cent would take twenty times as long.
            guard WebPConfigLosslessPreset(&config, 6) != 0 else { return nil }
            config.exact = 1
        }
        picture.use_argb = 1
        (picture.width, picture.height) = (Int32(image.width), Int32(image.height))
        defer { WebPPictureFree(&picture) }
        guard WebPPictureImportRGBA(&picture, image.pixels, Int32(4 * image.width)) != 0 else { return nil }
        return withUnsafeMutablePointer(to: &memory) { memory in
            WebPMemoryWriterInit(memory)
            defer { WebPMemoryWriterClear(memory) }
            picture.writer = { WebPMemoryWrite($0, $1, $2) }
            picture.custom_ptr = UnsafeMutableRawPointer(memory)
            guard WebPEncode(&config, &picture) != 0 else { return nil }
            return Array(UnsafeBufferPointer(start: memory.pointee.mem, count: memory.pointee.size))
        }
    }
}
