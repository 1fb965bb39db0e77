import LoupeBase

/// The background of a canvas, which is seen where no layer lies.
public enum Backdrop: Hashable, Sendable {
    /// One colour.
    case color(Color)
    /// A linear gradient.
    case gradient(Gradient)

    /// A linear gradient over the whole canvas, from one corner or side to the opposite one.
    public struct Gradient: Hashable, Sendable {
        /// Where it begins.
        public var from: Color
        /// Where it ends.
        public var to: Color
        /// Its direction, in degrees clockwise from the x axis, `angleRange`: 0 runs to the right, 90 down.
        public var angle: Double
        /// Whether the picture is rounded by an ordered dither, so that no bands are seen.
        public var dither: Bool

        /// A gradient by its two colours and its direction.
        public init(from: Color, to: Color, angle: Double = 90, dither: Bool = false) {
            (self.from, self.to, self.angle, self.dither) = (from, to, angle, dither)
        }

        /// The angles that scenes may have, in degrees.
        public static let angleRange: ClosedRange<Double> = -360...360

        /// The unit vector in the gradient's direction, and its length on a canvas: the extent of the canvas along it.
        public func axis(width: Double, height: Double) -> (direction: Vector, length: Double) {
            let direction = Vector(dx: cos(angle * .pi / 180), dy: sin(angle * .pi / 180))
            return (direction, abs(direction.dx) * width + abs(direction.dy) * height)
        }

        /// How far along the gradient a point of a canvas lies: 0 where it begins, 1 where it ends, other numbers beyond.
        public func position(of point: Point, width: Double, height: Double) -> Double {
            let axis = axis(width: width, height: height)
            let (across, down) = (point.x - width / 2, point.y - height / 2)
            return 0.5 + (across * axis.direction.dx + down * axis.direction.dy) / axis.length
        }
    }

    /// Whether it is opaque everywhere.
    public var isOpaque: Bool {
        switch self {
        case .color(let color): color.isOpaque
        case .gradient(let gradient): gradient.from.isOpaque && gradient.to.isOpaque
        }
    }

    /// The only colour; nil for a gradient.
    public var plainColor: Color? {
        if case .color(let color) = self { color } else { nil }
    }
}
