import LoupeBase
import LoupeScene

/// The border of a loupe, or of its source, in output pixels.
package enum Border: Hashable, Sendable {
    /// A disc.
    case disc(Circle)
    /// A shaped loupe's rectangle with its corners.
    case outline(Outline)

    /// The border of a loupe on the canvas.
    package init(of loupe: Loupe) {
        self.init(loupe.shape, center: loupe.center, scale: 1)
    }

    /// The border of the part of the canvas that a loupe shows: its own divided by its zoom.
    package init(ofSourceOf loupe: Loupe, in scene: Scene) {
        self.init(loupe.shape, center: scene.shownFocus(of: loupe), scale: 1 / loupe.zoom)
    }

    private init(_ shape: Loupe.Shape, center: Point, scale: Double) {
        switch shape {
        case .circle(let radius): self = .disc(Circle(center: center, radius: scale * radius))
        case .rectangle(let shape):
            self = .outline(
                Outline(
                    rect: Rect(center: center, width: scale * shape.width, height: scale * shape.height),
                    radii: scale * shape.corner.radii, exponent: shape.corner.exponent))
        }
    }

    /// The middle.
    package var center: Point {
        switch self {
        case .disc(let disc): disc.center
        case .outline(let outline): outline.rect.center
        }
    }

    /// A block that holds every pixel whose distance from the enclosed area is less than `reach`.
    package func block(grownBy reach: Double) -> PixelRect {
        switch self {
        case .disc(let disc):
            PixelRect(around: disc.center, across: disc.radius + reach + 0.5, down: disc.radius + reach + 0.5)
        case .outline(let outline):
            PixelRect(
                coveringMinX: outline.rect.minX - reach, minY: outline.rect.minY - reach,
                maxX: outline.rect.maxX + reach, maxY: outline.rect.maxY + reach)
        }
    }

    /// The point of the border that is farthest in a direction; any point of a straight side that is perpendicular to it.
    ///
    /// - Parameter direction: Of length 1.
    package func touchPoint(toward direction: Vector) -> Point {
        let (isRight, isBelow) = (direction.dx >= 0, direction.dy >= 0)
        switch self {
        case .disc(let disc): return disc.center + disc.radius * direction
        case .outline(let outline):
            let position: CornerPosition =
                isRight ? (isBelow ? .bottomRight : .topRight) : (isBelow ? .bottomLeft : .topLeft)
            let corner = PlacedCorner(position, of: outline)
            return corner.point(
                at: corner.curve.touchPoint(toward: Vector(dx: abs(direction.dx), dy: abs(direction.dy))))
        }
    }

    /// The distance from the centre to the border in a direction, or to the curve at a distance outside of it.
    ///
    /// - Parameters:
    ///   - direction: Of length 1.
    ///   - distance: 0 or more.
    func reach(toward direction: Vector, grownBy distance: Double = 0) -> Double {
        switch self {
        case .disc(let disc): return disc.radius + distance
        case .outline(let outline):
            // From the centre outward the depth decreases.
            var (low, high) = (0.0, Vector(dx: outline.rect.width, dy: outline.rect.height).length / 2 + distance)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                let point = outline.rect.center + middle * direction
                if outline.signedDistance(to: point) > -distance { low = middle } else { high = middle }
            }
            return (low + high) / 2
        }
    }
}
