/// A value that moves by a closed form of time, so that no error adds up from frame to frame.
///
/// Time is in seconds from the motion's own start; before it, a motion stands where it starts.
public protocol Motion: Sendable {
    /// In the motion's unit, for most points.
    func value(at time: Double) -> Double
    /// In units per second.
    func velocity(at time: Double) -> Double
    /// Whether the motion has come to rest, within its thresholds, for good.
    func isSettled(at time: Double) -> Bool
}

/// A motion that only ever goes one way, slower and slower, towards a last value.
public protocol CoastingMotion: Motion {
    /// The value that the motion ends at, or tends to.
    var restValue: Double { get }
    /// The time at which the motion comes by a value, in seconds; nil where it never does.
    func time(reaching value: Double) -> Double?
}

/// How near to its end a motion counts as settled.
public struct SettlingTolerance: Hashable, Sendable {
    /// In the motion's unit.
    public var distance: Double
    /// In units per second.
    public var velocity: Double

    public init(distance: Double, velocity: Double) {
        self.distance = distance
        self.velocity = velocity
    }

    /// A thousandth of a point, and of a point per second.
    public static let fine = SettlingTolerance(distance: 0.001, velocity: 0.001)
}
