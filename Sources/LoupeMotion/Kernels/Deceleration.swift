import LoupeBase

/// An exponential deceleration, as of a scroll view after a flick: Facebook Pop's decay, or UIScrollView's own.
///
/// With λ = −1000·ln d for a rate d per millisecond, the velocity is v₀·e^(−λt), and the value moves by
/// v₀·r·(1 − e^(−λt)), where r is the way for each unit of velocity. It stops dead where the velocity falls to a least one.
public struct Deceleration: Motion, Hashable {
    /// The value at the start, in points or any other unit.
    public let start: Double
    /// The velocity at the start, in units per second.
    public let startVelocity: Double
    /// The time at which the deceleration stops, in seconds.
    public let duration: Double
    /// λ: the part of the velocity that is lost, per second.
    private let loss: Double
    /// r: the way of an endless deceleration for each unit of velocity, in seconds.
    private let reach: Double

    /// The usual d: `UIScrollView.DecelerationRate.normal`.
    public static let normalRate = 0.998
    /// Pop's threshold for a view's bounds, in points.
    public static let boundsThreshold = 1.0
    /// Pop's threshold for a custom property, in points.
    public static let customPropertyThreshold = 0.01
    /// The velocity at which UIScrollView stops dead, in points per second. A slower release does not move at all.
    public static let scrollViewStop = 10.0

    private init(from start: Double, velocity: Double, rate: Double, reach: Double, fastest: Double, stop: Double) {
        precondition(rate > 0 && rate < 1, "a deceleration must lie between 0 and 1")
        precondition(stop > 0, "a velocity to stop at must be over 0")
        self.start = start
        startVelocity = velocity
        loss = -1000 * log(rate)
        self.reach = reach
        duration = fastest > stop ? log(fastest / stop) / loss : 0
    }

    /// Facebook Pop's decay animation: each millisecond slows down, then moves, so r = d/(1000·(1 − d)).
    /// - Parameters:
    ///   - velocity: In units per second.
    ///   - rate: The part d of the velocity that is left after a millisecond, between 0 and 1.
    ///   - threshold: In units: the decay rests when the velocity is below five thresholds per second.
    ///   - fastest: The fastest of the velocities that decay together, such as those of both axes of a scroll view:
    ///     Pop rests when all of them are slow enough. Nil for a single velocity.
    public static func pop(
        from start: Double, velocity: Double, rate: Double = normalRate, threshold: Double = boundsThreshold,
        fastest: Double? = nil
    ) -> Deceleration {
        Deceleration(
            from: start, velocity: velocity, rate: rate, reach: rate / (1000 * (1 - rate)),
            fastest: abs(fastest ?? velocity), stop: 5 * threshold)
    }

    /// UIScrollView's deceleration, which stops dead at 10 points per second: r = 1/λ, so it lands at x₀ + (v₀ ∓ 10)/λ, the
    /// `targetContentOffset` of `scrollViewWillEndDragging`.
    ///
    /// Source: recordings of a `UIScrollView`, which this form meets within 0.2 points from 260 to 6000 points per second.
    public static func uikit(from start: Double, velocity: Double, rate: Double = normalRate) -> Deceleration {
        Deceleration(
            from: start, velocity: velocity, rate: rate, reach: -1 / (1000 * log(rate)), fastest: abs(velocity),
            stop: scrollViewStop)
    }

    /// The value at a time in seconds; constant from `duration` on.
    public func value(at time: Double) -> Double {
        start - startVelocity * reach * expm1(-loss * min(max(0, time), duration))
    }

    /// The velocity at a time, in units per second; 0 from `duration` on. The slope of Pop's value is smaller by a
    /// thousandth at the normal rate, because Pop moves after slowing down in each millisecond.
    public func velocity(at time: Double) -> Double {
        isSettled(at: time) ? 0 : startVelocity * exp(-loss * max(0, time))
    }

    /// Whether the deceleration has stopped.
    public func isSettled(at time: Double) -> Bool { time >= duration }

    /// The value at rest.
    public var restValue: Double { value(at: duration) }

    /// The time at which a value is passed, in seconds; nil if it is never reached.
    public func time(reaching value: Double) -> Double? {
        guard value != start else { return 0 }
        let part = (value - start) / (startVelocity * reach)
        guard startVelocity != 0, part > 0, part < 1 else { return nil }
        let time = -log1p(-part) / loss
        return time <= duration ? time : nil
    }
}
