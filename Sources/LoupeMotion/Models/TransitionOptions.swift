import LoupeScene

/// What of the zoom transition can be set, and its measures (Titanium's).
public struct TransitionOptions: Hashable, Sendable {
    /// What a single tap on an enlarged picture does.
    public enum ZoomedTap: String, Hashable, Sendable, CaseIterable {
        case resets
        case dismisses
    }

    public var zoomedTap = ZoomedTap.resets
    /// Behind the full-screen picture.
    public var background = Color(red: 0, green: 0, blue: 0)

    public init() {}

    static let presentSpring = ResponseSpring(dampingRatio: 0.7, duration: 0.5)
    static let dismissSpring = ResponseSpring(dampingRatio: 1, duration: 0.3, velocity: 1)
    /// Of the mask and its corners, in seconds.
    static let maskDuration = 0.15

    static let zoomRange: ClosedRange<Double> = 1...3
    /// Of the way back into `zoomRange`, in seconds.
    static let zoomBackDuration = 0.25
    /// Of a double tap's zoom and of a reset, in seconds.
    static let doubleTapDuration = 0.3

    /// For how long a released picture would go on, in seconds.
    static let throwTime = 0.15
    /// From this speed on a release is a throw, in points per second.
    static let throwSpeed = 200.0
}
