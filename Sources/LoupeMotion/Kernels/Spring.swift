// Damped springs: by their physical constants, their motion, and UIKit's springs by damping ratio and duration.

import LoupeMath

/// A damped spring, m·x″ = −k·x − c·x′, where x is the distance from rest.
public struct Spring: Hashable, Sendable {
    /// The three ways in which a damped spring comes to rest.
    public enum Damping: Hashable, Sendable {
        /// Oscillates with decreasing amplitude: ζ < 1.
        case under
        /// Comes to rest as fast as possible without oscillating: ζ = 1.
        case critical
        /// Comes to rest more slowly, without oscillating: ζ > 1.
        case over
    }

    /// The mass m, over 0.
    public let mass: Double
    /// The stiffness k, in mass units per second², over 0.
    public let stiffness: Double
    /// The damping c, in mass units per second, at least 0.
    public let damping: Double

    /// A spring by its physical constants.
    /// - Precondition: mass and stiffness are over 0, damping is at least 0.
    public init(stiffness: Double, damping: Double, mass: Double = 1) {
        precondition(mass > 0 && stiffness > 0 && damping >= 0, "a spring needs mass, stiffness and no drive")
        self.mass = mass
        self.stiffness = stiffness
        self.damping = damping
    }

    /// A spring by its stiffness and its damping ratio ζ = c/(2√(mk)).
    public init(stiffness: Double, dampingRatio: Double, mass: Double = 1) {
        self.init(stiffness: stiffness, damping: dampingRatio * 2 * (mass * stiffness).squareRoot(), mass: mass)
    }

    /// A spring of mass 1 by its undamped angular frequency ω, in radians per second, and its damping ratio ζ.
    public init(frequency: Double, dampingRatio: Double) {
        self.init(stiffness: frequency * frequency, damping: 2 * dampingRatio * frequency)
    }

    /// A spring by the parameters of SwiftUI's `Spring(duration:bounce:)`: the period of the undamped oscillation in
    /// seconds, and the bounce, −1…1. ω = 2π/duration; ζ = 1 − bounce, or 1/(1 + bounce) for a bounce below 0.
    public init(perceptualDuration: Double, bounce: Double) {
        self.init(
            frequency: 2 * .pi / perceptualDuration,
            dampingRatio: bounce >= 0 ? 1 - bounce : 1 / (1 + bounce))
    }

    /// The spring that brings scrolled content back from beyond its end: critically damped, ω = 11 per second.
    public static let popBounce = Spring(frequency: 11, dampingRatio: 1)

    /// The spring that brings UIScrollView's content back from beyond its end when it is released at rest: the sum of
    /// two decays, of 9 and 46 per second. Measured from a recording.
    public static let scrollRecoil = Spring(stiffness: 9 * 46, damping: 9 + 46)

    /// The undamped angular frequency ω = √(k/m), in radians per second.
    public var frequency: Double { (stiffness / mass).squareRoot() }
    /// The damping ratio ζ = c/(2√(mk)).
    public var dampingRatio: Double { damping / (2 * (mass * stiffness).squareRoot()) }

    /// Core Animation's `CASpringAnimation.settlingDuration` without a start velocity, in seconds: ln((1 +
    /// a/ω_d)/0.001)/a with a = c/(2m) for an under-damped spring, infinite for an undamped one. For other springs it
    /// is the time at which a thousandth of the distance is left.
    public var settlingDuration: Double {
        guard kind == .under else { return SpringMotion(self, from: 0, to: 1).settlingTime(within: 0.001) }
        let decay = damping / (2 * mass)
        guard decay > 0 else { return .infinity }
        let swing = (stiffness / mass - decay * decay).squareRoot()
        return log((1 + decay / swing) / 0.001) / decay
    }

    /// How the spring comes to rest. A discriminant within rounding error of 0 counts as critical.
    public var kind: Damping {
        let decay = damping / (2 * mass)
        let discriminant = decay * decay - stiffness / mass
        if abs(discriminant) <= 1e-12 * stiffness / mass { return .critical }
        return discriminant < 0 ? .under : .over
    }
}

/// A value on a spring, from any start value with any start velocity.
///
/// With a = c/(2m), ω₀² = k/m, and C and S the cosine-like and sine-like solutions under e^(−at): x(t) = to + d·C + (v
/// + a·d)·S and v(t) = v·C − (a·v + ω₀²·d)·S, where d = from − to. For an under-damped spring C and S are the cosine
/// and the sine over ω, for a critically damped one 1 and t, and for an over-damped one the hyperbolic functions.
public struct SpringMotion: Motion, Hashable {
    /// The spring that pulls the value.
    public let spring: Spring
    /// The value at the start, in points or any other unit.
    public let from: Double
    /// The value at rest.
    public let to: Double
    /// The velocity at the start, in units per second.
    public let startVelocity: Double
    /// How close to its end the motion counts as settled.
    public let tolerance: SettlingTolerance

