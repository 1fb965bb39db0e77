import Glibc

/// UIKit's spring by damping ratio and duration: mass 1, and ω such that what is left of the swing after the duration
/// is a thousandth of the way.
///
/// ω solves |(ζω − v)/ω_d|·e^(−ζωD) = .001 for ζ < 1, with ω_d = ω√(1 − ζ²), and (1 + (ω − v)D)·e^(−ωD) = .001 for
/// ζ = 1. Velocities are in whole ways a second.
public struct ResponseSpring: Hashable, Sendable {
    /// ζ, over 0 up to 1.
    public let dampingRatio: Double
    /// D, in seconds, over 0.
    public let duration: Double
    /// v, at the start, in whole ways a second.
    public let velocity: Double
    /// ω, undamped, in radians per second.
    public let frequency: Double

    /// What is left after the duration.
    static let residue = 0.001

    /// - Precondition: 0 < dampingRatio ≤ 1, duration > 0.
    public init(dampingRatio: Double, duration: Double, velocity: Double = 0) {
        precondition(dampingRatio > 0 && dampingRatio <= 1, "a damping ratio must be over 0 and at most 1")
        precondition(duration > 0, "a spring's duration must be over 0")
        self.dampingRatio = dampingRatio
        self.duration = duration
        self.velocity = velocity
        frequency = Self.frequency(dampingRatio, duration, velocity)
    }

    /// From 0 to 1.
    public var motion: SpringMotion {
        SpringMotion(Spring(frequency: frequency, dampingRatio: dampingRatio), from: 0, to: 1, velocity: velocity)
    }

    /// The largest root: a stiffer spring has settled by then as well, a softer one need not have.
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

    /// No less than the remainder, and falling throughout from ω = 1/(ζD) on.
    private static func bound(
        _ frequency: Double, _ ratio: Double, _ duration: Double, _ velocity: Double
    ) -> Double {
        let envelope = exp(-ratio * frequency * duration)
        guard ratio < 1 else { return (1 + (frequency + abs(velocity)) * duration) * envelope }
        return (ratio + abs(velocity) / frequency) / (1 - ratio * ratio).squareRoot() * envelope
    }
}
