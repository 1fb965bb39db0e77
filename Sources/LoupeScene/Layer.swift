import LoupeGeometry

/// A picture or a plain colour in a rect with superellipse corners. The page is a layer.
public struct Layer: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// A PNG by its path, relative to the scene file.
        case image(path: String)
        case fill(Color)
    }

    public var content: Content
    /// What the content is stretched to, in canvas pixels.
    public var rect: Rect
    public var corner: Corner
    /// The filter of the base view; a loupe brings its own.
    public var filter: Filter
    /// 0 … 1.
    public var opacity: Double

    public init(
        content: Content, rect: Rect, corner: Corner = Corner(), filter: Filter = .lanczos, opacity: Double = 1
    ) {
        self.content = content
        self.rect = rect
        self.corner = corner
        self.filter = filter
        self.opacity = opacity
    }

    public static let opacityRange: ClosedRange<Double> = 0...1
}
