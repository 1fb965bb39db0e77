import CMath
import LoupeGeometry

extension Loupe {
    /// The other half of a split loupe: the same layers at the same focus, where another image is in the place of the
    /// first that a layer shows, stretched to the same rect and cut by the same outline.
    public struct Split: Hashable, Sendable {
        /// A line along the border of the halves.
        public struct Divider: Hashable, Sendable {
            /// In canvas pixels, `widthRange`.
            public var width: Double
            public var color: Color

            public init(width: Double, color: Color = .defaultRim) {
                self.width = width
                self.color = color
            }

            public static let widthRange: ClosedRange<Double> = 0...8192
        }

        /// The path of a PNG, relative to the scene file.
        public var image: String
        /// By how many degrees the halves are turned about the loupe's centre, clockwise: at 0 the other image is on
        /// the right of a vertical border, at 90 below a horizontal one.
        public var angle: Double
        public var divider: Divider?

        public init(image: String, angle: Double = 0, divider: Divider? = nil) {
            self.image = image
            self.angle = angle
            self.divider = divider
        }

        public static let angleRange: ClosedRange<Double> = -180...180

        /// The unit vector across the border, to the other image's side.
        public var direction: Vector {
            Vector(dx: cos(angle * .pi / 180), dy: sin(angle * .pi / 180))
        }
    }
}

extension Scene {
    /// The scene with another image in the place of the first that a layer shows.
    package func showing(_ path: String) -> Scene {
        var scene = self
        guard let index = layers.firstIndex(where: { $0.imagePath != nil }) else { return self }
        scene.layers[index].content = .image(path: path)
        return scene
    }
}
