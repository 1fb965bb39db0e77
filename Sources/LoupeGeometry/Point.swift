/// A place. Which space it lies in is said where a value is declared; y runs down everywhere.
public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    public static let zero = Point(x: 0, y: 0)

    /// The straight-line distance to another point of the same space.
    public func distance(to other: Point) -> Double {
        Vector(from: other, to: self).length
    }
}

extension Point {
    public static func + (point: Point, vector: Vector) -> Point {
        Point(x: point.x + vector.dx, y: point.y + vector.dy)
    }

    public static func - (point: Point, vector: Vector) -> Point {
        Point(x: point.x - vector.dx, y: point.y - vector.dy)
    }

    public static func - (end: Point, start: Point) -> Vector {
        Vector(from: start, to: end)
    }
}

/// A displacement; y runs down.
public struct Vector: Hashable, Sendable {
    public var dx: Double
    public var dy: Double

    public init(dx: Double, dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    public init(from start: Point, to end: Point) {
        self.init(dx: end.x - start.x, dy: end.y - start.y)
    }

    public static let zero = Vector(dx: 0, dy: 0)

    /// The Euclidean length.
    public var length: Double { (dx * dx + dy * dy).squareRoot() }

    /// The scalar product.
    public func dot(_ other: Vector) -> Double { dx * other.dx + dy * other.dy }

    /// This vector turned by a quarter turn, from the x axis towards the y axis.
    public var turned: Vector { Vector(dx: -dy, dy: dx) }

    public static func + (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx + b.dx, dy: a.dy + b.dy) }
    public static func - (a: Vector, b: Vector) -> Vector { Vector(dx: a.dx - b.dx, dy: a.dy - b.dy) }
    public static func * (scale: Double, v: Vector) -> Vector { Vector(dx: scale * v.dx, dy: scale * v.dy) }
    public static prefix func - (v: Vector) -> Vector { Vector(dx: -v.dx, dy: -v.dy) }
}

extension Double {
    /// The nearest number in the range.
    public func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
