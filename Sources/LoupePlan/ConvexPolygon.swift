import LoupeBase
import LoupeScene

/// The points on one side of a line: those where `normal`·p + `offset` is not negative.
///
/// The normal has length 1, so that this sum is the distance inside, in the unit of the points.
package struct HalfPlane: Hashable, Sendable {
    /// The unit vector that points into the half plane.
    package let normal: Vector
    /// The distance of the origin inside.
    package let offset: Double

    /// - Parameters:
    ///   - normal: Of length 1, into the half plane.
    ///   - point: On its border.
    init(normal: Vector, through point: Point) {
        self.normal = normal
        offset = -(normal.dx * point.x + normal.dy * point.y)
    }

    /// The distance of a point inside the half plane; negative outside.
    package func depth(of point: Point) -> Double { normal.dx * point.x + normal.dy * point.y + offset }

    private init(normal: Vector, offset: Double) { (self.normal, self.offset) = (normal, offset) }

    /// The half plane whose border lies farther out.
    func grown(by distance: Double) -> HalfPlane { HalfPlane(normal: normal, offset: offset + distance) }
}

/// The intersection of a few half planes, in output pixels.
///
/// Its coverage is clamp(d + ½, 0, 1), d being the smallest of the distances inside them.
package struct ConvexPolygon: Hashable, Sendable {
    /// The half planes whose intersection it is.
    package let sides: [HalfPlane]

    /// The polygon whose sides lie farther out.
    func grown(by distance: Double) -> ConvexPolygon {
        distance == 0 ? self : ConvexPolygon(sides: sides.map { $0.grown(by: distance) })
    }

    /// The corners of the part of a block of pixels that the polygon reaches, in order; fewer than three where it reaches none.
    ///
    /// Every pixel with any coverage lies in that part.
    package func corners(in block: PixelRect) -> [Point] {
        let (left, right) = (Double(block.minX), Double(block.maxX))
        let (top, bottom) = (Double(block.minY), Double(block.maxY))
        let whole = [
            Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom), Point(x: left, y: bottom),
        ]
        return corners(within: whole, grownBy: Self.margin)
    }

    /// The corners of the part of another convex polygon that this one reaches, in the order of that one's; fewer than three
    /// where it reaches none.
    /// - Parameters:
    ///   - whole: The corners of the other polygon, in order.
    ///   - growth: How much farther out this one's sides lie, in output pixels.
    package func corners(within whole: [Point], grownBy growth: Double) -> [Point] {
        sides.reduce(whole) { Self.cut($0, by: $1, grownBy: growth) }
    }

    /// The feather reaches half a pixel beyond a side; rounding on the device moves a corner by less than another half.
    private static let margin = 1.0

    private static func cut(_ corners: [Point], by side: HalfPlane, grownBy growth: Double) -> [Point] {
        let depths = corners.map { side.depth(of: $0) + growth }
        return corners.indices.flatMap { index -> [Point] in
            let next = (index + 1) % corners.count
            let (start, end) = (depths[index], depths[next])
            let kept = start >= 0 ? [corners[index]] : []
            guard (start >= 0) != (end >= 0) else { return kept }
            return kept + [corners[index] + (start / (start - end)) * (corners[next] - corners[index])]
        }
    }
}
