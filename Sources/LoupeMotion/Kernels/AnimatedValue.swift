/// A property with its model value and the animation, if any, that is running, as of a Core Animation layer.
///
/// The model value changes at once. The presentation value is from + (to − from)·B(t/D) for a curve B and a duration D, and
/// equals the model value from t ≥ D. Times are those of the recording, so that the presentation value can be asked for at
/// any time after the last change.
public struct AnimatedValue: Hashable, Sendable {
    private enum Animation: Hashable {
        /// With a velocity of its own at the start, in units per second, which dies away.
        case ease(from: Double, duration: Double, Timing, velocity: Double)
        case glide(Glide)
    }

    /// The model value: what the property is set to.
    public private(set) var model: Double
    private var animation: Animation?
    /// The start of the animation, in seconds.
    private var start = 0.0
    /// The end of the animation, in seconds. Stored, because (start + duration) − start may differ from the duration
    /// in the last bit.
    public private(set) var end = 0.0

    /// A property that stands at a value.
    public init(_ value: Double) {
        model = value
    }

    /// The presentation value at a time in seconds.
    public func presentation(at time: Double) -> Double {
        guard let animation, time < end else { return model }
        switch animation {
        case .ease(let from, let duration, let timing, let velocity):
            // The formula may miss the model value by a rounding error at the end.
            let isOver = time - start >= duration
            let eased = isOver ? model : from + (model - from) * timing.progress(at: time - start, duration: duration)
            return eased + Self.push(velocity).value(at: time - start)
        case .glide(let motion): return motion.value(at: time - start)
        }
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

    /// Ends the running animation where it is.
    mutating func freeze(at time: Double) { set(presentation(at: time)) }

    /// Moves the model value and the running animation, so that the presentation value moves by `distance` too.
    public mutating func shift(by distance: Double) {
        model += distance
        switch animation {
        case .ease(let from, let duration, let timing, let velocity):
            animation = .ease(from: from + distance, duration: duration, timing, velocity: velocity)
        case .glide(let motion): animation = .glide(motion.shifted(by: distance))
        case nil: break
        }
    }

    /// Sets the model value and animates the presentation value to it, from its current value; replaces the running
    /// animation. This is UIKit's `beginFromCurrentState`.
    /// - Parameters:
    ///   - duration: In seconds, from 0.
    ///   - velocity: What the presentation value moves with beside the animation, in units per second; it dies away on a
    ///     critically damped spring.
    public mutating func animate(
        to value: Double, at time: Double, duration: Double, timing: Timing, velocity: Double = 0
    ) {
        animation = .ease(from: presentation(at: time), duration: duration, timing, velocity: velocity)
        start = time
        end = time + max(duration, velocity == 0 ? 0 : Self.push(velocity).settlingTime)
        model = value
    }

    private static func push(_ velocity: Double) -> SpringMotion {
        SpringMotion(.bounce, from: 0, to: 0, velocity: velocity)
    }

    /// Sets the model value and lets the presentation value glide to it with a velocity, in units per second.
    public mutating func glide(to value: Double, velocity: Double, at time: Double) {
        let motion = Glide(from: presentation(at: time), to: value, velocity: velocity)
        animation = .glide(motion)
        start = time
        end = time + motion.settlingTime
        model = value
    }
}
