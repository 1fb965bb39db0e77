import LoupeGeometry

/// What of the decelerating scroll view can be set.
public struct ScrollOptions: Hashable, Sendable {
    /// What happens at the content's ends.
    public enum Ends: String, Hashable, Sendable, CaseIterable {
        /// The content stops dead.
        case clamp
        /// The deceleration runs past the content, as in the article's first version; drags stop at the ends.
        case free
        /// A drag stretches a rubber band, a deceleration is brought back by a spring.
        case bounce
    }

    /// What Pop animates, which sets the velocity at which it rests.
    public enum Property: String, Hashable, Sendable, CaseIterable {
        /// The view's bounds: under 5 points a second.
        case bounds
        /// A custom property for the bounds' origin: under .05 points a second.
        case custom

        public var threshold: Double {
            self == .bounds ? Decay.boundsThreshold : Decay.customPropertyThreshold
        }
    }

    public var ends = Ends.clamp
    public var property = Property.bounds
    /// What is left of the velocity after a millisecond: .998, or .99 for fast deceleration.
    public var deceleration = Decay.normalDeceleration
    /// Whether a drag that is mostly along one axis moves along that one only.
    public var directionLock = false
    /// The bounds' origin at the start, in points of the content.
    public var offset = Vector.zero

    public init() {}
}
