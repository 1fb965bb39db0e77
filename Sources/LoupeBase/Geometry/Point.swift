/// A position. Each declaration says in which space it lies; y runs down in all of them.
public struct Point: Hashable, Sendable {
    /// Rightwards.
    public var x: Double
    /// Downwards.
    public var y: Double

    /// A position by its two coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin, (0, 0).
    public static let zero = Point(x: 0, y: 0)

    /// The straight-line distance to another point of the same space.
    public func distance(to other: Point) -> Double {
        Vector(from: other, to: self).length
    }

    /// The point at a displacement from another.
    public static func + (point: Point, vector: Vector) -> Point {
        Point(x: point.x + vector.dx, y: point.y + vector.dy)
    }

    /// The point at the opposite of a displacement from another.
    public static func - (point: Point, vector: Vector) -> Point {
        Point(x: point.x - vector.dx, y: point.y - vector.dy)
    }

    /// The displacement from `start` to `end`.
    public static func - (end: Point, start: Point) -> Vector {
        Vector(from: start, to: end)
    }
}

/// A displacement; y runs down.
public struct Vector: Hashable, Sendable {
    /// Rightwards.
    public var dx: Double
    /// Downwards.
    public var dy: Double

    /// A displacement by its two components.
    public init(dx: Double, dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    /// The displacement between two points of the same space.
    public init(from start: Point, to end: Point) {
        self.init(dx: end.x - start.x, dy: end.y - start.y)
    }

    /// No displacement.
    public static let zero = Vector(dx: 0, dy: 0)

    /// The Euclidean length.
    public var length: Double { (dx * dx + dy * dy).squareRoot() }

    /// The scalar product.
    public func dot(_ other: Vector) -> Double { dx * other.dx + dy * other.dy }

    /// This vector after a quarter turn from the x axis towards the y axis.
    public var turned: Vector { Vector(dx: -dy, dy: dx) }

    /// The sum of two displacements.
    public static func + (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx + b.dx, dy: a.dy + b.dy) }
    /// The difference of two displacements.
    public static func - (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx - b.dx, dy: a.dy - b.dy) }
    /// A displacement made longer by a factor.
    public static func * (scale: Double, v: Vector) -> Vector { Vector(dx: scale * v.dx, dy: scale * v.dy) }
    /// The opposite displacement.
    public static prefix func - (v: Vector) -> Vector { Vector(dx: -v.dx, dy: -v.dy) }
}

extension Double {
    /// The number of the range that is nearest to this one.
    public func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
