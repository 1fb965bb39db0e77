/// An easing curve: a cubic Bézier from (0, 0) to (1, 1) with two control points, as in CSS and Core Animation.
///
/// Source: CSS Easing Functions Level 1, section 2.3; x(s) = t is solved for s by Newton's method, then bisection.
public struct TimingCurve: Hashable, Sendable {
    /// The x of the first control point, 0…1, so that x(s) is monotonic.
    public let x1: Double
    /// The y of the first control point.
    public let y1: Double
    /// The x of the second control point, 0…1.
    public let x2: Double
    /// The y of the second control point.
    public let y2: Double

    /// A curve by its two control points.
    /// - Precondition: `x1` and `x2` are within 0…1.
    public init(x1: Double, y1: Double, x2: Double, y2: Double) {
        precondition((0...1).contains(x1) && (0...1).contains(x2), "a timing curve's x1 and x2 must be within 0…1")
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }

    /// CSS `linear`.
    public static let linear = TimingCurve(x1: 0, y1: 0, x2: 1, y2: 1)
    /// CSS `ease-in`.
    public static let easeIn = TimingCurve(x1: 0.42, y1: 0, x2: 1, y2: 1)
    /// CSS `ease-out`.
    public static let easeOut = TimingCurve(x1: 0, y1: 0, x2: 0.58, y2: 1)
    /// CSS `ease-in-out`.
    public static let easeInOut = TimingCurve(x1: 0.42, y1: 0, x2: 0.58, y2: 1)
    /// Core Animation's default; CSS `ease`.
    public static let standard = TimingCurve(x1: 0.25, y1: 0.1, x2: 0.25, y2: 1)

    /// The greatest error of x(s).
    static let accuracy = 1e-7
}

extension TimingCurve {
    /// The progress after a fraction of the duration.
    /// - Parameter fraction: 0…1; outside of it, progress is 0 or 1.
    /// - Returns: 0 at 0 and 1 at 1; between them it may overshoot if `y1` or `y2` does.
    public func progress(at fraction: Double) -> Double {
        guard fraction > 0 else { return 0 }
        guard fraction < 1 else { return 1 }
        guard self != .linear else { return fraction }
        return Self.bezier(y1, y2, newton(fraction) ?? bisection(fraction))
    }

    /// The parameter s with x(s) = `x`; nil where the method does not converge.
    private func newton(_ x: Double) -> Double? {
        var s = x
        for _ in 0..<8 {
            let error = Self.bezier(x1, x2, s) - x
            let slope = Self.slope(x1, x2, s)
            if abs(error) < Self.accuracy * min(1, slope) { return s }
            guard abs(slope) > 1e-6 else { return nil }
            s -= error / slope
            guard (0...1).contains(s) else { return nil }
        }
        return nil
    }

    /// x(s) is monotonic, so bisection always converges.
    private func bisection(_ x: Double) -> Double {
        var low = 0.0
        var high = 1.0
        while high - low > 1e-12 {
            let middle = (low + high) / 2
            if Self.bezier(x1, x2, middle) < x { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// One coordinate of the curve: 3(1−s)²s·a + 3(1−s)s²·b + s³.
    private static func bezier(_ a: Double, _ b: Double, _ s: Double) -> Double {
        (((1 - 3 * b + 3 * a) * s + (3 * b - 6 * a)) * s + 3 * a) * s
    }

    private static func slope(_ a: Double, _ b: Double, _ s: Double) -> Double {
        (3 * (1 - 3 * b + 3 * a) * s + 2 * (3 * b - 6 * a)) * s + 3 * a
    }
}

/// The course of an animation's progress from 0 to 1 over its duration: along a timing curve or on a spring.
public enum Timing: Hashable, Sendable {
    /// A cubic Bézier.
    case curve(TimingCurve)
    /// UIKit's spring: it oscillates for the whole duration, then stands at its end.
    case spring(ResponseSpring)

    /// The progress at a time.
    /// - Parameters:
    ///   - time: Seconds since the start of the animation.
    ///   - duration: In seconds.
    /// - Returns: 0 before the start, exactly 1 from the duration on; a spring passes 1 in between.
    public func progress(at time: Double, duration: Double) -> Double {
        guard time < duration else { return 1 }
        guard time > 0 else { return 0 }
        switch self {
        case .curve(let curve): return curve.progress(at: time / duration)
        case .spring(let spring): return spring.motion.value(at: time)
        }
    }
}
