import LoupeGeometry

extension Loupe {
    /// What a loupe looks like from outside: its disc, or a rectangle with superellipse corners in the disc's place.
    public enum Shape: Hashable, Sendable {
        /// In canvas pixels, `radiusRange`.
        case circle(radius: Double)
        case rectangle(Rectangle)
    }

    /// A lens with four sides, about the loupe's centre.
    public struct Rectangle: Hashable, Sendable {
        /// In canvas pixels, `sideRange`.
        public var width: Double
        public var height: Double
        public var corner: Corner

        public init(width: Double, height: Double, corner: Corner = Corner()) {
            self.width = width
            self.height = height
            self.corner = corner
        }

        public static let sideRange: ClosedRange<Double> = 2 * radiusRange.lowerBound...2 * radiusRange.upperBound
    }

    /// How far from its border the middle of the loupe lies: the disc's radius, or half a rectangle's shorter side. A
    /// rectangle is enlarged as a whole.
    public var radius: Double {
        get {
            switch shape {
            case .circle(let radius): radius
            case .rectangle(let rectangle): min(rectangle.width, rectangle.height) / 2
            }
        }
        set {
            switch shape {
            case .circle: shape = .circle(radius: newValue)
            case .rectangle(let old): shape = .rectangle(old.scaled(by: newValue / radius))
            }
        }
    }

    /// Half its width and half its height, in canvas pixels.
    package var halfSides: Vector {
        switch shape {
        case .circle(let radius): Vector(dx: radius, dy: radius)
        case .rectangle(let rectangle): Vector(dx: rectangle.width / 2, dy: rectangle.height / 2)
        }
    }

    /// Of the circle about its centre that a loupe of this shape lies in, whatever its corners; in canvas pixels.
    var outerRadius: Double {
        switch shape {
        case .circle(let radius): radius
        case .rectangle: halfSides.length
        }
    }

    /// The border of a rectangle, in canvas pixels; nil for a disc.
    public var outline: Outline? {
        guard case .rectangle(let rectangle) = shape else { return nil }
        return Outline(
            rect: Rect(
                x: center.x - rectangle.width / 2, y: center.y - rectangle.height / 2, width: rectangle.width,
                height: rectangle.height),
            radii: rectangle.corner.radii, exponent: rectangle.corner.exponent)
    }
}

extension Loupe.Rectangle {
    fileprivate func scaled(by factor: Double) -> Loupe.Rectangle {
        Loupe.Rectangle(
            width: width * factor, height: height * factor,
            corner: Corner(radii: factor * corner.radii, exponent: corner.exponent))
    }
}
