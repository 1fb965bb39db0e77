import LoupeBase
import LoupePlan
import LoupeScene

/// A scene as a short list of drawing operations, of which each viewer of PDF or SVG knows all.
///
/// Lengths are in canvas pixels, y down. Colours are sRGB.
package struct VectorDrawing: Hashable, Sendable {
    /// The canvas, in canvas pixels.
    package let size: ImageSize
    /// In drawing order.
    package let operations: [DrawingOperation]
    /// The images that operations show, by index.
    package let images: [ShownImage]
    /// The soft parts, by index.
    let bitmaps: [SoftBitmap]
}

/// An image of a scene as a drawing shows it.
package struct ShownImage: Hashable, Sendable {
    /// As the scene names it.
    package let path: ImagePath
    /// The only pixels of it that are shown and stored; nil for all.
    package let part: PixelRect?
    /// What the widths and dashes of an SVG's strokes are times.
    let strokeScale: Double
    /// Whether viewers shall interpolate between its pixels. One view that shows them as squares is enough for no: the
    /// image, or the part, is stored once.
    package internal(set) var isSmooth: Bool
    /// The largest number of canvas pixels that one of its own appears as; of a vector image, how much it is magnified.
    package internal(set) var magnification: Double
}

/// One step of a drawing.
package enum DrawingOperation: Hashable, Sendable {
    /// Keeps the transform and the clip.
    case save
    /// Brings back the last kept transform and clip.
    case restore
    /// Points p of what follows are drawn at scale·p + offset.
    case transform(scale: Double, offset: Vector)
    /// Only the inside of a path is drawn from now on.
    case clip(VectorPath)
    /// Fills a path by the nonzero rule.
    case fill(VectorPath, Color)
    /// Fills a path with a linear gradient between two points, by its colours at equal distances.
    case gradient(VectorPath, from: Point, to: Point, [Color])
    /// A stroke with round caps and round joins.
    case stroke(VectorPath, width: Double, Color)
    /// An image, by its index, stretched to a rect.
    case image(Int, Rect)
    /// A soft part, by its index, at its place.
    case bitmap(Int)
    /// A text over what is there.
    case text(TextRun)
    /// What follows, up to the end, is drawn as one.
    case beginGroup
    /// Draws the group with an opacity, where a path is given only inside of that.
    case endGroup(opacity: Double, within: VectorPath?)
}

/// A picture of one colour whose alpha changes softly: a shadow.
struct SoftBitmap: Hashable, Sendable {
    /// Where it is drawn, in canvas pixels.
    let rect: Rect
    /// In pixels.
    let size: ImageSize
    /// Its colour; the alpha is the largest one.
    let color: Color
    /// The coverage of each pixel, rows from the top, 255 for all of the colour's alpha.
    let coverage: [UInt8]
}

/// The reason that a scene has no vector drawing.
public enum VectorRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is blended in linear light, and viewers of PDF and SVG blend encoded values.
    case linearLight
    /// The crop of a layer, by its index, reaches beyond the picture.
    case cropBeyondPicture(layer: Int)

    /// One sentence without a full stop, as the command prints it.
    public var description: String {
        switch self {
        case .linearLight:
            "blending: linear light can't be written as PDF or SVG, whose viewers blend sRGB values; write a PNG, or set blending to srgb"
        case .cropBeyondPicture(let layer):
            "layers[\(layer)].crop: it reaches beyond the picture's rect, which can't be written as PDF or SVG; write a PNG, or make the crop smaller"
        }
    }
}
