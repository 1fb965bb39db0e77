import Glibc

/// A damped spring: m·x″ = −k·x − c·x′, where x is the distance from rest.
public struct Spring: Hashable, Sendable {
    /// How the spring comes to rest.
    public enum Damping: Hashable, Sendable {
        /// It swings.
        case under
        /// As fast as can be without swinging.
        case critical
        /// Slower, without swinging.
        case over
    }

    /// m, over 0.
    public let mass: Double
    /// k, in mass units per second², over 0.
    public let stiffness: Double
    /// c, in mass units per second, at least 0.
    public let damping: Double

    /// - Precondition: mass and stiffness are over 0, damping is at least 0.
    public init(stiffness: Double, damping: Double, mass: Double = 1) {
        precondition(mass > 0 && stiffness > 0 && damping >= 0, "a spring needs mass, stiffness and no drive")
        self.mass = mass
        self.stiffness = stiffness
        self.damping = damping
    }

    /// By the damping ratio ζ = c/(2√(mk)).
    public init(stiffness: Double, dampingRatio: Double, mass: Double = 1) {
        self.init(stiffness: stiffness, damping: dampingRatio * 2 * (mass * stiffness).squareRoot(), mass: mass)
    }

    /// By its undamped angular frequency ω in radians per second; the mass is 1.
    public init(frequency: Double, dampingRatio: Double) {
        self.init(stiffness: frequency * frequency, damping: 2 * dampingRatio * frequency)
    }

    /// By the length of an undamped swing, in seconds, and the bounce −1…1, as SwiftUI's springs: ω = 2π/duration,
    /// ζ = 1 − bounce, or 1/(1 + bounce) below 0.
    public init(perceptualDuration: Double, bounce: Double) {
        self.init(
            frequency: 2 * .pi / perceptualDuration,
            dampingRatio: bounce >= 0 ? 1 - bounce : 1 / (1 + bounce))
    }

    /// What brings scrolled content back from past its end: critical, with ω = 11 a second.
    public static let popBounce = Spring(frequency: 11, dampingRatio: 1)

    /// ω = √(k/m), in radians per second.
    public var frequency: Double { (stiffness / mass).squareRoot() }
    /// ζ = c/(2√(mk)).
    public var dampingRatio: Double { damping / (2 * (mass * stiffness).squareRoot()) }

    /// How it comes to rest. A discriminant within rounding of 0 is critical.
    public var kind: Damping {
        let decay = damping / (2 * mass)
        let discriminant = decay * decay - stiffness / mass
        if abs(discriminant) <= 1e-12 * stiffness / mass { return .critical }
        return discriminant < 0 ? .under : .over
    }
}
