/// The superellipse |u/r|ⁿ + |v/r|ⁿ = 1 that rounds a corner, and the exact distance to it (specification,
/// section 3).
///
/// (u, v) runs outward from the corner's centre. A corner is the quarter arc u, v ≥ 0, extended
/// by the straight edges u = r below it and v = r beside it.
///
/// The nearest point is found on the half arc between the u axis and the diagonal, whose points are
/// r·(a, b) with a = (1 + tⁿ)^(−1/n), b = t·a for t in 0 … 1. The normal there is (1, x) with
/// x = tⁿ⁻¹, and `tangency` is zero where the normal meets the point. The curvature is monotone
/// along the half arc, which makes `tangency` convex in x for n ≥ 2 and concave for n ≤ 2. For
/// u ≥ v ≥ 0 it is not negative at t = 0 and not positive at t = 1, so it changes sign once, at
/// the nearest point. For v < 0 it is negative at both ends: a convex one stays so, and a concave
/// one has at most one interval above zero, before the only minimum of the distance.
public struct Superellipse: Hashable, Sendable {
    /// r, 0 or more, in the unit of the points.
    public var radius: Double
    /// n, 1 … 32: 1 is a bevel, 2 a circle, 4 the CSS squircle.
    public var exponent: Double

    /// A corner by its radius r and exponent n.
    public init(radius: Double, exponent: Double) {
        self.radius = radius
        self.exponent = exponent
    }

    /// The Euclidean distance from (u, v) to the corner, positive inside.
    ///
    /// - Parameters:
    ///   - offset: (u, v), outward from the corner's centre. Both may be negative.
    ///   - limit: The distance up to which the result is exact. Beyond it the result has the right sign and at least
    ///     that absolute value, and takes less time.
    public func signedDistance(to offset: Vector, within limit: Double = .infinity) -> Double {
        let u = max(offset.dx, offset.dy)
        let v = min(offset.dx, offset.dy)
        let edge = radius - u
        // An arc of a circle.
        if exponent == 2 { return v > 0 ? radius - hypot(u, v) : edge }
        let depth = radius - norm(max(u, 0), max(v, 0))
        // The support function of the unit superellipse is at least √½ in every direction.
        let bound = depth * 0.5.squareRoot()
        if abs(bound) >= limit { return bound }
        guard let nearest = nearestOnHalfArc(u: u, v: v) else { return edge }
        let distance = hypot(u - nearest.dx, v - nearest.dy)
        return depth < 0 ? -distance : min(edge, distance)
    }

    /// The p-norm (uⁿ + vⁿ)^(1/n) of u ≥ v ≥ 0.
    private func norm(_ u: Double, _ v: Double) -> Double {
        guard u > 0 else { return 0 }
        return u * pow(1 + pow(v / u, exponent), 1 / exponent)
    }

    /// The point of the half arc nearest to u ≥ v, or nil where the edge u = r is nearer than any.
    private func nearestOnHalfArc(u: Double, v: Double) -> Vector? {
        var start = 0.0
        if v < 0 {
            // Below the arc, only a curve with n < 2, which bends away at once, can be nearer than the edge.
            guard u < radius, exponent < 2 else { return nil }
            start = Self.lastTrue(from: 0) { slope(at: arc($0), u: u) > 0 }
            guard tangency(at: arc(start), u: u, v: v) > 0 else { return nil }
        }
        let nearest = tangentPoint(from: start, u: u, v: v)
        return Vector(dx: radius * nearest.a, dy: radius * nearest.b)
    }

    /// The point of the half arc where `tangency` changes its sign from positive, found by Newton's method in t. A step that
    /// leaves the bounds, or is more than half of the last one, gives way to a halving of the bounds.
    private func tangentPoint(from start: Double, u: Double, v: Double) -> ArcPoint {
        var (low, high) = (start, 1.0)
        var step = high - low
        var point = arc((low + high) / 2)
        while step > 0x1p-57 {
            let value = tangency(at: point, u: u, v: v)
            if value > 0 { low = point.t } else { high = point.t }
            let newton = point.t - value * point.t / slope(at: point, u: u)
            let isSafe = newton > low && newton < high && abs(newton - point.t) <= step / 2
            let next = isSafe ? newton : (low + high) / 2
            step = abs(next - point.t)
            point = arc(next)
            // Newton's method doubles the right digits.
            if isSafe && step < 1e-9 { break }
        }
        return point
    }

    /// A point of the unit half arc.
    private struct ArcPoint {
        /// The slope b/a of the ray to the point, 0 … 1.
        var t: Double
        /// The slope of the normal.
        var x: Double
        var a: Double
        var b: Double
    }

    private func arc(_ t: Double) -> ArcPoint {
        let x = pow(t, exponent - 1)
        let a = pow(1 + t * x, -1 / exponent)
        return ArcPoint(t: t, x: x, a: a, b: t * a)
    }

    /// How far (u, v) lies up the tangent (−x, 1) from the arc point, times the tangent's length.
    private func tangency(at point: ArcPoint, u: Double, v: Double) -> Double {
        (v - radius * point.b) - point.x * (u - radius * point.a)
    }

    /// The derivative of `tangency` in t, times t.
    private func slope(at point: ArcPoint, u: Double) -> Double {
        let (t, x, a) = (point.t, point.x, point.a)
        return (radius * a - u) * (exponent - 1) * x - radius * (1 + x * x) * a * t / (1 + t * x)
    }

    /// The end of the part of `start` … 1 in which `condition` is true; it is true first and then false. The result is
    /// greater than `start`.
    ///
    /// t is a length along the arc up to a small factor. So 57 halvings find the point to the last bit of its
    /// coordinates for every exponent.
    private static func lastTrue(from start: Double, _ condition: (Double) -> Bool) -> Double {
        var (low, high) = (start, 1.0)
        for _ in 0..<57 {
            let middle = (low + high) / 2
            if condition(middle) { low = middle } else { high = middle }
        }
        return high
    }
}
