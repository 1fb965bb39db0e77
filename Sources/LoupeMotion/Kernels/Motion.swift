/// A value that moves by a closed form of time, so that no error accumulates from frame to frame (the idea of
/// Flutter's `Simulation`).
///
/// Time is in seconds from the motion's own start. Before its start, a motion has its start value.
public protocol Motion: Sendable {
    /// The value at a time, in the motion's unit: points for most motions.
    func value(at time: Double) -> Double
    /// The velocity at a time, in units per second.
    func velocity(at time: Double) -> Double
    /// Whether the motion has come to rest for good, within its tolerance.
    func isSettled(at time: Double) -> Bool
}

/// A motion that goes in one direction, ever slower, towards a final value.
public protocol CoastingMotion: Motion {
    /// The value at which the motion ends, or which it approaches.
    var restValue: Double { get }
    /// The time at which the motion passes a value, in seconds; nil if it never does.
    func time(reaching value: Double) -> Double?
}

/// How close to its end, and how slow, a motion must be to count as settled.
public struct SettlingTolerance: Hashable, Sendable {
    /// The largest distance from the end, in the motion's unit.
    public var distance: Double
    /// The largest velocity, in units per second.
    public var velocity: Double

    /// A largest distance in the motion's unit, and a largest velocity in units per second.
    public init(distance: Double, velocity: Double) {
        self.distance = distance
        self.velocity = velocity
    }

    /// A thousandth of a point, and of a point per second.
    public static let fine = SettlingTolerance(distance: 0.001, velocity: 0.001)
}
