/// How an animation's progress runs from 0 to 1 over its duration.
public enum Timing: Hashable, Sendable {
    case curve(TimingCurve)
    /// UIKit's spring: it swings for the whole duration, then stands at its end.
    case spring(ResponseSpring)

    /// - Parameters:
    ///   - time: Seconds since the animation's start.
    ///   - duration: In seconds.
    /// - Returns: 0 up to the start, exactly 1 from the duration on; a spring passes 1 on its way.
    public func progress(at time: Double, duration: Double) -> Double {
        guard time < duration else { return 1 }
        guard time > 0 else { return 0 }
        switch self {
        case .curve(let curve): return curve.progress(at: time / duration)
        case .spring(let spring): return spring.motion.value(at: time)
        }
    }

    /// The slope of progress, per second; 0 outside the duration.
    public func rate(at time: Double, duration: Double) -> Double {
        guard time >= 0, time < duration else { return 0 }
        switch self {
        case .curve(let curve): return curve.rate(at: time / duration) / duration
        case .spring(let spring): return spring.motion.velocity(at: time)
        }
    }
}
