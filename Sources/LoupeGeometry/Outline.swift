/// A layer's outline: its rect with each corner replaced by a superellipse (SPEC 3).
public struct Outline: Hashable, Sendable {
    public let rect: Rect
    /// The curve of each corner.
    public let corner: Superellipse

    /// - Parameters:
    ///   - rect: In any space; the distances are in its unit.
    ///   - radius: 0 … half the shorter side of `rect`.
    ///   - exponent: 1 … 32.
    public init(rect: Rect, radius: Double, exponent: Double) {
        self.rect = rect
        corner = Superellipse(radius: radius, exponent: exponent)
    }

    /// The Euclidean distance from a point to the outline, positive inside, exact to rounding.
    public func signedDistance(to point: Point) -> Double {
        corner.signedDistance(to: offset(of: point))
    }

    /// The part of a pixel that the outline covers: clamp(z·d + ½, 0, 1).
    ///
    /// - Parameters:
    ///   - point: The pixel's centre, in the space of the rect.
    ///   - magnification: z, output pixels for each unit of that space.
    public func coverage(at point: Point, magnification: Double) -> Double {
        let distance = corner.signedDistance(to: offset(of: point), within: 0.5 / magnification)
        return min(max(magnification * distance + 0.5, 0), 1)
    }

    /// The point, folded into one quarter of the rect, outward from the centre of that quarter's
    /// corner. The outline is convex and symmetric, so its nearest point lies in the same quarter.
    private func offset(of point: Point) -> Vector {
        let center = rect.center
        return Vector(
            dx: abs(point.x - center.x) - (rect.width / 2 - corner.radius),
            dy: abs(point.y - center.y) - (rect.height / 2 - corner.radius))
    }
}
