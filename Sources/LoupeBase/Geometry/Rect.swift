/// An axis-aligned rectangle, by its upper left corner and its size. Each declaration says in which space it lies; y
/// runs down in all of them.
public struct Rect: Hashable, Sendable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// 0 or more.
    public var width: Double
    /// 0 or more.
    public var height: Double

    /// A rectangle by its upper left corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// A rectangle by its middle and its size.
    public init(center: Point, width: Double, height: Double) {
        self.init(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    }

    /// The left edge.
    public var minX: Double { x }
    /// The top edge.
    public var minY: Double { y }
    /// The right edge.
    public var maxX: Double { x + width }
    /// The bottom edge.
    public var maxY: Double { y + height }
    /// The middle.
    public var center: Point { Point(x: x + width / 2, y: y + height / 2) }
    /// The smaller of width and height.
    public var shorterSide: Double { min(width, height) }

    /// Whether a point lies in the rectangle. Its left and top edges belong to it, its right and bottom edges do not.
    public func contains(_ point: Point) -> Bool {
        minX <= point.x && point.x < maxX && minY <= point.y && point.y < maxY
    }

    /// Whether another rectangle lies in this one; their edges may coincide.
    public func contains(_ other: Rect) -> Bool {
        minX <= other.minX && minY <= other.minY && other.maxX <= maxX && other.maxY <= maxY
    }

    /// Whether another rectangle has an area in common with this one.
    public func overlaps(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// The rectangle with each edge moved inward by a distance; outward where that is negative.
    public func inset(by distance: Double) -> Rect {
        Rect(x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
    }

    /// The rectangle moved by a displacement.
    public func offset(by offset: Vector) -> Rect {
        Rect(x: x + offset.dx, y: y + offset.dy, width: width, height: height)
    }

    /// The rectangle with each edge rounded to the nearest whole number; at least 1 wide and high.
    public func onWholePixels() -> Rect {
        let (left, top) = (minX.rounded(), minY.rounded())
        return Rect(
            x: left, y: top, width: max(1, maxX.rounded() - left), height: max(1, maxY.rounded() - top))
    }

    /// The smallest rectangle that holds this one and another.
    public func union(_ other: Rect) -> Rect {
        let (x, y) = (min(minX, other.minX), min(minY, other.minY))
        return Rect(x: x, y: y, width: max(maxX, other.maxX) - x, height: max(maxY, other.maxY) - y)
    }
}

/// A circle. Each declaration says in which space it lies.
public struct Circle: Hashable, Sendable {
    /// The middle.
    public var center: Point
    /// 0 or more, in the unit of the centre.
    public var radius: Double

    /// A circle by its centre and radius.
    public init(center: Point, radius: Double) {
        self.center = center
        self.radius = radius
    }
}
