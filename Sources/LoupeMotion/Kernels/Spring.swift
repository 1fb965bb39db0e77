// Damped springs: their motion, and UIKit's springs by damping ratio and duration.

import LoupeBase

/// A damped spring of mass 1, x″ = −ω²·x − 2ζω·x′, where x is the distance from rest.
public struct Spring: Hashable, Sendable {
    /// The undamped angular frequency ω, in radians per second.
    public let frequency: Double
    /// The damping ratio ζ: below 1 the spring oscillates, at 1 it comes to rest as fast as possible without.
    public let dampingRatio: Double

    /// A spring by its angular frequency in radians per second and its damping ratio.
    /// - Precondition: the frequency is over 0, the damping ratio within 0…1.
    public init(frequency: Double, dampingRatio: Double) {
        precondition(frequency > 0 && dampingRatio >= 0 && dampingRatio <= 1, "a spring must swing or be critical")
        self.frequency = frequency
        self.dampingRatio = dampingRatio
    }

    /// Facebook Pop's spring by `springBounciness` and `springSpeed`, by which Pop's own animations are 4 and 12.
    ///
    /// Source: POPSpringAnimation's conversion to tension and friction, in POPAnimationExtras. Its friction without bounce is
    /// fitted, so the damping ratio may be a little over 1; it counts as 1.
    /// - Parameters:
    ///   - bounciness: 0…20.
    ///   - speed: 0…20.
    public init(bounciness: Double, speed: Double) {
        let x = 0.5 + speed / 34 * 199.5
        let friction =
            x <= 18
            ? 0.0007 * x * x * x - 0.031 * x * x + 0.64 * x + 1.28
            : x <= 44
                ? 0.000044 * x * x * x - 0.006 * x * x + 0.36 * x + 2
                : 0.00000045 * x * x * x - 0.000332 * x * x + 0.1078 * x + 5.84
        let part = bounciness / 34 * 0.8
        let bouncy = friction + (0.01 - friction) * (2 * part - part * part)
        let (tension, damping) = (194 + 3.62 * (x - 30), 25 + 3 * (bouncy - 8))
        let frequency = tension.squareRoot()
        self.init(frequency: frequency, dampingRatio: (damping / (2 * frequency)).clamped(to: 0.01...1))
    }

    /// The spring that brings scrolled content back from beyond its end: critically damped, ω = 11 per second.
    public static let bounce = Spring(frequency: 11, dampingRatio: 1)
    /// The inward velocity with which UIScrollView's content returns when it is released at rest beyond its end, for
    /// each point beyond it, per second: x₀·(1 + 3.8t)·e^(−11t). Measured from two recordings.
    public static let recoil = 7.2
}

/// A value on a spring, from any start value with any start velocity.
///
/// With a = ζω and d = from − to: x(t) = to + (d·cos ω_d t + (v + a·d)·sin(ω_d t)/ω_d)·e^(−at), and for a critically
/// damped spring t in place of sin(ω_d t)/ω_d.
public struct SpringMotion: Motion, Hashable {
    /// The spring that pulls the value.
    public let spring: Spring
    /// The value at the start, in points or any other unit.
    public let from: Double
    /// The value at rest.
    public let to: Double
    /// The velocity at the start, in units per second.
    public let startVelocity: Double

    /// How close to its end, in units, and how slow, in units per second, the motion counts as settled.
    static let tolerance = 0.001

    /// A motion on a spring from one value to another, with a start velocity in units per second.
    public init(_ spring: Spring, from: Double, to: Double, velocity: Double = 0) {
        (self.spring, self.from, self.to, startVelocity) = (spring, from, to, velocity)
    }

    /// The value at a time in seconds since the start.
    public func value(at time: Double) -> Double {
        let (cosine, sine) = solutions(at: time)
        let distance = from - to
        return to + distance * cosine + (startVelocity + decay * distance) * sine
    }

    /// The velocity at a time, in units per second.
    public func velocity(at time: Double) -> Double {
        let (cosine, sine) = solutions(at: time)
        let pull = spring.frequency * spring.frequency * (from - to)
        return startVelocity * cosine - (decay * startVelocity + pull) * sine
    }

    /// Whether the value is close to its end and slow at this time. A fast spring may pass its end, but it is not slow
    /// there.
    public func isSettled(at time: Double) -> Bool {
        abs(value(at: time) - to) < Self.tolerance && abs(velocity(at: time)) < Self.tolerance
    }

    /// a = ζω: the decay rate of the amplitude, per second.
    private var decay: Double { spring.dampingRatio * spring.frequency }

    private func solutions(at time: Double) -> (cosine: Double, sine: Double) {
        let time = max(0, time)
        let envelope = exp(-decay * time)
        let swing = spring.frequency * (1 - spring.dampingRatio * spring.dampingRatio).squareRoot()
        guard swing > 0 else { return (envelope, envelope * time) }
        return (envelope * cos(swing * time), envelope * sin(swing * time) / swing)
    }
}

