/// How large a PNG may be before it is refused unread.
public struct ImageLimits: Hashable, Sendable {
    /// Width times height, in pixels. The default, 16384², needs 1 GiB as RGBA.
    public var maxPixels: Int
    /// Width and height, in pixels. PNG itself ends at 2³¹ − 1.
    public var maxSide: Int
    /// What the chunks before the image data, which are held while colours and texts are looked for, may have
    /// together, in bytes.
    public var maxChunkBytes: Int
    /// How many chunks may stand before the image data.
    public var maxChunkCount: Int

    public init(
        maxPixels: Int = 268_435_456, maxSide: Int = 65535, maxChunkBytes: Int = 64 << 20, maxChunkCount: Int = 10_000
    ) {
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxChunkBytes = maxChunkBytes
        self.maxChunkCount = maxChunkCount
    }

    /// - Parameters: sides below 2³¹, so that their product fits.
    func check(width: Int, height: Int, name: String) throws(ImageError) {
        if max(width, height) > maxSide {
            throw .overLimit(name: name, width: width, height: height, limit: "\(maxSide) pixels a side")
        }
        if width * height > maxPixels {
            throw .overLimit(name: name, width: width, height: height, limit: "\(maxPixels) pixels")
        }
    }
    /// - Parameters: of what stands before the image data.
    func check(chunks: Int, bytes: Int, name: String) throws(ImageError) {
        if chunks > maxChunkCount { throw .overChunkLimit(name: name, limit: "\(maxChunkCount) chunks") }
        if bytes > maxChunkBytes { throw .overChunkLimit(name: name, limit: "\(maxChunkBytes) bytes") }
    }
}
