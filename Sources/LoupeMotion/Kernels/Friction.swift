import Glibc

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
    public let tolerance: Tolerance

    /// - Precondition: 0 < drag < 1.
    public init(from start: Double, velocity: Double, drag: Double, tolerance: Tolerance = .fine) {
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
            tolerance: Tolerance(distance: Tolerance.fine.distance, velocity: abs(endVelocity)))
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
