import Glibc
import LoupeBase

import func Glibc.cos
import func Glibc.hypot
import func Glibc.pow
import func Glibc.sin

/// The curve of a corner followed by its polar angle, another way than `Superellipse` follows it.
struct SampledCorner {
    let radius: Double
    let exponent: Double
    private let count = 1500

    /// The point of the quarter arc at a polar angle, 0 … π/2.
    func point(at angle: Double) -> Vector {
        let (u, v) = (max(cos(angle), 0), max(sin(angle), 0))
        let norm = pow(pow(u, exponent) + pow(v, exponent), 1 / exponent)
        return Vector(dx: radius * u / norm, dy: radius * v / norm)
    }

    func isInside(_ p: Vector) -> Bool {
        let (u, v) = (max(p.dx, 0) / radius, max(p.dy, 0) / radius)
        return u <= 1 && v <= 1 && pow(u, exponent) + pow(v, exponent) <= 1
    }

    /// The signed distances of points to the arc and the edges that continue it: samples first, then a
    /// golden-section search around each sample that is nearer than its neighbours.
    func signedDistances(of points: [Vector]) -> [Double] {
        let angles = (0...count).map { Double($0) / Double(count) * .pi / 2 }
        let samples = angles.map(point)
        return points.map { p in
            let distances = samples.map { hypot($0.dx - p.dx, $0.dy - p.dy) }
            var nearest = min(Self.distance(p, below: radius), Self.distance(Vector(dx: p.dy, dy: p.dx), below: radius))
            for index in samples.indices {
                let (before, after) = (max(index - 1, 0), min(index + 1, count))
                guard distances[index] <= distances[before], distances[index] <= distances[after] else { continue }
                nearest = min(nearest, refined(p, from: angles[before], to: angles[after]))
            }
            return isInside(p) ? nearest : -nearest
        }
    }

    /// The distance to the half line u = r, v ≤ 0.
    private static func distance(_ p: Vector, below radius: Double) -> Double {
        hypot(p.dx - radius, max(p.dy, 0))
    }

    private func refined(_ p: Vector, from start: Double, to end: Double) -> Double {
        func distance(_ angle: Double) -> Double { (point(at: angle) + -p).length }
        let ratio = (5.0.squareRoot() - 1) / 2
        var (low, high) = (start, end)
        for _ in 0..<45 {
            let (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
            if distance(a) < distance(b) { high = b } else { low = a }
        }
        return min(distance(low), distance((low + high) / 2), distance(high), distance(start), distance(end))
    }
}

/// The distance from a point to a segment.
func distance(_ p: Point, _ a: Point, _ b: Point) -> Double {
    let (side, reach) = (b - a, p - a)
    let lengthSquared = side.dx * side.dx + side.dy * side.dy
    guard lengthSquared > 0 else { return reach.length }
    let share = (side.dx * reach.dx + side.dy * reach.dy) / lengthSquared
    return (reach + -(min(max(share, 0), 1) * side)).length
}

/// The signed distance to a closed convex polygon, positive inside.
func signedDistance(_ p: Point, toConvex corners: [Point]) -> Double {
    let sides = zip(corners, corners.dropFirst() + [corners[0]])
    let nearest = sides.map { distance(p, $0, $1) }.min() ?? .nan
    let turns = sides.map { a, b in (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) }
    return turns.allSatisfy { $0 >= 0 } || turns.allSatisfy { $0 <= 0 } ? nearest : -nearest
}
