// What two jittering touches do: fits through all samples, with their uncertainty.

import CMath
import LoupeGeometry

/// The samples of two touches since both are down, with fits that average their jitter out: noise, curvature and
/// change of span.
struct JitteryPath: Hashable, Sendable {
    private struct Sample: Hashable {
        let time: Double
        let centroid: Point
        let span: Double
    }

    private var samples: [Sample] = []
    /// Half of the sum of the squared third differences, for the noise.
    private var roughness = 0.0

    /// How the path bends.
    enum Bend: Hashable, Sendable {
        case straight
        case curved
        /// The jitter still hides it.
        case hidden
    }

    mutating func add(_ centroid: Point, span: Double, at time: Double) {
        // The decision is long made; the samples before it say enough.
        guard samples.count < Self.greatestCount else { return }
        samples.append(Sample(time: time, centroid: centroid, span: span))
        guard samples.count >= 4 else { return }
        let last = samples.suffix(4).map { $0.centroid }
        let change = (last[3] - last[0]) - 3 * (last[2] - last[1])
        roughness += change.dot(change) / 2
    }

    private static let greatestCount = 200

    /// The standard deviation of each coordinate of the centroid, in points: from third differences, which a smooth
    /// movement hardly has and whose variance is twenty times that of independent noise.
    var noise: Double {
        samples.count < 4 ? 0 : (roughness / Double(samples.count - 3) / 20).squareRoot()
    }

    /// The number of samples.
    var count: Int { samples.count }

    /// The time since the first sample, in seconds.
    var age: Double { (samples.last?.time ?? 0) - (samples.first?.time ?? 0) }

    /// The length of the chord of the path, in points.
    var chord: Double {
        guard let first = samples.first, let last = samples.last else { return 0 }
        return first.centroid.distance(to: last.centroid)
    }

    /// The change of span along a least-squares line from the first sample's time to the last one's, in points, less
    /// what the jitter may pretend.
    var spanChange: Double {
        let count = Double(samples.count)
        guard count >= 3 else { return 0 }
        let meanTime = samples.reduce(0) { $0 + $1.time } / count
        let meanSpan = samples.reduce(0) { $0 + $1.span } / count
        let tt = samples.reduce(0) { $0 + ($1.time - meanTime) * ($1.time - meanTime) }
        let ts = samples.reduce(0) { $0 + ($1.time - meanTime) * ($1.span - meanSpan) }
        guard tt > 1e-12 else { return 0 }
        // Two standard errors; the span has twice the noise of the centroid.
        let (change, error) = (ts / tt * age, 4 * noise * age / tt.squareRoot())
        return Double(signOf: change, magnitudeOf: max(0, abs(change) - error))
    }

    /// The curvature of the least-squares parabola over the chord, in 1/points, and its standard error.
    var curvature: (value: Double, error: Double) {
        let count = Double(samples.count)
        guard count >= 4, chord > 1, let first = samples.first, let last = samples.last else { return (0, .infinity) }
        let along = 1 / chord * (last.centroid - first.centroid)
        var (mx, my, mq) = (0.0, 0.0, 0.0)
        let places = samples.map { sample in
            let d = sample.centroid - first.centroid
            let x = d.dot(along)
            let y = along.dx * d.dy - along.dy * d.dx
            mx += x / count
            my += y / count
            mq += x * x / count
            return (x: x, y: y)
        }
        var (xx, xq, qq, xy, qy) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (x, y) in places {
            let (dx, dq, dy) = (x - mx, x * x - mq, y - my)
            xx += dx * dx
            xq += dx * dq
            qq += dq * dq
            xy += dx * dy
            qy += dq * dy
        }
        let rest = qq - xq * xq / xx
        guard xx > 0, rest > 0 else { return (0, .infinity) }
        return (2 * (qy - xy * xq / xx) / rest, 2 * noise / rest.squareRoot())
    }

    /// Whether the path is part of a circle smaller than a radius.
    /// - Parameter limit: The age from which the likelier answer is given, in seconds.
    func bend(radius: Double, limit: Double) -> Bend {
        let (value, error) = curvature
        let distance = abs(value) - max(1 / radius, Self.leastTurning / chord)
        // The noise of a few samples is hardly known.
        let certainty = Self.certainty * (1 + 6 / Double(max(samples.count, 1)))
        guard abs(distance) > certainty * error || (age >= limit && error.isFinite) else { return .hidden }
        return distance > 0 ? .curved : .straight
    }

    /// The turning below which a path is not yet a circle, in radians: 28°. Empirical, from simulated hands.
    private static let leastTurning = 0.49
    /// How many standard errors an answer must be away from its opposite.
    private static let certainty = 3.0
}
