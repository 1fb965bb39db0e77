/// Limits on the size of an image; one that exceeds them is refused without decoding.
public struct ImageLimits: Hashable, Sendable {
    /// Width times height, in pixels. The default, 16384², needs 1 GiB as RGBA.
    public var maxPixels: Int
    /// Width and height, in pixels. PNG allows up to 2³¹ − 1.
    public var maxSide: Int
    /// The total size of a PNG's chunks before the image data, in bytes.
    public var maxChunkBytes: Int
    /// The number of a PNG's chunks before the image data.
    public var maxChunkCount: Int

    /// Limits with the defaults of `render`.
    public init(
        maxPixels: Int = 268_435_456, maxSide: Int = 65535, maxChunkBytes: Int = 64 << 20, maxChunkCount: Int = 10_000
    ) {
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxChunkBytes = maxChunkBytes
        self.maxChunkCount = maxChunkCount
    }

    /// Throws where a size is over a limit. Sides must be below 2³¹.
    package func check(width: Int, height: Int, name: String) throws(ImageError) {
        if max(width, height) > maxSide {
            throw .overLimit(name: name, width: width, height: height, limit: "\(maxSide) pixels a side")
        }
        if width * height > maxPixels {
            throw .overLimit(name: name, width: width, height: height, limit: "\(maxPixels) pixels")
        }
    }

    /// Throws where the chunks before the image data are over a limit.
    func check(chunks: Int, bytes: Int, name: String) throws(ImageError) {
        if chunks > maxChunkCount { throw .overChunkLimit(name: name, limit: "\(maxChunkCount) chunks") }
        if bytes > maxChunkBytes { throw .overChunkLimit(name: name, limit: "\(maxChunkBytes) bytes") }
    }
}
