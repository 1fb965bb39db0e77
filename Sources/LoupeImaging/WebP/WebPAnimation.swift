import CWebP
import LoupeBase
import LoupeSystem

/// Writes an animated WebP frame by frame, by libwebpmux: each stored frame is the block that has changed, and equal
/// frames in a row become one longer frame. The file is written as a whole by ``finish()``.
package final class WebPAnimationWriter {
    /// A method of packing the frames.
    package enum Packing: Hashable, Sendable {
        /// Every pixel as it is.
        case lossless
        /// With some loss, mostly of fine colour differences: 0 is the smallest file, 100 the best picture.
        case lossy(quality: Float)
    }

    private let sink: ByteSink
    private let name: String
    private let width: Int
    private let height: Int
    private let isOpaque: Bool
    private let frameTime: FrameTime
    private let encoder: OpaquePointer
    private var config: WebPConfig
    private var taken = 0

    /// The greatest number of plays, which has 16 bits.
    package static let mostLoops = 65535

    /// Starts an animation.
    /// - Parameters:
    ///   - sink: where the file goes.
    ///   - name: the file's name, for messages.
    ///   - width: of every frame, in pixels, at most 16383.
    ///   - height: of every frame, in pixels, at most 16383.
    ///   - isOpaque: whether every frame is opaque; otherwise alpha is stored.
    ///   - frameTime: the duration of one frame; each frame's start is rounded to a millisecond.
    ///   - loops: how often the animation plays, at most 65535; 0 for ever.
    ///   - packing: lossless or lossy.
    /// - Throws: ``ImageError/unencodable(width:height:reason:)`` or ``ImageError/outOfMemory(name:width:height:bytesPerPixel:)``.
    package init(
        to sink: ByteSink, name: String, width: Int, height: Int, isOpaque: Bool, frameTime: FrameTime, loops: Int = 0,
        packing: Packing
    ) throws(ImageError) {
        (self.sink, self.name, self.width, self.height) = (sink, name, width, height)
        (self.isOpaque, self.frameTime) = (isOpaque, frameTime)
        guard max(width, height) <= WebP.longestSide else {
            throw .unencodable(
                width: width, height: height, reason: "a WebP has at most \(WebP.longestSide) px a side")
        }
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: WebP.bytesPerPixel) else {
            throw .outOfMemory(name: name, width: width, height: height)
        }
        config = WebPConfig()
        var options = WebPAnimEncoderOptions()
        guard WebPConfigInit(&config) != 0, WebPAnimEncoderOptionsInit(&options) != 0 else {
            throw .unencodable(width: width, height: height, reason: "libwebp has another version than its headers")
        }
        // Key frames keep the losses of many frames from adding up; how often is gif2webp's choice.
        switch packing {
        case .lossless:
            config.lossless = 1
            // How much time is spent, for lossless ones.
            config.quality = 50
            config.method = 2
            (options.kmin, options.kmax) = (9, 17)
        case .lossy(let quality):
            config.quality = quality
            (options.kmin, options.kmax) = (3, 5)
        }
        options.anim_params.loop_count = Int32(min(loops, Self.mostLoops))
        // Transparent, where a viewer draws it at all.
        options.anim_params.bgcolor = 0
        guard let encoder = WebPAnimEncoderNew(Int32(width), Int32(height), &options) else {
            throw .outOfMemory(name: name, width: width, height: height)
        }
        self.encoder = encoder
    }

    deinit { WebPAnimEncoderDelete(encoder) }

    /// Adds the next image, which has the animation's size.
    /// - Throws: ``ImageError/unencodable(width:height:reason:)`` or ``ImageError/outOfMemory(name:width:height:bytesPerPixel:)``.
    package func append(_ image: Image) throws(ImageError) {
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else { throw failure() }
        picture.use_argb = 1
        (picture.width, picture.height) = (Int32(width), Int32(height))
        defer { WebPPictureFree(&picture) }
        let rowBytes = Int32(4 * width)
        let isRead =
            isOpaque
            ? WebPPictureImportRGBX(&picture, image.pixels, rowBytes)
            : WebPPictureImportRGBA(&picture, image.pixels, rowBytes)
        guard isRead != 0 else { throw .outOfMemory(name: name, width: width, height: height) }
        guard WebPAnimEncoderAdd(encoder, &picture, start(ofFrame: taken), &config) != 0 else { throw failure() }
        taken += 1
    }

    /// Writes the file. Nothing may be appended afterwards.
    /// - Throws: ``ImageError``, or `FileError` where the sink can't be written to.
    package func finish() throws {
        var data = WebPData()
        defer { WebPDataClear(&data) }
        guard WebPAnimEncoderAdd(encoder, nil, start(ofFrame: taken), nil) != 0,
            WebPAnimEncoderAssemble(encoder, &data) != 0
        else { throw failure() }
        try sink.write(Array(UnsafeBufferPointer(start: data.bytes, count: data.size)))
    }

    /// In milliseconds.
    private func start(ofFrame number: Int) -> Int32 { Int32(clamping: frameTime.milliseconds(frames: number)) }

    private func failure() -> ImageError {
        let message = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? ""
        return .unencodable(width: width, height: height, reason: message.isEmpty ? "libwebp gives no reason" : message)
    }
}
