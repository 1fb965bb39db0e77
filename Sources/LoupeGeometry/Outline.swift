/// A layer's outline: its rect with each corner replaced by a superellipse (SPEC 3).
public struct Outline: Hashable, Sendable {
    public let rect: Rect
    public let radii: CornerRadii
    public let exponent: Double

    /// - Parameters:
    ///   - rect: In any space; the distances are in its unit.
    ///   - radius: 0 … half the shorter side of `rect`.
    ///   - exponent: 1 … 32.
    public init(rect: Rect, radius: Double, exponent: Double) {
        self.init(rect: rect, radii: CornerRadii(radius), exponent: exponent)
    }

    /// - Parameter radii: No two along an edge of `rect` may together be longer than that edge.
    public init(rect: Rect, radii: CornerRadii, exponent: Double) {
        self.rect = rect
        self.radii = radii
        self.exponent = exponent
    }

    /// The Euclidean distance from a point to the outline, positive inside, exact to rounding.
    ///
    /// - Parameter limit: The distance beyond which any bound will do: the result is exact when it is
    ///   smaller in size than `limit`, otherwise it has the right sign and at least that size.
    public func signedDistance(to point: Point, within limit: Double = .infinity) -> Double {
        guard let radius = radii.uniform else { return mixedCornerDistance(to: point, within: limit) }
        return Superellipse(radius: radius, exponent: exponent)
            .signedDistance(to: offset(of: point, radius: radius), within: limit)
    }

    /// The part of a pixel that the outline covers: clamp(z·d + ½, 0, 1).
    ///
    /// - Parameters:
    ///   - point: The pixel's centre, in the space of the rect.
    ///   - magnification: z, output pixels for each unit of that space.
    public func coverage(at point: Point, magnification: Double) -> Double {
        let distance = signedDistance(to: point, within: 0.5 / magnification)
        return min(max(magnification * distance + 0.5, 0), 1)
    }

    /// The point, folded into one quarter of the rect, outward from the centre of that quarter's
    /// corner. The outline is convex and symmetric, so its nearest point lies in the same quarter.
    private func offset(of point: Point, radius: Double) -> Vector {
        let center = rect.center
        return Vector(
            dx: abs(point.x - center.x) - (rect.width / 2 - radius),
            dy: abs(point.y - center.y) - (rect.height / 2 - radius))
    }

    /// The outline is where its four corners, each continued by its edges without end, overlap. Each has the normals of
    /// one quarter turn, and the distance to a convex shape is the least over all its normals.
    private func mixedCornerDistance(to point: Point, within limit: Double) -> Double {
        CornerPosition.allCases.reduce(.infinity) { least, place in
            let corner = EllipticCorner(radius: radii[place], exponent: exponent)
            return min(least, corner.signedDistance(to: offset(of: point, from: place), within: limit))
        }
    }

    /// The point as (u, v), outward from the centre of a corner's superellipse.
    public func offset(of point: Point, from place: CornerPosition) -> Vector {
        let radius = radii[place]
        return Vector(
            dx: (place.isLeft ? rect.minX - point.x : point.x - rect.maxX) + radius.x,
            dy: (place.isTop ? rect.minY - point.y : point.y - rect.maxY) + radius.y)
    }
}
