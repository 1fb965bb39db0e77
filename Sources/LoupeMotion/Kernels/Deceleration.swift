// Decelerations: Facebook Pop's decay, UIScrollView's own, and exponential friction.

import LoupeMath

/// Facebook Pop's decay animation: exponential deceleration, as of a scroll view after a flick.
///
/// After t seconds k = d^(1000t); x has moved by (v/1000)·d·(1 − k)/(1 − d), and the velocity is v·k. This is the sum
/// of Pop's steps of one millisecond, so steps of any length compose exactly. The decay rests when the velocity is
/// below five thresholds per second.
///
/// Source: facebook/pop, `POPDecayAnimation`; deceleration rates per millisecond from `UIScrollView.DecelerationRate`.
public struct Decay: CoastingMotion, Hashable {
    /// The value at the start, in points or any other unit.
    public let start: Double
    /// The velocity at the start, in units per second.
    public let startVelocity: Double
    /// The deceleration rate d: the part of the velocity that is left after a millisecond, between 0 and 1.
    public let deceleration: Double
    /// The time at which the decay rests, in seconds.
    public let duration: Double

    /// `UIScrollView.DecelerationRate.normal`.
    public static let normalDeceleration = 0.998
    /// `UIScrollView.DecelerationRate.fast`.
    public static let fastDeceleration = 0.99
    /// Pop's threshold for a view's bounds, in points.
    public static let boundsThreshold = 1.0
    /// Pop's threshold for a custom property, in points.
    public static let customPropertyThreshold = 0.01

    /// A decay from a value with a velocity in units per second.
    /// - Parameters:
    ///   - threshold: Pop's threshold, in units: the decay rests when the velocity is below five thresholds per
    ///     second.
    ///   - fastest: The fastest of the velocities that decay together, such as those of both axes of a scroll view:
    ///     Pop rests when all of them are slow enough. Nil for a single velocity.
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

    /// The value at a time in seconds; constant from `duration` on.
    public func value(at time: Double) -> Double {
        free(at: min(max(0, time), duration)).value
    }

    /// Pop's velocity at a time, in units per second; 0 from `duration` on. The slope of the value is smaller by the
    /// factor d·ln d/(d − 1), about a thousandth at the normal rate, because Pop moves after slowing down in each
    /// millisecond.
    public func velocity(at time: Double) -> Double {
        isSettled(at: time) ? 0 : free(at: max(0, time)).velocity
    }

    /// Whether the velocity is below the threshold for good.
    public func isSettled(at time: Double) -> Bool {
        time >= duration
    }

    /// The value at rest.
    public var restValue: Double { value(at: duration) }

    /// The value and the velocity of the decay if it never rested.
    public func free(at time: Double) -> (value: Double, velocity: Double) {
        let logarithm = 1000 * log(deceleration) * time
        let distance = startVelocity / 1000 * deceleration * -expm1(logarithm) / (1 - deceleration)
        return (start + distance, startVelocity * exp(logarithm))
    }

    /// The time at which a value is passed, in seconds; nil if it is never reached.
    public func time(reaching value: Double) -> Double? {
        guard value != start else { return 0 }
        guard startVelocity != 0 else { return nil }
        let part = (value - start) * (1 - deceleration) * 1000 / (startVelocity * deceleration)
        guard part > 0, part < 1 else { return nil }
        let time = log1p(-part) / (1000 * log(deceleration))
        return time <= duration ? time : nil
    }
}

/// UIScrollView's own deceleration: exponential, until the velocity falls to 10 points per second, where it stops dead.
///
/// With λ = −1000·ln d for a rate d per millisecond, v(t) = v₀·e^(−λt) and x(t) = x₀ + (v₀/λ)·(1 − e^(−λt)). So it
/// lands at x₀ + (v₀ ∓ 10)/λ, the `targetContentOffset` of `scrollViewWillEndDragging`: 1/λ is 0.4995 s at the normal
/// rate and 0.0995 s at the fast one.
///
/// Source: recordings of a `UIScrollView`, which this form meets within 0.2 points from 260 to 6000 points per second.
public struct ScrollDeceleration: CoastingMotion, Hashable {
    /// The value at the start, in points.
    public let start: Double
    /// The velocity at the start, in points per second.
    public let startVelocity: Double
    /// The deceleration rate d: the part of the velocity that is left after a millisecond, between 0 and 1.
    public let deceleration: Double
    /// The time at which the deceleration stops, in seconds.
    public let duration: Double

