/// A value that moves by a closed form of time, so that no error accumulates from frame to frame (the idea of
/// Flutter's `Simulation`).
///
/// Time is in seconds from the motion's own start. Before its start, a motion has its start value.
public protocol Motion: Sendable {
    /// The value at a time, in the motion's unit: points for most motions.
    func value(at time: Double) -> Double
    /// The velocity at a time, in units per second.
    func velocity(at time: Double) -> Double
    /// Whether the motion has come to rest for good.
    func isSettled(at time: Double) -> Bool
}

extension Motion {
    /// The time from which the motion rests, in seconds, in steps of 10 ms; at most 200 s. A fast flick at the slowest deceleration
    /// takes 130 s.
    var settlingTime: Double {
        var step = 0
        while step < 20_000, !isSettled(at: Double(step) / 100) { step += 1 }
        return Double(step) / 100
    }
}
