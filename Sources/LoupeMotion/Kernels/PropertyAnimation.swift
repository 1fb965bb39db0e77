/// A change of a property that shows over a while: the model value is the new one at once, the presentation value
/// follows as from + (to − from)·B(t/D) and equals the model from t ≥ D (as Core Animation's layers do).
public struct PropertyAnimation: Motion, Hashable {
    public let from: Double
    /// The model value.
    public let to: Double
    /// In seconds, at least 0.
    public let duration: Double
    public let timing: Timing

    public init(from: Double, to: Double, duration: Double, timing: Timing) {
        self.from = from
        self.to = to
        self.duration = max(0, duration)
        self.timing = timing
    }

    public init(from: Double, to: Double, duration: Double, curve: TimingCurve) {
        self.init(from: from, to: to, duration: duration, timing: .curve(curve))
    }

    /// The presentation value.
    public func value(at time: Double) -> Double {
        // Not by the formula at its end, whose rounding may miss `to` by a bit.
        guard time < duration else { return to }
        return from + (to - from) * timing.progress(at: time, duration: duration)
    }

    public func velocity(at time: Double) -> Double {
        (to - from) * timing.rate(at: time, duration: duration)
    }

    public func isSettled(at time: Double) -> Bool {
        time >= duration
    }
}
