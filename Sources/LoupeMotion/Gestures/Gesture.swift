/// What two touches may become.
public enum Gesture: String, Hashable, Sendable, CaseIterable {
    /// The span changes.
    case pinch
    /// Both go the same way.
    case pan
    /// A circle traced with two adjoining touches: counter-clockwise undoes, clockwise redoes.
    case rewind
}
