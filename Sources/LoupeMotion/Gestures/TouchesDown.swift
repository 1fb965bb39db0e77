import LoupeGeometry

/// The fingers on the glass, in the order in which they came.
struct TouchesDown {
    private(set) var touches: [TrackedTouch] = []

    /// The velocity of some touches is told from here on only.
    mutating func forgetVelocity(of ids: [Int]) {
        for index in touches.indices where ids.contains(touches[index].id) { touches[index].forgetVelocity() }
    }

    /// Takes an event in.
    /// - Returns: The touch after the event; one that has ended is among `touches` no more. Nil for a touch that never
    ///   began.
    mutating func apply(_ touch: Touch, at time: Double) -> TrackedTouch? {
        if touch.phase == .began {
            let tracked = TrackedTouch(touch, at: time)
            touches.append(tracked)
            return tracked
        }
        guard let index = touches.firstIndex(where: { $0.id == touch.id }) else { return nil }
        switch touch.phase {
        case .began, .moved:
            touches[index].move(to: touch.place, at: time)
            return touches[index]
        case .ended, .cancelled:
            touches[index].end(at: touch.place)
            return touches.remove(at: index)
        }
    }
}
