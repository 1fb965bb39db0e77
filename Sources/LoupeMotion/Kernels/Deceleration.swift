import Glibc

/// Facebook Pop's decay animation, the deceleration of a scroll view.
///
/// After t seconds k = d^(1000t); x has moved by (v/1000)·d·(1 − k)/(1 − d) and v is v·k. This is the sum of Pop's
/// steps of a millisecond, so steps of any length compose exactly. It rests when the velocity is under five
/// thresholds per second.
///
/// Source: facebook/pop, `POPDecayAnimation`; UIKit's deceleration rates per millisecond.
public struct Decay: CoastingMotion, Hashable {
    public let start: Double
    /// In units per second.
    public let startVelocity: Double
    /// d, what is left of the velocity after a millisecond: between 0 and 1.
    public let deceleration: Double
    /// When the decay rests, in seconds.
    public let duration: Double

    /// `UIScrollView.DecelerationRate.normal`.
    public static let normalDeceleration = 0.998
    /// `UIScrollView.DecelerationRate.fast`.
    public static let fastDeceleration = 0.99
    /// Pop's threshold for a view's bounds, in points.
    public static let boundsThreshold = 1.0
    /// Pop's threshold for a custom property, in points.
    public static let customPropertyThreshold = 0.01

    /// - Parameters:
    ///   - fastest: The fastest velocity of those that decay together, as both axes of a scroll view do: Pop rests
    ///     when all of them are slow enough. Nil where this one is alone.
    /// - Precondition: 0 < deceleration < 1 and threshold > 0.
    public init(
        from start: Double, velocity: Double, deceleration: Double = Decay.normalDeceleration,
        threshold: Double = Decay.boundsThreshold, fastest: Double? = nil
    ) {
        precondition(deceleration > 0 && deceleration < 1, "a deceleration must lie between 0 and 1")
        precondition(threshold > 0, "a threshold must be over 0")
        self.start = start
        startVelocity = velocity
        self.deceleration = deceleration
        duration = Self.duration(of: abs(fastest ?? velocity), deceleration: deceleration, threshold: threshold)
    }

    /// ln(5·threshold/|v|)/(1000·ln d), at least 0.
    private static func duration(of speed: Double, deceleration: Double, threshold: Double) -> Double {
        guard speed > 5 * threshold else { return 0 }
        return log(5 * threshold / speed) / (1000 * log(deceleration))
    }

    /// Stands still from `duration` on.
    public func value(at time: Double) -> Double {
        free(at: min(max(0, time), duration)).value
    }

    /// Pop's velocity, in units per second; 0 from `duration` on. The value's slope is smaller by d·ln d/(d − 1), a
    /// thousandth at the normal deceleration, because Pop adds a millisecond's way after slowing down.
    public func velocity(at time: Double) -> Double {
        isSettled(at: time) ? 0 : free(at: max(0, time)).velocity
    }

    public func isSettled(at time: Double) -> Bool {
        time >= duration
    }

    public var restValue: Double { value(at: duration) }

    /// The decay as if it never rested.
    public func free(at time: Double) -> (value: Double, velocity: Double) {
        let logarithm = 1000 * log(deceleration) * time
        let way = startVelocity / 1000 * deceleration * -expm1(logarithm) / (1 - deceleration)
        return (start + way, startVelocity * exp(logarithm))
    }

    public func time(reaching value: Double) -> Double? {
        guard value != start else { return 0 }
        guard startVelocity != 0 else { return nil }
        let part = (value - start) * (1 - deceleration) * 1000 / (startVelocity * deceleration)
        guard part > 0, part < 1 else { return nil }
        let time = log1p(-part) / (1000 * log(deceleration))
        return time <= duration ? time : nil
    }
}

/// A body in a fluid: its velocity falls to the part `drag` of itself in every second.
///
/// v(t) = v₀·Dᵗ and x(t) = x₀ + v₀·(Dᵗ − 1)/ln D.
public struct Friction: CoastingMotion, Hashable {
    public let start: Double
    /// In units per second.
    public let startVelocity: Double
    /// D, between 0 and 1: what is left of the velocity after a second.
    public let drag: Double
    /// Settled is what is slower than `tolerance.velocity`.
    public let tolerance: SettlingTolerance

    /// - Precondition: 0 < drag < 1.
    public init(from start: Double, velocity: Double, drag: Double, tolerance: SettlingTolerance = .fine) {
        precondition(drag > 0 && drag < 1, "a drag must lie between 0 and 1")
        self.start = start
        startVelocity = velocity
        self.drag = drag
        self.tolerance = tolerance
    }

    /// The friction that passes `end` with `endVelocity`: ln D = (v₀ − v₁)/(x₀ − x₁). It is settled there.
    /// - Precondition: the velocities point from start to end, and the second is the smaller.
    public init(from start: Double, velocity: Double, through end: Double, endVelocity: Double) {
        self.init(
            from: start, velocity: velocity, drag: exp((velocity - endVelocity) / (start - end)),
            tolerance: SettlingTolerance(distance: SettlingTolerance.fine.distance, velocity: abs(endVelocity)))
    }

    public func value(at time: Double) -> Double {
        start + startVelocity * expm1(max(0, time) * log(drag)) / log(drag)
    }

    public func velocity(at time: Double) -> Double {
        startVelocity * pow(drag, max(0, time))
    }

    public func isSettled(at time: Double) -> Bool {
        abs(velocity(at: time)) < tolerance.velocity
    }

    public var restValue: Double { start - startVelocity / log(drag) }

    public func time(reaching value: Double) -> Double? {
        guard value != start else { return 0 }
        let part = (value - start) * log(drag) / startVelocity
        guard startVelocity != 0, part < 0, part > -1 else { return nil }
        return log1p(part) / log(drag)
    }
}