    /// A motion on a spring from one value to another, with a start velocity in units per second.
    public init(
        _ spring: Spring, from: Double, to: Double, velocity: Double = 0, tolerance: SettlingTolerance = .fine
    ) {
        self.spring = spring
        self.from = from
        self.to = to
        startVelocity = velocity
        self.tolerance = tolerance
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
        let pull = spring.stiffness / spring.mass * (from - to)
        return startVelocity * cosine - (decay * startVelocity + pull) * sine
    }

    /// Whether the value is close to its end and slow at this time. A fast spring may pass its end, but it is not slow
    /// there.
    public func isSettled(at time: Double) -> Bool {
        abs(value(at: time) - to) < tolerance.distance && abs(velocity(at: time)) < tolerance.velocity
    }

    /// a = c/(2m): the decay rate of the amplitude, per second.
    private var decay: Double { spring.damping / (2 * spring.mass) }

    /// √|a² − ω₀²|: the damped angular frequency, in radians per second.
    private var swing: Double { abs(decay * decay - spring.stiffness / spring.mass).squareRoot() }

    private func solutions(at time: Double) -> (cosine: Double, sine: Double) {
        let time = max(0, time)
        switch spring.kind {
        case .critical:
            let envelope = exp(-decay * time)
            return (envelope, envelope * time)
        case .under:
            let envelope = exp(-decay * time)
            return (envelope * cos(swing * time), envelope * sin(swing * time) / swing)
        case .over:
            // Written with the slower exponent, which avoids the cancellation in swing − a; the faster one enters
            // only as a ratio.
            let envelope = exp(-spring.stiffness / spring.mass / (swing + decay) * time)
            let fall = -expm1(-2 * swing * time)
            return (envelope * (2 - fall) / 2, envelope * fall / (2 * swing))
        }
    }
}

extension SpringMotion {
    /// The last time at which the value may be as far as `distance` from its end, in seconds; infinite for an undamped
    /// spring. For an under-damped spring it is the time of the envelope, as animation libraries define it.
    /// - Precondition: distance > 0.
    public func settlingTime(within distance: Double) -> Double {
        precondition(distance > 0, "a distance to settle within must be over 0")
        let offset = from - to
        if spring.kind == .under {
            let sine = (startVelocity + decay * offset) / swing
            let amplitude = (offset * offset + sine * sine).squareRoot()
            guard amplitude > distance else { return 0 }
            return decay > 0 ? log(amplitude / distance) / decay : .infinity
        }
        return lastTime(outside: distance)
    }

    /// A spring that does not oscillate has at most one turning point; after it, the distance only decreases.
    private func lastTime(outside distance: Double) -> Double {
        func isOutside(_ time: Double) -> Bool { abs(value(at: time) - to) > distance }
        let turn = turningTime ?? 0
        var low = isOutside(turn) ? turn : 0
        guard isOutside(low) else { return 0 }
        var high = low == turn ? max(2 * turn, 1 / spring.frequency) : turn
        while isOutside(high) { high *= 2 }
        for _ in 0..<200 where high - low > 1e-12 * high {
            let middle = (low + high) / 2
            if isOutside(middle) { low = middle } else { high = middle }
        }
        return high
    }

    /// The time at which v(t) = 0, for a spring that does not oscillate; nil if it never turns.
    private var turningTime: Double? {
        // From v·C = p·S follows S/C = v/p.
        let ratio = startVelocity / (decay * startVelocity + spring.stiffness / spring.mass * (from - to))
        guard ratio > 0, ratio.isFinite else { return nil }
        guard spring.kind == .over else { return ratio }
        let tangent = ratio * swing
        return tangent < 1 ? atanh(tangent) / swing : nil
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
        var high = 1 / (ratio * duration)
        while bound(high, ratio, duration, velocity) > residue { high *= 2 }
        var low = high
        while excess(low) <= 0, low > 1e-6 * high { low *= 0.99 }
        high = low / 0.99
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

    /// An upper bound of the remainder that decreases from ω = 1/(ζD) on.
    private static func bound(
        _ frequency: Double, _ ratio: Double, _ duration: Double, _ velocity: Double
    ) -> Double {
        let envelope = exp(-ratio * frequency * duration)
        guard ratio < 1 else { return (1 + (frequency + abs(velocity)) * duration) * envelope }
        return (ratio + abs(velocity) / frequency) / (1 - ratio * ratio).squareRoot() * envelope
    }
}
