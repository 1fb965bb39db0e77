/// How far content follows a finger that drags it past its end, as in UIScrollView: c·d·D/(c·|d| + D).
public struct RubberBand: Hashable, Sendable {
    /// c: the part of the finger's way that the content follows at first.
    public var stiffness: Double
    /// D, the viewport's length in points: the content never comes this far.
    public var length: Double

    public static let scrollViewStiffness = 0.55

    /// - Precondition: both are over 0.
    public init(length: Double, stiffness: Double = RubberBand.scrollViewStiffness) {
        precondition(length > 0 && stiffness > 0, "a rubber band's length and stiffness must be over 0")
        self.stiffness = stiffness
        self.length = length
    }

    /// How far the content moves when the finger has gone past the end by `distance`, in points, of either sign.
    public func stretch(_ distance: Double) -> Double {
        stiffness * distance * length / (stiffness * abs(distance) + length)
    }

    /// How far the finger must go for the content to move by `stretch`; the inverse of `stretch(_:)`.
    /// - Parameter stretch: Under `length` in magnitude; what is over counts as all but `length`.
    public func distance(forStretch stretch: Double) -> Double {
        let limit = length * (1 - 1e-9)
        let stretch = min(max(stretch, -limit), limit)
        return stretch * length / (stiffness * (length - abs(stretch)))
    }

    /// Where content shows whose offset would be `offset`: rubber-like outside of the range.
    public func offset(_ offset: Double, in range: ClosedRange<Double>) -> Double {
        let end = min(max(offset, range.lowerBound), range.upperBound)
        return end + stretch(offset - end)
    }

    /// The offset that shows as `shown`; the inverse of `offset(_:in:)`.
    public func offset(shownAs shown: Double, in range: ClosedRange<Double>) -> Double {
        let end = min(max(shown, range.lowerBound), range.upperBound)
        return end + distance(forStretch: shown - end)
    }
}

/// A motion that is held within bounds: it stops dead at an end.
public struct BoundedMotion<Free: Motion>: Motion {
    public let free: Free
    public let bounds: ClosedRange<Double>
    /// Settled is also what has come this near to an end.
    public let tolerance: SettlingTolerance

    public init(_ free: Free, in bounds: ClosedRange<Double>, tolerance: SettlingTolerance = .fine) {
        self.free = free
        self.bounds = bounds
        self.tolerance = tolerance
    }

    public func value(at time: Double) -> Double {
        min(max(free.value(at: time), bounds.lowerBound), bounds.upperBound)
    }

    /// 0 beyond an end.
    public func velocity(at time: Double) -> Double {
        bounds.contains(free.value(at: time)) ? free.velocity(at: time) : 0
    }

    /// Settled at an end only while moving into it or standing there: a motion may well start at one.
    public func isSettled(at time: Double) -> Bool {
        let velocity = free.velocity(at: time)
        let isAtLower = value(at: time) - bounds.lowerBound < tolerance.distance && velocity <= 0
        let isAtUpper = bounds.upperBound - value(at: time) < tolerance.distance && velocity >= 0
        return free.isSettled(at: time) || isAtLower || isAtUpper
    }
}

extension BoundedMotion: Equatable where Free: Equatable {}
extension BoundedMotion: Hashable where Free: Hashable {}

/// A coasting motion that runs past an end and is brought back by a spring, which takes over with the velocity of
/// that moment. A motion that starts outside the bounds springs back at once.
public struct BouncingMotion<Coasting: CoastingMotion>: Motion {
    public let coasting: Coasting
    public let bounds: ClosedRange<Double>
    /// When the spring takes over, in seconds; nil where the motion comes to rest inside.
    public let springTime: Double?
    private let springMotion: SpringMotion?

    /// - Parameters:
    ///   - fastestTransfer: The velocity that the spring takes over at most, either way.
    public init(
        _ coasting: Coasting, in bounds: ClosedRange<Double>, spring: Spring = .popBounce,
        fastestTransfer: Double = .infinity, tolerance: SettlingTolerance = .fine
    ) {
        self.coasting = coasting
        self.bounds = bounds
        let start = coasting.value(at: 0)
        let isOutside = !bounds.contains(start)
        let end = isOutside ? start : coasting.restValue
        let bound = min(max(end, bounds.lowerBound), bounds.upperBound)
        let crossing = isOutside ? 0 : bound == end ? nil : coasting.time(reaching: bound)
        springTime = crossing
        springMotion = crossing.map { time in
            let velocity = min(max(coasting.velocity(at: time), -fastestTransfer), fastestTransfer)
            return SpringMotion(
                spring, from: isOutside ? start : bound, to: bound, velocity: velocity, tolerance: tolerance)
        }
    }

    public func value(at time: Double) -> Double {
        guard let (motion, own) = spring(at: time) else { return coasting.value(at: time) }
        return motion.isSettled(at: own) ? motion.to : motion.value(at: own)
    }

    public func velocity(at time: Double) -> Double {
        guard let (motion, own) = spring(at: time) else { return coasting.velocity(at: time) }
        return motion.isSettled(at: own) ? 0 : motion.velocity(at: own)
    }

    public func isSettled(at time: Double) -> Bool {
        if let (motion, own) = spring(at: time) { return motion.isSettled(at: own) }
        return springTime == nil && coasting.isSettled(at: time)
    }

    /// The spring, once it has taken over, and the time on its own clock.
    private func spring(at time: Double) -> (SpringMotion, Double)? {
        guard let springTime, let springMotion, time >= springTime else { return nil }
        return (springMotion, time - springTime)
    }
}

extension BouncingMotion: Equatable where Coasting: Equatable {}
extension BouncingMotion: Hashable where Coasting: Hashable {}
