/// An animated change of a property, as of a Core Animation layer: the model value changes at once; the presentation
/// value is from + (to − from)·B(t/D), and equals the model value from t ≥ D.
public struct PropertyAnimation: Motion, Hashable {
    /// The presentation value at the start.
    public let from: Double
    /// The model value, which is the presentation value at the end.
    public let to: Double
    /// The duration D, in seconds, at least 0.
    public let duration: Double
    /// The curve B.
    public let timing: Timing

    /// An animation over a duration in seconds; a negative duration counts as 0.
    public init(from: Double, to: Double, duration: Double, timing: Timing) {
        self.from = from
        self.to = to
        self.duration = max(0, duration)
        self.timing = timing
    }

    /// An animation along a timing curve, over a duration in seconds.
    public init(from: Double, to: Double, duration: Double, curve: TimingCurve) {
        self.init(from: from, to: to, duration: duration, timing: .curve(curve))
    }

    /// The presentation value at a time in seconds since the start.
    public func value(at time: Double) -> Double {
        // The formula may miss `to` by a rounding error at the end.
        guard time < duration else { return to }
        return from + (to - from) * timing.progress(at: time, duration: duration)
    }

    /// The velocity of the presentation value, in units per second.
    public func velocity(at time: Double) -> Double {
        (to - from) * timing.rate(at: time, duration: duration)
    }

    /// Whether the presentation value has reached the model value.
    public func isSettled(at time: Double) -> Bool {
        time >= duration
    }
}

/// A property with its model value and the animation, if any, that is running.
///
/// Times are those of the recording, so that the presentation value can be asked for at any time after the last
/// change.
public struct AnimatedValue: Hashable, Sendable {
    /// The model value: what the property is set to.
    public private(set) var model: Double
    private var animation: PropertyAnimation?
    /// The start of the animation, in seconds.
    private var start = 0.0
    /// The end of the animation, in seconds. Stored, because (start + duration) − start may differ from the duration
    /// in the last bit.
    private var end = 0.0

    /// A property that stands at a value.
    public init(_ value: Double) {
        model = value
    }

    /// The presentation value at a time in seconds.
    public func presentation(at time: Double) -> Double {
        guard let animation, time < end else { return model }
        return animation.value(at: time - start)
    }

    /// The velocity of the presentation value, in units per second.
    public func velocity(at time: Double) -> Double {
        guard let animation, time < end else { return 0 }
        return animation.velocity(at: time - start)
    }

    /// Whether the presentation value has reached the model value.
    public func isSettled(at time: Double) -> Bool {
        animation == nil || time >= end
    }

    /// Sets the model value and the presentation value, and ends the running animation.
    public mutating func set(_ value: Double) {
        model = value
        animation = nil
    }

    /// Moves the model value and the running animation, so that the presentation value moves by `distance` too.
    public mutating func shift(by distance: Double) {
        model += distance
        animation = animation.map {
            PropertyAnimation(
                from: $0.from + distance, to: $0.to + distance, duration: $0.duration, timing: $0.timing)
        }
    }

    /// Sets the model value and animates the presentation value to it, from its current value; replaces the running
    /// animation. This is UIKit's `beginFromCurrentState`.
    public mutating func animate(to value: Double, at time: Double, duration: Double, timing: Timing) {
        animation = PropertyAnimation(from: presentation(at: time), to: value, duration: duration, timing: timing)
        start = time
        end = time + duration
        model = value
    }
}
