import LoupeGeometry

/// A convex polygon by its corners, in either direction of turning.
struct Polygon {
    private let corners: [Point]
    /// 1 or −1: the sign of the corners' turning.
    private let turning: Double

    init(_ corners: [Point]) {
        self.corners = corners
        let ends = corners.dropFirst() + corners.prefix(1)
        let area = zip(corners, ends).reduce(0.0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) }
        turning = area < 0 ? -1 : 1
    }

    /// clamp(d + ½, 0, 1), d being the least distance of a point inside the lines through the sides.
    func coverage(at point: Point) -> Double {
        var least = Double.infinity
        for index in corners.indices {
            let start = corners[index]
            let side = corners[(index + 1) % corners.count] - start
            let offset = point - start
            least = min(least, turning * (side.dx * offset.dy - side.dy * offset.dx) / side.length)
        }
        return LoupeOracle.coverage(ofDistance: least)
    }
}
