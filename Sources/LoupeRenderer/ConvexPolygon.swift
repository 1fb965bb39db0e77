import LoupeGeometry

/// A convex polygon that can be cut at whole pixels; coordinates are output pixels.
struct ConvexPolygon {
    var vertices: [Point]

    init(_ vertices: [Point]) { self.vertices = vertices }

    init(_ rect: PixelRect) {
        let (left, right) = (Double(rect.minX), Double(rect.maxX))
        let (top, bottom) = (Double(rect.minY), Double(rect.maxY))
        vertices = [
            Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom), Point(x: left, y: bottom),
        ]
    }

    /// The part inside a block (Sutherland and Hodgman); no vertices where there is none.
    func clipped(to rect: PixelRect) -> ConvexPolygon {
        self
            .cut(at: Double(rect.minX), along: \.x, keepsGreater: true)
            .cut(at: Double(rect.maxX), along: \.x, keepsGreater: false)
            .cut(at: Double(rect.minY), along: \.y, keepsGreater: true)
            .cut(at: Double(rect.maxY), along: \.y, keepsGreater: false)
    }

    private func cut(at limit: Double, along axis: KeyPath<Point, Double>, keepsGreater: Bool) -> ConvexPolygon {
        func isKept(_ p: Point) -> Bool { keepsGreater ? p[keyPath: axis] >= limit : p[keyPath: axis] <= limit }
        if vertices.allSatisfy(isKept) { return self }
        var kept: [Point] = []
        for (index, end) in vertices.enumerated() {
            let start = vertices[(index + vertices.count - 1) % vertices.count]
            if isKept(start) != isKept(end) {
                kept.append(Self.crossing(start, end, limit, axis))
            }
            if isKept(end) { kept.append(end) }
        }
        return ConvexPolygon(kept)
    }

    /// Where a side meets a whole-pixel line.
    ///
    /// Neighbouring polygons run along a shared side in opposite directions. Both must find the very
    /// same point, or pixels along the side would be drawn twice or not at all; so the ends are
    /// put in order first.
    private static func crossing(
        _ a: Point, _ b: Point, _ limit: Double, _ axis: KeyPath<Point, Double>
    ) -> Point {
        let isOrdered = (a.x, a.y) < (b.x, b.y)
        let (p, q) = isOrdered ? (a, b) : (b, a)
        let t = (limit - p[keyPath: axis]) / (q[keyPath: axis] - p[keyPath: axis])
        return axis == \.x
            ? Point(x: limit, y: p.y + t * (q.y - p.y))
            : Point(x: p.x + t * (q.x - p.x), y: limit)
    }
}
