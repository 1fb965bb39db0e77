/// Turns the angle of a Rewind into strokes: one at each full step, and back only after a full step back, so that a
/// trembling hand does not undo and redo by turns.
struct RewindSteps: Hashable, Sendable {
    /// In degrees.
    let step: Double
    /// The turning at the last stroke, in degrees.
    private var mark = 0.0

    init(step: Double) { self.step = step }

    /// - Parameter turning: Since the Rewind's touches came down, in degrees, clockwise positive.
    /// - Returns: How many strokes to redo; negative to undo.
    mutating func advance(to turning: Double) -> Int {
        let count = ((turning - mark) / step).rounded(.towardZero)
        mark += count * step
        return Int(count)
    }
}
