/// A rect with each corner replaced by a superellipse (specification, section 3): the border of a layer or a loupe.
public struct Outline: Hashable, Sendable {
    /// In any space; lengths and distances are in its unit.
    public let rect: Rect
    /// No two along an edge of `rect` are together longer than that edge.
    public let radii: CornerRadii
    /// n of the superellipse, 1 … 32.
    public let exponent: Double

    /// A rect with four equal circular corners.
    /// - Parameter radius: 0 … half the shorter side of `rect`.
    public init(rect: Rect, radius: Double, exponent: Double) {
        self.init(rect: rect, radii: CornerRadii(radius), exponent: exponent)
    }

    /// A rect with any corners that fit it.
    public init(rect: Rect, radii: CornerRadii, exponent: Double) {
        self.rect = rect
        self.radii = radii
        self.exponent = exponent
    }

    /// The Euclidean distance from a point to the outline, positive inside, exact to rounding.
    ///
    /// - Parameter limit: The distance up to which the result is exact. Beyond it the result has the right sign and
    ///   at least that absolute value, and takes less time.
    public func signedDistance(to point: Point, within limit: Double = .infinity) -> Double {
        guard let radius = radii.uniform else { return mixedCornerDistance(to: point, within: limit) }
        return Superellipse(radius: radius, exponent: exponent)
            .signedDistance(to: offset(of: point, radius: radius), within: limit)
    }

    /// How much of a pixel the outline covers: clamp(z·d + ½, 0, 1), d being the signed distance of its centre.
    ///
    /// - Parameters:
    ///   - point: The pixel's centre, in the space of the rect.
    ///   - magnification: z, output pixels for each unit of that space.
    public func coverage(at point: Point, magnification: Double) -> Double {
        let distance = signedDistance(to: point, within: 0.5 / magnification)
        return min(max(magnification * distance + 0.5, 0), 1)
    }

    /// The point mirrored into one quarter of the rect, outward from the centre of that quarter's corner.
    ///
    /// The outline is convex and symmetric, so its nearest point lies in the same quarter.
    private func offset(of point: Point, radius: Double) -> Vector {
        let center = rect.center
        return Vector(
            dx: abs(point.x - center.x) - (rect.width / 2 - radius),
            dy: abs(point.y - center.y) - (rect.height / 2 - radius))
    }

    /// The distance to an outline whose corners differ.
    ///
    /// The outline is the intersection of its four corners, each extended by its edges without end. Each corner has the
    /// normals of a quarter turn, and the distance to a convex shape is the minimum over its normals.
    private func mixedCornerDistance(to point: Point, within limit: Double) -> Double {
        CornerPosition.allCases.reduce(.infinity) { least, position in
            let corner = EllipticCorner(radius: radii[position], exponent: exponent)
            return min(least, corner.signedDistance(to: offset(of: point, from: position), within: limit))
        }
    }

    /// The outline moved by a displacement.
    public func offset(by offset: Vector) -> Outline {
        Outline(rect: rect.offset(by: offset), radii: radii, exponent: exponent)
    }

    /// A point as (u, v), outward from the centre of a corner's superellipse.
    public func offset(of point: Point, from position: CornerPosition) -> Vector {
        let radius = radii[position]
        return Vector(
            dx: (position.isLeft ? rect.minX - point.x : point.x - rect.maxX) + radius.x,
            dy: (position.isTop ? rect.minY - point.y : point.y - rect.maxY) + radius.y)
    }
}
