import LoupeBase

/// A picture or a plain colour, and strokes on it, in a rect with superellipse corners. The page is a layer.
public struct Layer: Hashable, Sendable {
    /// The content that fills a layer.
    public enum Content: Hashable, Sendable {
        /// A picture by its path, relative to the scene file.
        case image(path: ImagePath)
        /// A plain colour; transparent where only strokes shall show.
        case fill(Color)
    }

    /// What fills the layer.
    public var content: Content
    /// What the content is stretched to, in canvas pixels.
    public var rect: Rect
    /// A window onto the picture, in canvas pixels; nil for none. It bounds and rounds the layer in place of `rect`, to
    /// which the picture stays stretched. Where the window reaches beyond the rect, sampling clamps to the picture's edge.
    public var crop: Rect?
    /// The corners of the crop, or of the rect where there is no crop.
    public var corner: Corner
    /// The filter of the base view; each loupe has its own.
    public var filter: Filter
    /// 0 … 1, of the content and its strokes together.
    public var opacity: Double
    /// Ink over the content, bottom to top; the layer's outline clips it too.
    public var strokes: [Stroke]
    /// The shadow on what lies below, outside of the layer's outline; nil for none. Loupes show it too.
    public var shadow: Loupe.Shadow?

    /// A layer that shows all of its content by default, opaque and with square corners.
    public init(
        content: Content, rect: Rect, crop: Rect? = nil, corner: Corner = Corner(), filter: Filter = .lanczos,
        opacity: Double = 1, strokes: [Stroke] = [], shadow: Loupe.Shadow? = nil
    ) {
        (self.content, self.rect, self.crop, self.corner, self.filter) = (content, rect, crop, corner, filter)
        (self.opacity, self.strokes, self.shadow) = (opacity, strokes, shadow)
    }

    /// The path of the image that the layer shows; nil for a plain colour.
    public var imagePath: ImagePath? {
        if case .image(let path) = content { path } else { nil }
    }

    /// The rect whose corners are rounded, in canvas pixels. Nothing of the layer shows outside of it.
    public var bounds: Rect { crop ?? rect }

    /// The opacities that scenes may have.
    public static let opacityRange: ClosedRange<Double> = 0...1
}

extension Layer {
    /// The layer with all that is on it, moved on the canvas.
    package func moved(by way: Vector) -> Layer {
        var layer = self
        layer.rect = rect.offset(by: way)
        layer.crop = crop?.offset(by: way)
        for index in strokes.indices { layer.strokes[index].points = strokes[index].points.map { $0 + way } }
        return layer
    }
}

/// Ink on a layer: a polyline with round caps and round joints, drawn by distance.
///
/// In a view of magnification z its coverage is clamp(z·(width/2 − d) + ½, 0, 1), d being the least distance to any of
/// its segments. So it is not darker where it crosses itself.
public struct Stroke: Hashable, Sendable {
    /// In canvas pixels. At least one; a single point is a dot.
    public var points: [Point]
    /// In canvas pixels, `widthRange`.
    public var width: Double
    /// Composited over the content and the strokes before it.
    public var color: Color

    /// A stroke by its points and its width, both in canvas pixels.
    public init(points: [Point], width: Double, color: Color = .defaultInk) {
        (self.points, self.width, self.color) = (points, width, color)
    }

    /// The widths that scenes may have, in canvas pixels. With 32-bit floats, distances of half the largest width at the
    /// largest zoom are exact to a hundredth of a pixel.
    public static let widthRange: ClosedRange<Double> = 0.001...1024
}

extension Color {
    /// Black.
    public static let defaultInk = Color(red: 0, green: 0, blue: 0)
    /// What a layer of strokes alone is filled with.
    public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)
}
