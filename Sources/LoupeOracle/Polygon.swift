import LoupeGeometry

/// A convex polygon by its corners, in either direction of turning.
struct Polygon {
    private let corners: [Point]
    /// 1 or −1: the sign of the corners' turning.
    private let turning: Double

    /// - Parameter places: The corners; neighbours in one place, to rounding, are one corner.
    init(_ places: [Point]) {
        corners = places.indices.compactMap { index in
            places[index].distance(to: places[(index + 1) % places.count]) > 1e-6 ? places[index] : nil
        }
        let ends = corners.dropFirst() + corners.prefix(1)
        let area = zip(corners, ends).reduce(0.0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) }
        turning = area < 0 ? -1 : 1
    }

    /// clamp(d + ½, 0, 1), d being the least distance of a point inside the lines through the sides; 0 where fewer than three
    /// corners are left.
    func coverage(at point: Point) -> Double {
        guard corners.count > 2 else { return 0 }
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
