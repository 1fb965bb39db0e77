import LoupeBase

/// The velocity of a touch: the slope, at the newest sample, of the least-squares parabola through the last 100 ms.
///
/// This is the least-squares strategy of Android's and Flutter's velocity trackers. A gap of more than 40 ms is a
/// rest: samples before it do not count, and after it the velocity is 0. Samples at less than 38 Hz, down to 10 Hz, have
/// longer gaps: there one and a half of them are a rest.
///
/// The end slope of a parabola changes its sign where a movement slows down to a stop. A velocity against the movement
/// since the newest sample that is at least 40 ms old is therefore 0, in each direction by itself.
public struct VelocityTracker: Hashable, Sendable {
    struct Sample: Hashable, Sendable {
        let time: Double
        let position: Point
    }

    /// The time span of the samples that are fitted, in seconds.
    public static let horizon = 0.1
    /// The time without samples after which a touch is at rest, in seconds.
    public static let rest = 0.04
    /// The number of samples that `heldVelocity(at:)` fits at most: 10,000 a second, more than devices send.
    static let heldCount = 1024

    private(set) var samples: [Sample] = []
    /// The index of the first sample within the horizon before the newest one: the samples before it are not fitted.
    private var first = 0
    /// The shortest time between two samples, in seconds; infinite before there are two.
    private(set) var interval = Double.infinity

    /// The longest interval that counts as one of the device, in seconds.
    private static let longestInterval = 0.1
    private var rest: Double {
        (interval <= Self.longestInterval ? max(Self.rest, 1.5 * interval) : Self.rest) + Self.slack
    }

    /// A tracker without samples.
    public init() {}

    /// Adds a position at a time in seconds, not before the last one's.
    public mutating func add(_ position: Point, at time: Double) {
        if let last = samples.last {
            if time - last.time > rest { (samples, first) = ([], 0) }
            if time > last.time { interval = min(interval, time - last.time) }
        }
        samples.append(Sample(time: time, position: position))
        while time - samples[first].time > Self.horizon + Self.slack { first += 1 }
        // Removed in bulk, so that adding stays cheap.
        guard first > max(256, samples.count / 2) else { return }
        samples.removeFirst(first)
        first = 0
    }

    /// The velocity in points per second; zero with fewer than two samples, or at rest.
    /// - Parameter time: The time for which the velocity is asked, in seconds: the moment of the release.
    public func velocity(at time: Double) -> Vector { velocity(at: time, samples[first...]) }

    /// The velocity at a time at which the touch goes on, in points per second. It is cheap enough to be asked for at every
    /// sample of a long trace: of more than `heldCount` samples it fits an evenly chosen part.
    func heldVelocity(at time: Double) -> Vector { velocity(at: time, heldSamples) }

    /// The samples of the horizon; if they are more than `heldCount`, each second, third or further one, up to the newest.
    var heldSamples: ArraySlice<Sample> {
        let step = (samples.count - first - 1) / Self.heldCount + 1
        guard step > 1 else { return samples[first...] }
        return stride(from: samples.count - 1, through: first, by: -step).map { samples[$0] }.reversed()[...]
    }

    private func velocity(at time: Double, _ samples: ArraySlice<Sample>) -> Vector {
        guard let newest = samples.last, time - newest.time <= rest else { return .zero }
        let earlier = samples.last { newest.time - $0.time >= Self.rest - Self.slack } ?? samples[samples.startIndex]
        let slope = Self.slope(of: samples, at: newest)
        let way = newest.position - earlier.position
        return Vector(dx: slope.dx * way.dx > 0 ? slope.dx : 0, dy: slope.dy * way.dy > 0 ? slope.dy : 0)
    }

    /// The times of a trace are decimal fractions: rounding must not make a gap of exactly 40 ms longer.
    private static let slack = 1e-9

    /// The slopes at a sample of the least-squares parabolas through samples, in points per second; those of the
    /// least-squares lines if the samples have only two different times.
    private static func slope(of samples: ArraySlice<Sample>, at newest: Sample) -> Vector {
        // In multiples of the horizon, so that the sums have similar magnitudes.
        func time(of sample: Sample) -> Double { (sample.time - newest.time) / horizon }
        let count = Double(samples.count)
        var (times, squares, values) = (0.0, 0.0, Vector.zero)
        for sample in samples {
            let time = time(of: sample)
            times += time
            squares += time * time
            values = values + (sample.position - newest.position)
        }
        let (meanTime, meanSquare) = (times / count, squares / count)
        let meanValue = Vector(dx: values.dx / count, dy: values.dy / count)
        // Normal equations of v = a + b·t + c·t², with the means subtracted.
        var (tt, tq, qq) = (0.0, 0.0, 0.0)
        var (tv, qv) = (Vector.zero, Vector.zero)
        for sample in samples {
            let time = time(of: sample)
            let t = time - meanTime
            let q = time * time - meanSquare
            let v = sample.position - newest.position - meanValue
            tt += t * t
            tq += t * q
            qq += q * q
            tv = tv + t * v
            qv = qv + q * v
        }
        guard tt > 1e-12 else { return .zero }
        let determinant = tt * qq - tq * tq
        let isParabola = determinant > 1e-10 * tt * qq
        func slope(_ tv: Double, _ qv: Double) -> Double {
            (isParabola ? (tv * qq - qv * tq) / determinant : tv / tt) / horizon
        }
        return Vector(dx: slope(tv.dx, qv.dx), dy: slope(tv.dy, qv.dy))
    }
}
