// The ends of scrolled content: rubber band, clamp and bounce.

/// The rubber band of UIScrollView: how far content follows a finger that drags it past its end, c·d·D/(c·|d| + D) for
/// a finger d past the end.
public struct RubberBand: Hashable, Sendable {
    /// The stiffness c: the part of the finger's movement that the content follows at first.
    public var stiffness: Double
    /// The length D of the viewport, in points: the content never moves this far past its end.
    public var length: Double

    /// UIScrollView's stiffness c.
    public static let scrollViewStiffness = 0.55

    /// A rubber band for a viewport's length in points.
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

    /// How far the finger must move for the content to move by `stretch`, in points; the inverse of `stretch(_:)`.
    /// - Parameter stretch: Less than `length` in magnitude; more counts as almost `length`.
    public func distance(forStretch stretch: Double) -> Double {
        let limit = length * (1 - 1e-9)
        let stretch = min(max(stretch, -limit), limit)
        return stretch * length / (stiffness * (length - abs(stretch)))
    }

    /// The offset that is shown for an offset that may lie outside of the range, in points.
    public func offset(_ offset: Double, in range: ClosedRange<Double>) -> Double {
        let end = min(max(offset, range.lowerBound), range.upperBound)
        return end + stretch(offset - end)
    }

    /// The offset that is shown as `shown`, in points; the inverse of `offset(_:in:)`.
    public func offset(shownAs shown: Double, in range: ClosedRange<Double>) -> Double {
        let end = min(max(shown, range.lowerBound), range.upperBound)
        return end + distance(forStretch: shown - end)
    }
}

/// A motion that is clamped to bounds: it stops at an end without a bounce.
public struct BoundedMotion<Free: Motion>: Motion {
    /// The motion without the bounds.
    public let free: Free
    /// The range in which the motion comes to rest.
    public let bounds: ClosedRange<Double>
    /// The motion also counts as settled when it is this close to an end.
    public let tolerance: SettlingTolerance

    /// Clamps a motion to bounds in its unit.
    public init(_ free: Free, in bounds: ClosedRange<Double>, tolerance: SettlingTolerance = .fine) {
        self.free = free
        self.bounds = bounds
        self.tolerance = tolerance
    }

    /// The value at a time in seconds since the start.
    public func value(at time: Double) -> Double {
        min(max(free.value(at: time), bounds.lowerBound), bounds.upperBound)
    }

    /// The velocity at a time, in units per second; 0 beyond an end.
    public func velocity(at time: Double) -> Double {
        bounds.contains(free.value(at: time)) ? free.velocity(at: time) : 0
    }

    /// Whether the motion rests. At an end it does so only while moving towards it or standing there: a motion may
    /// start at an end and move away.
    public func isSettled(at time: Double) -> Bool {
        let velocity = free.velocity(at: time)
        let isAtLower = value(at: time) - bounds.lowerBound < tolerance.distance && velocity <= 0
        let isAtUpper = bounds.upperBound - value(at: time) < tolerance.distance && velocity >= 0
        return free.isSettled(at: time) || isAtLower || isAtUpper
    }
}

extension BoundedMotion: Equatable where Free: Equatable {}
extension BoundedMotion: Hashable where Free: Hashable {}

/// A deceleration that runs past an end and is brought back by a spring, which takes over with the velocity at the
/// end. A motion that starts outside the bounds springs back at once.
public struct BouncingMotion<Coasting: CoastingMotion>: Motion {
    /// The deceleration before the spring takes over.
    public let coasting: Coasting
    /// The range in which the motion comes to rest.
    public let bounds: ClosedRange<Double>
    /// The time at which the spring takes over, in seconds; nil if the motion comes to rest inside the bounds.
    public let springTime: Double?
    private let springMotion: SpringMotion?

    /// Lets a deceleration bounce at the ends of its bounds.
    /// - Parameters:
    ///   - recoil: The spring of a motion that starts outside the bounds, slower than `restSpeed`, and is then taken
    ///     to start at rest; nil for `spring`.
    ///   - restSpeed: In units per second.
    ///   - fastestTransfer: The greatest velocity with which the spring takes over, in units per second, in either
    ///     direction.
    public init(
        _ coasting: Coasting, in bounds: ClosedRange<Double>, spring: Spring = .popBounce,
        recoil: Spring? = nil, restSpeed: Double = ScrollDeceleration.stopSpeed, fastestTransfer: Double = .infinity,
        tolerance: SettlingTolerance = .fine
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
            if isOutside, let recoil, abs(velocity) <= restSpeed {
                return SpringMotion(recoil, from: start, to: bound, tolerance: tolerance)
            }
            return SpringMotion(
                spring, from: isOutside ? start : bound, to: bound, velocity: velocity, tolerance: tolerance)
        }
    }

    /// The value at a time in seconds since the start.
    public func value(at time: Double) -> Double {
        guard let (motion, own) = spring(at: time) else { return coasting.value(at: time) }
        return motion.isSettled(at: own) ? motion.to : motion.value(at: own)
    }

    /// The velocity at a time, in units per second.
    public func velocity(at time: Double) -> Double {
        guard let (motion, own) = spring(at: time) else { return coasting.velocity(at: time) }
        return motion.isSettled(at: own) ? 0 : motion.velocity(at: own)
    }

    /// Whether the spring, or the deceleration if it stays inside the bounds, has come to rest.
    public func isSettled(at time: Double) -> Bool {
        if let (motion, own) = spring(at: time) { return motion.isSettled(at: own) }
        return springTime == nil && coasting.isSettled(at: time)
    }

    /// The spring once it has taken over, and the time since then in seconds.
    private func spring(at time: Double) -> (SpringMotion, Double)? {
        guard let springTime, let springMotion, time >= springTime else { return nil }
        return (springMotion, time - springTime)
    }
}

extension BouncingMotion: Equatable where Coasting: Equatable {}
extension BouncingMotion: Hashable where Coasting: Hashable {}
