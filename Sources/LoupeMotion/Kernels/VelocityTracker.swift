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
    private struct Sample: Hashable {
        let time: Double
        let position: Point
    }

    /// The time span of the samples that are fitted, in seconds.
    public static let horizon = 0.1
    /// The time without samples after which a touch is at rest, in seconds.
    public static let rest = 0.04

    private var samples: [Sample] = []
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
            if time - last.time > rest { samples.removeAll() }
            if time > last.time { interval = min(interval, time - last.time) }
        }
        samples.append(Sample(time: time, position: position))
        // Removed in bulk, so that adding stays cheap; the fit skips samples that are too old.
        if samples.count > 256 { samples.removeAll { time - $0.time > Self.horizon + Self.slack } }
    }

    /// The velocity in points per second; zero with fewer than two samples, or at rest.
    /// - Parameter time: The time for which the velocity is asked, in seconds: the moment of the release.
    public func velocity(at time: Double) -> Vector {
        guard let newest = samples.last, time - newest.time <= rest else { return .zero }
        let recent = samples.filter { newest.time - $0.time <= Self.horizon + Self.slack }
        let times = recent.map { $0.time - newest.time }
        let earlier = recent.last { newest.time - $0.time >= Self.rest - Self.slack } ?? recent[0]
        func component(_ coordinate: (Point) -> Double) -> Double {
            let slope = Self.slope(times, recent.map { coordinate($0.position) - coordinate(newest.position) })
            return slope * (coordinate(newest.position) - coordinate(earlier.position)) > 0 ? slope : 0
        }
        return Vector(dx: component { $0.x }, dy: component { $0.y })
    }

    /// The times of a trace are decimal fractions: rounding must not make a gap of exactly 40 ms longer.
    private static let slack = 1e-9

    /// The slope at time 0 of the least-squares parabola, or of the least-squares line if the samples have only two
    /// different times.
    private static func slope(_ times: [Double], _ values: [Double]) -> Double {
        // In multiples of the horizon, so that the sums have similar magnitudes.
        let times = times.map { $0 / horizon }
        let count = Double(times.count)
        let meanTime = times.reduce(0, +) / count
        let meanValue = values.reduce(0, +) / count
        let meanSquare = times.reduce(0) { $0 + $1 * $1 } / count
        // Normal equations of v = a + b·t + c·t², with the means subtracted.
        var tt = 0.0
        var tq = 0.0
        var qq = 0.0
        var tv = 0.0
        var qv = 0.0
        for (time, value) in zip(times, values) {
            let t = time - meanTime
            let q = time * time - meanSquare
            let v = value - meanValue
            tt += t * t
            tq += t * q
            qq += q * q
            tv += t * v
            qv += q * v
        }
        guard tt > 1e-12 else { return 0 }
        let determinant = tt * qq - tq * tq
        let isParabola = determinant > 1e-10 * tt * qq
        return (isParabola ? (tv * qq - qv * tq) / determinant : tv / tt) / horizon
    }
}
