/// What two touches may become.
public enum Gesture: String, Hashable, Sendable, CaseIterable {
    /// The span changes.
    case pinch
    /// Both go the same way.
    case pan
    /// A circle traced with two adjoining touches: counter-clockwise undoes, clockwise redoes.
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
public enum GestureState: String, Hashable, Sendable, CaseIterable {
    /// Watches, and has claimed nothing.
    case possible
    /// Has just won its touches.
    case began
    /// Goes on.
    case changed
    /// A touch was lifted.
    case ended
    /// The system took a touch away: what the gesture did is taken back where it can be.
    case cancelled
    /// Will not begin with these touches any more.
    case failed

    /// Whether the gesture has its touches to itself.
    public var isActive: Bool { self == .began || self == .changed }

    /// Whether nothing follows.
    public var isFinal: Bool { self == .ended || self == .cancelled || self == .failed }

    func canBecome(_ next: GestureState) -> Bool {
        switch self {
        case .possible: next == .began || next == .failed
        case .began, .changed: next == .changed || next == .ended || next == .cancelled
        case .ended, .cancelled, .failed: false
        }
    }
}
