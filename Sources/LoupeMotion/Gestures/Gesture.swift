// The gestures of two touches, and the states of a gesture.

/// A gesture of two touches.
enum Gesture: String, Hashable, Sendable, CaseIterable {
    /// The span of the touches changes.
    case pinch
    /// Both touches move in the same direction.
    case pan
    /// A circle traced with two adjoining touches, FiftyThree Paper's Rewind: counter-clockwise undoes, clockwise
    /// redoes.
    case rewind
}

/// The states of a continuous gesture, with UIKit's names and meaning.
///
/// ```
/// possible ─▶ began ─▶ changed ─▶ ended
///     │                   └─────▶ cancelled
///     └─▶ failed
/// ```
/// A gesture that has begun may end or be cancelled before it has changed.
enum GestureState: String, Hashable, Sendable {
    /// Observes the touches; nothing is decided.
    case possible
    /// The gesture has just won its touches.
    case began
    /// The touches of the gesture have moved.
    case changed
    /// A touch was lifted.
    case ended
    /// The system took a touch away; what the gesture did is undone where possible.
    case cancelled
    /// The gesture can no longer begin with these touches.
    case failed

    /// Whether the gesture owns its touches.
    var isActive: Bool { self == .began || self == .changed }

    /// Whether no other state can follow.
    var isFinal: Bool { self == .ended || self == .cancelled || self == .failed }
}
