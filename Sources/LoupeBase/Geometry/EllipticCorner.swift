/// The superellipse |u/a|ⁿ + |v/b|ⁿ = 1 that rounds a corner differently along its two edges, and the exact distance
/// to it (specification, section 3).
///
/// (u, v) runs outward from the corner's centre. A corner is the quarter arc u, v ≥ 0, extended by the straight edges
/// u = a below it and v = b beside it. It is convex and has the normals from (1, 0) to (0, 1).
///
/// The nearest point of the arc is found by branch and bound. Between two of its points the arc lies in the triangle of
/// their chord and their tangents. The triangle's height is at most half the chord times tan(w/2), w being the angle
/// between the tangents. A part whose triangle is farther away than the best point so far is skipped.
struct EllipticCorner: Hashable, Sendable {
    /// a and b, both 0 or neither.
    let radius: CornerRadius
    /// n, 1 … 32.
    let exponent: Double

    /// The Euclidean distance from (u, v) to the corner, positive inside.
    ///
    /// - Parameters:
    ///   - offset: (u, v), outward from the corner's centre. Both may be negative.
    ///   - limit: The distance up to which the result is exact. Beyond it the result has the right sign and at least
    ///     that absolute value, and takes less time.
    func signedDistance(to offset: Vector, within limit: Double = .infinity) -> Double {
        let (u, v) = (offset.dx, offset.dy)
        let edge = min(radius.x - u, radius.y - v)
        guard radius.x > 0 else { return u > 0 && v > 0 ? -hypot(u, v) : edge }
        let depth = 1 - norm(max(u, 0) / radius.x, max(v, 0) / radius.y)
        // The arc lies beyond its chord from axis to axis, whose distance from the centre this is times `depth`.
        let bound = depth * radius.x * radius.y / hypot(radius.x, radius.y)
        if abs(bound) >= limit { return bound }
        if depth >= 0 { return min(edge, distanceToArc(offset)) }
        return u > 0 && v > 0 ? -distanceToArc(offset) : edge
    }

    /// The p-norm (uⁿ + vⁿ)^(1/n) of u, v ≥ 0.
    private func norm(_ u: Double, _ v: Double) -> Double {
        let (large, small) = (max(u, v), min(u, v))
        guard large > 0 else { return 0 }
        return large * pow(1 + pow(small / large, exponent), 1 / exponent)
    }

    /// A point of the arc.
    private struct ArcPoint {
        /// (u, v).
        let offset: Vector
        /// The angle of the normal, in radians.
        let normal: Double
    }

    /// A part of the arc on one side of its own diagonal: v/b = t·u/a on the side of the u axis, else u/a = t·v/b.
    private struct Part {
        let isNearU: Bool
        let range: (low: Double, high: Double)
        let start: ArcPoint
        let end: ArcPoint

        /// How far the part can lie from its chord.
        var height: Double {
            (end.offset - start.offset).length / 2 * tan(abs(end.normal - start.normal) / 2)
        }
    }

    private func distanceToArc(_ point: Vector) -> Double {
        let tolerance = 1e-10 * max(radius.x, radius.y)
        var parts = [true, false].map {
            Part(isNearU: $0, range: (0, 1), start: arc(0, isNearU: $0), end: arc(1, isNearU: $0))
        }
        var best = Double.infinity
        while let next = parts.popLast() {
            let distance = Self.distance(point, next.start.offset, next.end.offset)
            let height = next.height
            guard distance - height < best else { continue }
            if height <= tolerance {
                best = min(best, distance)
                continue
            }
            let middle = (next.range.low + next.range.high) / 2
            let between = arc(middle, isNearU: next.isNearU)
            best = min(best, (point - between.offset).length)
            let isNearU = next.isNearU
            parts.append(Part(isNearU: isNearU, range: (next.range.low, middle), start: next.start, end: between))
            parts.append(Part(isNearU: isNearU, range: (middle, next.range.high), start: between, end: next.end))
        }
        return best
    }

    private func arc(_ t: Double, isNearU: Bool) -> ArcPoint {
        let slope = pow(t, exponent - 1)
        let far = pow(1 + t * slope, -1 / exponent)
        let near = t * far
        return isNearU
            ? ArcPoint(
                offset: Vector(dx: radius.x * far, dy: radius.y * near), normal: atan2(slope * radius.x, radius.y))
            : ArcPoint(
                offset: Vector(dx: radius.x * near, dy: radius.y * far), normal: atan2(radius.x, slope * radius.y))
    }

    private static func distance(_ point: Vector, _ start: Vector, _ end: Vector) -> Double {
        let way = end - start
        let offset = point - start
        let square = way.dx * way.dx + way.dy * way.dy
        guard square > 0 else { return offset.length }
        let fraction = (offset.dot(way) / square).clamped(to: 0...1)
        return (offset - fraction * way).length
    }
}
