/// The size of an image, in pixels.
public struct ImageSize: Hashable, Sendable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Width and height exchanged, as a picture turned by a quarter turn has them.
    public var transposed: ImageSize { ImageSize(width: height, height: width) }
}
