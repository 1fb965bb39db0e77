import LoupeGeometry

/// A block of pixels and how many of them differ.
public struct Box: Hashable, Sendable {
    public let bounds: PixelRect
    public let differingPixels: Int
}

extension Box: CustomStringConvertible {
    /// `x,y,width,height`, as `--ignore` takes it.
    public var description: String { "\(bounds.minX),\(bounds.minY),\(bounds.width),\(bounds.height)" }
}
