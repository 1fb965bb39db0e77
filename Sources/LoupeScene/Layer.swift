import LoupeGeometry

/// A picture or a plain colour, and strokes on it, in a rect with superellipse corners. The page is a layer.
public struct Layer: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// A picture by its path, relative to the scene file.
        case image(path: String)
        /// Transparent where a layer is to show its strokes alone.
        case fill(Color)
    }

    public var content: Content
    /// What the content is stretched to, in canvas pixels.
    public var rect: Rect
    /// What bounds and rounds the layer in place of `rect`, in canvas pixels: a window onto the picture, which stays
    /// stretched to `rect`. Where the window reaches beyond the rect, the picture's border goes on.
    public var crop: Rect?
    /// Of the crop's corners, or else the rect's.
    public var corner: Corner
    /// The filter of the base view; a loupe brings its own.
    public var filter: Filter
    /// 0 … 1, of the content and its strokes together.
    public var opacity: Double
    /// Ink on the content, in the order in which it was laid; the layer's outline bounds it too.
    public var strokes: [Stroke]

    public init(
        content: Content, rect: Rect, crop: Rect? = nil, corner: Corner = Corner(), filter: Filter = .lanczos,
        opacity: Double = 1, strokes: [Stroke] = []
    ) {
        self.content = content
        self.rect = rect
        self.crop = crop
        self.corner = corner
        self.filter = filter
        self.opacity = opacity
        self.strokes = strokes
    }

    /// The path of the image that the layer shows; nil for a plain colour.
    public var imagePath: String? {
        if case .image(let path) = content { path } else { nil }
    }

    /// The rect whose corners are rounded and beyond which nothing of the layer shows, in canvas pixels.
    public var bounds: Rect { crop ?? rect }

    public static let opacityRange: ClosedRange<Double> = 0...1
}

/// Ink on a layer: a polyline with round caps and round joints, drawn by distance.
///
/// In a view of magnification z its coverage is clamp(z·(width/2 − d) + ½, 0, 1), d being the least distance to any of
/// its segments: where it meets or crosses itself it is no darker.
public struct Stroke: Hashable, Sendable {
    /// In canvas pixels; at least one, which alone is a dot.
    public var points: [Point]
    /// In canvas pixels, `widthRange`.
    public var width: Double
    public var color: Color

    public init(points: [Point], width: Double, color: Color = .defaultInk) {
        self.points = points
        self.width = width
        self.color = color
    }

    /// Up to half of the widest, magnified the most, 32-bit distances are exact to a hundredth of a pixel.
    public static let widthRange: ClosedRange<Double> = 0.001...1024
}

extension Color {
    /// Black.
    public static let defaultInk = Color(red: 0, green: 0, blue: 0)
    /// What a layer of strokes alone is filled with.
    public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
}
