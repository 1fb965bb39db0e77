import LoupeGeometry
import LoupeScene

/// The thumbnail and the full screen, and how the one maps to the other.
struct TransitionGeometry: Hashable, Sendable {
    let screen: Rect
    let thumbnail: Rect
    let corner: Corner
    /// Of the picture at scale 1: fitted into the screen, centred. Its width and height in points.
    let width: Double
    let height: Double

    /// - Parameters:
    ///   - imageWidth: In any unit.
    ///   - imageHeight: In the same unit.
    init(canvas: Scene.Canvas, imageWidth: Double, imageHeight: Double, thumbnail: Rect, corner: Corner) {
        screen = Rect(x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
        let fit = min(screen.width / imageWidth, screen.height / imageHeight)
        width = imageWidth * fit
        height = imageHeight * fit
        self.thumbnail = thumbnail
        self.corner = corner
    }

    /// s: the scale at which the picture just covers the thumbnail.
    var thumbnailScale: Double { max(thumbnail.width / width, thumbnail.height / height) }

    /// Where the centre may lie so that the picture covers the screen, or stays centred where it is narrower.
    func centerRange(scale: Double) -> (x: ClosedRange<Double>, y: ClosedRange<Double>) {
        (Self.range(screen.width, width * scale), Self.range(screen.height, height * scale))
    }

    func clamped(_ center: Point, scale: Double) -> Point {
        let range = centerRange(scale: scale)
        return Point(x: center.x.clamped(to: range.x), y: center.y.clamped(to: range.y))
    }

    private static func range(_ screen: Double, _ picture: Double) -> ClosedRange<Double> {
        let reach = max(0, picture - screen) / 2
        return (screen / 2 - reach)...(screen / 2 + reach)
    }
}