/// A motion to a goal that keeps the velocity of a release, as UIKit retargets a scroll view's deceleration.
///
/// x(t) = T − (T − x₀)·e^(−kt) with k = v₀/(T − x₀), if k is within 2…12 per second. Where the goal is too near or too far for
/// the velocity, or lies against it, a critically damped spring of the same start.
public struct Glide: Motion, Hashable {
    private let spring: SpringMotion
    /// k; nil for the spring.
    private let loss: Double?

    /// The range of k, per second: from UIScrollView's own deceleration to that of its bounce.
    private static let lossRange = 2.0...12
    /// ω, per second: a release at 100 points per second gains less than a tenth of it in a millisecond.
    private static let frequency = 8.0
    /// How close to its end the value rests, in points, and ten times as slow in points per second.
    private static let tolerance = 0.25

    /// A motion with a start velocity in units per second.
    public init(from: Double, to: Double, velocity: Double) {
        spring = SpringMotion(
            Spring(frequency: Self.frequency, dampingRatio: 1), from: from, to: to, velocity: velocity)
        let loss = velocity / (to - from)
        self.loss = Self.lossRange.contains(loss) ? loss : nil
    }

    /// The value at a time in seconds since the start.
    public func value(at time: Double) -> Double {
        guard let loss else { return spring.value(at: time) }
        return spring.to - (spring.to - spring.from) * exp(-loss * max(0, time))
    }

    /// The velocity at a time, in units per second.
    public func velocity(at time: Double) -> Double {
        loss.map { spring.startVelocity * exp(-$0 * max(0, time)) } ?? spring.velocity(at: time)
    }

    /// Whether the value is close to its end and slow.
    public func isSettled(at time: Double) -> Bool {
        abs(value(at: time) - spring.to) < Self.tolerance && abs(velocity(at: time)) < 10 * Self.tolerance
    }

    func shifted(by distance: Double) -> Glide {
        Glide(from: spring.from + distance, to: spring.to + distance, velocity: spring.startVelocity)
    }
}

/// UIKit's spring by damping ratio and duration (`UIView.animate(withDuration:…usingSpringWithDamping:)`): mass 1,
/// with ω such that a thousandth of the distance is left after the duration.
///
/// ω solves |(ζω − v)/ω_d|·e^(−ζωD) = .001 for ζ < 1, with ω_d = ω√(1 − ζ²), and (1 + (ω − v)D)·e^(−ωD) = .001 for ζ =
/// 1. Velocities are in multiples of the whole distance per second.
public struct ResponseSpring: Hashable, Sendable {
    /// The damping ratio ζ, over 0 up to 1.
    public let dampingRatio: Double
    /// The duration D, in seconds, over 0.
    public let duration: Double
    /// The velocity v at the start, in multiples of the whole distance per second.
    public let velocity: Double
    /// The undamped angular frequency ω, in radians per second.
    public let frequency: Double

    /// The part of the distance that is left after the duration.
    static let residue = 0.001

    /// A spring by its damping ratio, its duration in seconds and its start velocity in whole distances per second.
    /// - Precondition: 0 < dampingRatio ≤ 1, duration > 0.
    public init(dampingRatio: Double, duration: Double, velocity: Double = 0) {
        precondition(dampingRatio > 0 && dampingRatio <= 1, "a damping ratio must be over 0 and at most 1")
        precondition(duration > 0, "a spring's duration must be over 0")
        self.dampingRatio = dampingRatio
        self.duration = duration
        self.velocity = velocity
        frequency = Self.frequency(dampingRatio, duration, velocity)
    }

    /// The spring's motion from 0 to 1.
    public var motion: SpringMotion {
        SpringMotion(Spring(frequency: frequency, dampingRatio: dampingRatio), from: 0, to: 1, velocity: velocity)
    }

    /// The largest root ω. A stiffer spring has settled by the duration too; a softer one may not have.
    private static func frequency(_ ratio: Double, _ duration: Double, _ velocity: Double) -> Double {
        func excess(_ frequency: Double) -> Double {
            remainder(frequency, ratio, duration, velocity) - residue
        }
        // Here e^(−ζωD) leaves nothing.
        var low = 40 / (ratio * duration)
        while excess(low) <= 0, low * duration > 1e-6 { low *= 0.99 }
        var high = low / 0.99
        for _ in 0..<200 where high - low > 1e-14 * high {
            let middle = (low + high) / 2
            if excess(middle) > 0 { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    private static func remainder(
        _ frequency: Double, _ ratio: Double, _ duration: Double, _ velocity: Double
    ) -> Double {
        let envelope = exp(-ratio * frequency * duration)
        guard ratio < 1 else { return abs(1 + (frequency - velocity) * duration) * envelope }
        return abs((ratio * frequency - velocity) / (frequency * (1 - ratio * ratio).squareRoot())) * envelope
    }
}
