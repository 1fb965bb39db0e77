import Glibc

/// A value on a spring, from any place with any velocity.
///
/// With a = c/(2m), ω₀² = k/m, C and S the cosine-like and sine-like solutions under e^(−at):
/// x(t) = to + d·C + (v + a·d)·S and v(t) = v·C − (a·v + ω₀²·d)·S, where d = from − to. They are cosine and sine over
/// ω for an under-damped spring, 1 and t for a critical one, and the hyperbolic functions for an over-damped one.
public struct SpringMotion: Motion, Hashable {
    public let spring: Spring
    public let from: Double
    /// Where it comes to rest.
    public let to: Double
    /// In units per second.
    public let startVelocity: Double
    public let tolerance: Tolerance

    public init(
        _ spring: Spring, from: Double, to: Double, velocity: Double = 0, tolerance: Tolerance = .fine
    ) {
        self.spring = spring
        self.from = from
        self.to = to
        startVelocity = velocity
        self.tolerance = tolerance
    }

    public func value(at time: Double) -> Double {
        let (cosine, sine) = solutions(at: time)
        let distance = from - to
        return to + distance * cosine + (startVelocity + decay * distance) * sine
    }

    public func velocity(at time: Double) -> Double {
        let (cosine, sine) = solutions(at: time)
        let pull = spring.stiffness / spring.mass * (from - to)
        return startVelocity * cosine - (decay * startVelocity + pull) * sine
    }

    /// Whether it is near its end and slow at this moment. A fast spring may pass its end, but is not slow there.
    public func isSettled(at time: Double) -> Bool {
        abs(value(at: time) - to) < tolerance.distance && abs(velocity(at: time)) < tolerance.velocity
    }

    /// a = c/(2m): how fast the swing dies away, per second.
    private var decay: Double { spring.damping / (2 * spring.mass) }

    /// √|a² − ω₀²|, in radians per second.
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
            // The slower exponent, without the cancellation of swing − a; the faster one only as a ratio to it.
            let envelope = exp(-spring.stiffness / spring.mass / (swing + decay) * time)
            let fall = -expm1(-2 * swing * time)
            return (envelope * (2 - fall) / 2, envelope * fall / (2 * swing))
        }
    }
}

extension SpringMotion {
    /// The last time at which the value may be as far as `distance` from its end, in seconds; infinite where nothing
    /// damps the spring. For a swing it is the envelope's time, as animation libraries give it.
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

    /// A spring that does not swing has at most one turning point, after which it only comes nearer.
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

    /// Where v(t) = 0, for a spring that does not swing; nil where it never turns.
    private var turningTime: Double? {
        // v·C = p·S, so that S/C = v/p.
        let ratio = startVelocity / (decay * startVelocity + spring.stiffness / spring.mass * (from - to))
        guard ratio > 0, ratio.isFinite else { return nil }
        guard spring.kind == .over else { return ratio }
        let tangent = ratio * swing
        return tangent < 1 ? atanh(tangent) / swing : nil
    }
}
