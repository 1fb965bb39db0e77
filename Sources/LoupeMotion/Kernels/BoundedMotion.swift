/// A motion that is held within bounds: it stops dead at an end.
public struct BoundedMotion<Free: Motion>: Motion {
    public let free: Free
    public let bounds: ClosedRange<Double>
    /// Settled is also what has come this near to an end.
    public let tolerance: Tolerance

    public init(_ free: Free, in bounds: ClosedRange<Double>, tolerance: Tolerance = .fine) {
        self.free = free
        self.bounds = bounds
        self.tolerance = tolerance
    }

    public func value(at time: Double) -> Double {
        min(max(free.value(at: time), bounds.lowerBound), bounds.upperBound)
    }

    /// 0 beyond an end.
    public func velocity(at time: Double) -> Double {
        bounds.contains(free.value(at: time)) ? free.velocity(at: time) : 0
    }

    /// Settled at an end only while moving into it or standing there: a motion may well start at one.
    public func isSettled(at time: Double) -> Bool {
        let velocity = free.velocity(at: time)
        let isAtLower = value(at: time) - bounds.lowerBound < tolerance.distance && velocity <= 0
        let isAtUpper = bounds.upperBound - value(at: time) < tolerance.distance && velocity >= 0
        return free.isSettled(at: time) || isAtLower || isAtUpper
    }
}

extension BoundedMotion: Equatable where Free: Equatable {}
extension BoundedMotion: Hashable where Free: Hashable {}
