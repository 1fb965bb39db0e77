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
