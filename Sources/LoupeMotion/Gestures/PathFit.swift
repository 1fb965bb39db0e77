// What two touches do: fits through all samples, with their uncertainty.

import LoupeBase

/// The samples of two touches since both are down, with fits that average their jitter out: noise, curvature and
/// change of span.
struct PathFit: Hashable, Sendable {
    private struct Sample: Hashable {
        let time: Double
        let centroid: Point
        let span: Double
    }

    private var samples: [Sample] = []
    /// The samples from the last one on at which the touches had not yet moved: hands land, rest and accelerate.
    private var moving: ArraySlice<Sample> {
        guard let first = samples.first else { return [] }
        let reach = max(Self.tremor, 3 * noise)
        let rest = samples.lastIndex {
            first.centroid.distance(to: $0.centroid) <= reach && abs($0.span - first.span) <= reach
        }
        return samples[(rest ?? 0)...]
    }

    /// The change of span that jitter may pretend before there are samples that tell, in points. Empirical.
    private static let unknownJitter = 12.0
    /// How far touches move without a purpose, in points.
    private static let tremor = 2.0

    /// The bend of the path.
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
    }

    private static let greatestCount = 200

    /// The standard deviation of the centroid across the path, in points: from third differences, which a smooth
    /// movement hardly has and whose variance is twenty times that of independent noise. Along the path, uneven times
    /// of the samples look like noise.
    var noise: Double {
        guard samples.count >= 4, chord > 0 else { return 0 }
        let along = 1 / chord * (samples[samples.count - 1].centroid - samples[0].centroid)
        var sum = 0.0
        for index in 3..<samples.count {
            let outer = samples[index].centroid - samples[index - 3].centroid
            let change = outer - 3 * (samples[index - 1].centroid - samples[index - 2].centroid)
            let across = along.dx * change.dy - along.dy * change.dx
            sum += across * across
        }
        return (sum / Double(samples.count - 3) / 20).squareRoot()
    }

    /// The time since the touches have begun to move, in seconds.
    var age: Double { (samples.last?.time ?? 0) - (moving.first?.time ?? 0) }

    /// The length of the chord of the path, in points.
    var chord: Double {
        guard let first = samples.first, let last = samples.last else { return 0 }
        return first.centroid.distance(to: last.centroid)
    }

    /// The change of span along a least-squares line from the first sample's time to the last one's, in points, less
    /// what the jitter may pretend.
    var spanChange: Double {
        let samples = moving
        let count = Double(samples.count)
        guard count >= 4 else {
            let change = (samples.last?.span ?? 0) - (samples.first?.span ?? 0)
            return Double(signOf: change, magnitudeOf: max(0, abs(change) - Self.unknownJitter))
        }
        let meanTime = samples.reduce(0) { $0 + $1.time } / count
        let meanSpan = samples.reduce(0) { $0 + $1.span } / count
        let tt = samples.reduce(0) { $0 + ($1.time - meanTime) * ($1.time - meanTime) }
        let ts = samples.reduce(0) { $0 + ($1.time - meanTime) * ($1.span - meanSpan) }
        guard tt > 1e-12 else { return 0 }
        // Two standard errors; the span has twice the noise of the centroid, and that of a few samples is hardly known.
        let (change, error) = (ts / tt * age, 4 * noise * (1 + 6 / count) * age / tt.squareRoot())
        return Double(signOf: change, magnitudeOf: max(0, abs(change) - error))
    }

    /// The curvature of the least-squares parabola over the chord, in 1/points, and its standard error.
    var curvature: (value: Double, error: Double) {
        let (samples, noise) = (moving, noise)
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

    /// Whether the path is part of a circle, not too large for a Rewind.
    /// - Parameters:
    ///   - isStrict: Whether only certain answers are given, and a circle has to turn further.
    ///   - decisionTime: The age from which the likelier answer is given, in seconds.
    func bend(isStrict: Bool, decisionTime: Double) -> Bend {
        guard samples.count >= GestureThresholds.leastSamples else { return .hidden }
        let (value, error) = curvature
        let least = 1 / GestureThresholds.greatestRewindRadius
        // The noise of a few samples is hardly known.
        let doubt = Self.certainty * (1 + 6 / Double(max(samples.count, 1))) * error
        let curved = max(least, (isStrict ? Self.strictTurning : Self.leastTurning) / chord)
        if abs(value) - doubt > curved, chord >= Self.shortestArc { return .curved }
        if abs(value) + doubt < least { return .straight }
        guard !isStrict, age > decisionTime, chord >= Self.leastChord, error.isFinite else { return .hidden }
        return abs(value) > curved ? .curved : .straight
    }

    /// The chord from which an arc is more than a tremor, in points.
    private static let shortestArc = 20.0
    /// The chord from which the likelier answer is given, in points. Empirical, from simulated hands.
    private static let leastChord = 40.0
    /// The turning below which a path is not yet a circle, in radians: 23°. Empirical, from simulated hands.
    private static let leastTurning = 0.4
    /// The same for a circle that takes touches from their work: 34°.
    private static let strictTurning = 0.6
    /// How many standard errors an answer must be away from its opposite.
    private static let certainty = 3.0
}
