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

/// A property with its model value and the animation, if any, by which it shows.
///
/// Times are those of the recording, so that a value can be asked for at any time after its last change.
public struct AnimatedValue: Hashable, Sendable {
    /// The model value: what the property is set to, shown or not.
    public private(set) var model: Double
    private var animation: PropertyAnimation?
    /// When the animation began.
    private var start = 0.0
    /// When it ends. Kept, because (start + duration) − start need not be the duration, to the last bit.
    private var end = 0.0

    public init(_ value: Double) {
        model = value
    }

    /// What is shown.
    public func presentation(at time: Double) -> Double {
        guard let animation, time < end else { return model }
        return animation.value(at: time - start)
    }

    /// Of what is shown, in units per second.
    public func velocity(at time: Double) -> Double {
        guard let animation, time < end else { return 0 }
        return animation.velocity(at: time - start)
    }

    public func isSettled(at time: Double) -> Bool {
        animation == nil || time >= end
    }

    /// Changes the value at once, and ends what was running.
    public mutating func set(_ value: Double) {
        model = value
        animation = nil
    }

    /// Changes the model value at once and what is shown over a while, from what is shown now; replaces what was
    /// running.
    public mutating func animate(to value: Double, at time: Double, duration: Double, timing: Timing) {
        animation = PropertyAnimation(from: presentation(at: time), to: value, duration: duration, timing: timing)
        start = time
        end = time + duration
        model = value
    }
}
