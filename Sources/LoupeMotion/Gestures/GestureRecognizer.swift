/// Tells one gesture of two touches, or says why it is none (yet).
///
/// It looks at the whole past of its touches and keeps nothing of its own but its record. It never begins by itself:
/// the arbiter lets one of several begin, or none.
protocol GestureRecognizer: Sendable {
    var record: GestureRecord { get set }

    /// How far the touches are past the threshold, in thresholds: 1 at it.
    /// - Parameter rivals: What else the touches may still become.
    func progress(of pair: TouchPair, against rivals: Set<Gesture>) -> Double

    /// Why these touches can't become the gesture any more; nil while they can.
    func refusal(of pair: TouchPair) -> GestureReason?

    /// Why the gesture can't begin just now, whatever its progress; nil where nothing stands against it.
    func hesitation(over pair: TouchPair, against rivals: Set<Gesture>) -> GestureReason?
}

extension GestureRecognizer {
    func refusal(of pair: TouchPair) -> GestureReason? { nil }
    func hesitation(over pair: TouchPair, against rivals: Set<Gesture>) -> GestureReason? { nil }
}

/// How a recognizer stands.
struct GestureRecord: Hashable, Sendable {
    let gesture: Gesture
    private(set) var state = GestureState.possible
    /// In thresholds; that of the decision for one that has failed.
    var progress = 0.0
    private(set) var reason = GestureReason.belowThreshold

    init(_ gesture: Gesture) { self.gesture = gesture }

    /// - Precondition: UIKit knows the transition.
    mutating func become(_ next: GestureState, because reason: GestureReason? = nil) {
        precondition(state.canBecome(next), "\(gesture) can't go from \(state) to \(next)")
        state = next
        self.reason = reason ?? self.reason
    }

    /// Stays possible, for a reason.
    mutating func wait(because reason: GestureReason) { self.reason = reason }
}