    /// The speed at which the deceleration stops dead, in points per second. A slower release does not move at all.
    public static let stopSpeed = 10.0

    /// A deceleration from a value in points with a velocity in points per second.
    /// - Precondition: 0 < deceleration < 1.
    public init(from start: Double, velocity: Double, deceleration: Double = Decay.normalDeceleration) {
        precondition(deceleration > 0 && deceleration < 1, "a deceleration must lie between 0 and 1")
        self.start = start
        startVelocity = velocity
        self.deceleration = deceleration
        duration =
            abs(velocity) > Self.stopSpeed
            ? log(Self.stopSpeed / abs(velocity)) / (1000 * log(deceleration)) : 0
    }

    /// The value at a time in seconds; constant from `duration` on.
    public func value(at time: Double) -> Double {
        let logarithm = 1000 * log(deceleration)
        return start + startVelocity * expm1(logarithm * min(max(0, time), duration)) / logarithm
    }

    /// The velocity at a time, in points per second; 0 from `duration` on.
    public func velocity(at time: Double) -> Double {
        isSettled(at: time) ? 0 : startVelocity * exp(1000 * log(deceleration) * max(0, time))
    }

    /// Whether the deceleration has stopped.
    public func isSettled(at time: Double) -> Bool { time >= duration }

    /// The value at which the deceleration stops: UIKit's natural target.
    public var restValue: Double { value(at: duration) }

    /// The time at which a value is passed, in seconds; nil if it is never reached.
    public func time(reaching value: Double) -> Double? {
        guard value != start else { return 0 }
        guard startVelocity != 0 else { return nil }
        let logarithm = 1000 * log(deceleration)
        let change = (value - start) * logarithm / startVelocity
        guard change > -1, change < 0 else { return nil }
        let time = log1p(change) / logarithm
        return time <= duration ? time : nil
    }
}

/// Exponential friction, as Flutter's `FrictionSimulation`: after every second, the part `drag` of the velocity is
/// left.
///
/// v(t) = v₀·Dᵗ and x(t) = x₀ + v₀·(Dᵗ − 1)/ln D.
public struct Friction: CoastingMotion, Hashable {
    /// The value at the start, in points or any other unit.
    public let start: Double
    /// The velocity at the start, in units per second.
    public let startVelocity: Double
    /// The drag D: the part of the velocity that is left after a second, between 0 and 1.
    public let drag: Double
    /// The friction counts as settled when it is slower than `tolerance.velocity`.
    public let tolerance: SettlingTolerance

    /// A friction from a value with a velocity in units per second.
    /// - Precondition: 0 < drag < 1.
    public init(from start: Double, velocity: Double, drag: Double, tolerance: SettlingTolerance = .fine) {
        precondition(drag > 0 && drag < 1, "a drag must lie between 0 and 1")
        self.start = start
        startVelocity = velocity
        self.drag = drag
        self.tolerance = tolerance
    }

    /// The friction that passes `end` with `endVelocity`, where it is settled: ln D = (v₀ − v₁)/(x₀ − x₁).
    /// - Precondition: both velocities point from start to end, and the second is the smaller.
    public init(from start: Double, velocity: Double, through end: Double, endVelocity: Double) {
        self.init(
            from: start, velocity: velocity, drag: exp((velocity - endVelocity) / (start - end)),
            tolerance: SettlingTolerance(distance: SettlingTolerance.fine.distance, velocity: abs(endVelocity)))
    }

    /// The value at a time in seconds.
    public func value(at time: Double) -> Double {
        start + startVelocity * expm1(max(0, time) * log(drag)) / log(drag)
    }

    /// The velocity at a time, in units per second.
    public func velocity(at time: Double) -> Double {
        startVelocity * pow(drag, max(0, time))
    }

    /// Whether the velocity is below the threshold for good.
    public func isSettled(at time: Double) -> Bool {
        abs(velocity(at: time)) < tolerance.velocity
    }

    /// The value that the friction approaches.
    public var restValue: Double { start - startVelocity / log(drag) }

    /// The time at which a value is passed, in seconds; nil if it is never reached.
    public func time(reaching value: Double) -> Double? {
        guard value != start else { return 0 }
        let part = (value - start) * log(drag) / startVelocity
        guard startVelocity != 0, part < 0, part > -1 else { return nil }
        return log1p(part) / log(drag)
    }
}
