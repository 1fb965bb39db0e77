/// What of the tilting panner can be set.
public struct TiltOptions: Hashable, Sendable {
    /// How many points the photo moves for a sample of one radian per second, at z = 1.
    public var gain = 5.0
    /// Of the ease that each accepted sample starts, in seconds.
    public var easeDuration = 0.3

    public init() {}

    /// Of the way between panning and the full photo, in seconds.
    static let toggleDuration = 0.3
    /// How far a pinch may enlarge the photo beyond the canvas's height.
    static let greatestEnlargement = 2.0
}
