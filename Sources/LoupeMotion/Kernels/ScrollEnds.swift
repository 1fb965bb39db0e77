// The ends of scrolled content: rubber band, clamp and bounce.

import LoupeBase

/// The rubber band of UIScrollView: how far content follows a finger that drags it past its end, c·d·D/(c·|d| + D) for
/// a finger d past the end.
public struct RubberBand: Hashable, Sendable {
    /// The length D of the viewport, in points: the content never moves this far past its end.
    public let length: Double

    /// UIScrollView's stiffness c: the part of the finger's movement that the content follows at first.
    public static let stiffness = 0.55

    /// A rubber band for a viewport's length in points.
    /// - Precondition: the length is over 0.
    public init(length: Double) {
        precondition(length > 0, "a rubber band's length must be over 0")
        self.length = length
    }

    /// How far the content moves when the finger has gone past the end by `distance`, in points, of either sign.
    public func stretch(_ distance: Double) -> Double {
        Self.stiffness * distance * length / (Self.stiffness * abs(distance) + length)
    }

    /// How far the finger must move for the content to move by `stretch`, in points; the inverse of `stretch(_:)`.
    /// - Parameter stretch: Less than `length` in magnitude; more counts as almost `length`.
    public func distance(forStretch stretch: Double) -> Double {
        let limit = length * (1 - 1e-9)
        let stretch = min(max(stretch, -limit), limit)
        return stretch * length / (Self.stiffness * (length - abs(stretch)))
    }

    /// The offset that is shown for an offset that may lie outside of the range, in points.
    public func offset(_ offset: Double, in range: ClosedRange<Double>) -> Double {
        let end = offset.clamped(to: range)
        return end + stretch(offset - end)
    }

    /// The offset that is shown as `shown`, in points; the inverse of `offset(_:in:)`.
    public func offset(shownAs shown: Double, in range: ClosedRange<Double>) -> Double {
        let end = shown.clamped(to: range)
        return end + distance(forStretch: shown - end)
    }

    /// The velocity of content under a finger, as a part of the finger's: 1 inside the range, c·(1 − s/D)² at a stretch
    /// of s.
    /// - Parameter shown: The offset that is shown, in points.
    public func follow(at shown: Double, in range: ClosedRange<Double>) -> Double {
        guard !range.contains(shown) else { return 1 }
        let rest = max(0, 1 - abs(shown - shown.clamped(to: range)) / length)
        return Self.stiffness * rest * rest
    }
}

/// The motion of one axis of scrolled content after a release: a deceleration, and what the ends make of it.
struct ScrollMotion: Motion, Hashable {
    private let coasting: Deceleration
    /// The range in which the content stops dead; nil without ends, and where a spring brings it back.
    private let clamp: ClosedRange<Double>?
    /// The spring that brings the content back from beyond an end, and when it takes over, in seconds.
    private let spring: SpringMotion?
    private let springTime: Double

    private init(
        _ coasting: Deceleration, clamp: ClosedRange<Double>? = nil, spring: SpringMotion? = nil, springTime: Double = 0
    ) {
        (self.coasting, self.clamp, self.spring, self.springTime) = (coasting, clamp, spring, springTime)
    }

    /// Content at rest, or under a finger.
    static func still(_ offset: Double) -> ScrollMotion { ScrollMotion(.uikit(from: offset, velocity: 0)) }

    /// A deceleration that runs past the ends.
    static func free(_ coasting: Deceleration) -> ScrollMotion { ScrollMotion(coasting) }

    /// A deceleration that stops dead at the ends of a range.
    static func clamped(_ coasting: Deceleration, in range: ClosedRange<Double>) -> ScrollMotion {
        ScrollMotion(coasting, clamp: range)
    }

    /// A spring to a value, with the velocity of the release.
    static func springing(_ spring: SpringMotion) -> ScrollMotion {
        ScrollMotion(.uikit(from: spring.from, velocity: 0), spring: spring)
    }

    /// A deceleration that runs past an end and is brought back by a spring, which takes over with the velocity at the
    /// end. Content that starts beyond an end springs back at once.
    /// - Parameter recoil: The inward velocity at a release from rest, for each point beyond the end.
    static func bouncing(_ coasting: Deceleration, in range: ClosedRange<Double>, recoil: Double) -> ScrollMotion {
        let isOutside = !range.contains(coasting.start)
        let end = (isOutside ? coasting.start : coasting.restValue).clamped(to: range)
        guard isOutside || end != coasting.restValue, let time = isOutside ? 0 : coasting.time(reaching: end) else {
            return ScrollMotion(coasting)
        }
        let isAtRest = isOutside && abs(coasting.startVelocity) <= Deceleration.scrollViewStop
        let velocity =
            isAtRest
            ? -recoil * (coasting.start - end) : isOutside ? coasting.startVelocity : coasting.velocity(at: time)
        let spring = SpringMotion(.bounce, from: isOutside ? coasting.start : end, to: end, velocity: velocity)
        return ScrollMotion(coasting, spring: spring, springTime: time)
    }

    func value(at time: Double) -> Double {
        if let (spring, own) = spring(at: time) { return spring.isSettled(at: own) ? spring.to : spring.value(at: own) }
        let value = coasting.value(at: time)
        return clamp.map { value.clamped(to: $0) } ?? value
    }

    func velocity(at time: Double) -> Double {
        if let (spring, own) = spring(at: time) { return spring.isSettled(at: own) ? 0 : spring.velocity(at: own) }
        return clamp?.contains(coasting.value(at: time)) == false ? 0 : coasting.velocity(at: time)
    }

    func isSettled(at time: Double) -> Bool {
        if let (spring, own) = spring(at: time) { return spring.isSettled(at: own) }
        guard let clamp else { return spring == nil && coasting.isSettled(at: time) }
        // At an end the content rests only while it moves towards the end, or stands there: it may start at one.
        let (value, velocity) = (value(at: time), coasting.velocity(at: time))
        let isAtEnd =
            value - clamp.lowerBound < SpringMotion.tolerance && velocity <= 0
            || clamp.upperBound - value < SpringMotion.tolerance && velocity >= 0
        return isAtEnd || coasting.isSettled(at: time)
    }

    /// The spring once it has taken over, and the time since then in seconds.
    private func spring(at time: Double) -> (SpringMotion, Double)? {
        spring.flatMap { time >= springTime ? ($0, time - springTime) : nil }
    }
}
