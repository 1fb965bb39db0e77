// Undo and redo of strokes, and the steps of a Rewind.

/// An undo history in which cancelled work loses nothing.
///
/// Work that begins after an undo discards what could be redone, but only when it is finished: if it is cancelled,
/// redo remains possible. Cancelling a Rewind reverts all its steps; work that others finished meanwhile remains.
struct UndoHistory<Item: Hashable & Sendable>: Hashable, Sendable {
    private struct Snapshot: Hashable, Sendable {
        var done: [Item]
        var undone: [Item]
        let begun: [Item: Int]
    }

    /// The items that are done, in order.
    private(set) var done: [Item] = []
    /// What was undone and can still be redone; the last item is next.
    private var undone: [Item] = []
    /// Work that has begun, with the number of items of `undone` that it would discard.
    private var begun: [Item: Int] = [:]
    private var beforeRewind: Snapshot?

    // MARK: - Work

    /// Begins work, which is to be finished or cancelled.
    mutating func begin(_ item: Item) { begun[item] = undone.count }

    /// Finishes work. Nothing can be redone any more.
    mutating func finish(_ item: Item) {
        begun[item] = nil
        begun = begun.mapValues { _ in 0 }
        done.append(item)
        undone = []
        beforeRewind?.done.append(item)
        beforeRewind?.undone = []
    }

    /// Cancels work, as if it had never begun.
    mutating func cancel(_ item: Item) { begun[item] = nil }

    // MARK: - Undo

    /// The number of items that can be redone now.
    var redoable: Int { undone.count - (begun.values.max() ?? 0) }

    /// Undoes the last item.
    /// - Returns: Whether there was an item to undo.
    @discardableResult
    mutating func undo() -> Bool {
        guard let item = done.popLast() else { return false }
        undone.append(item)
        return true
    }

    /// Redoes the last undone item.
    /// - Returns: Whether there was an item to redo.
    @discardableResult
    mutating func redo() -> Bool {
        guard redoable > 0, let item = undone.popLast() else { return false }
        done.append(item)
        return true
    }

    // MARK: - Rewind

    /// Begins a Rewind, whose steps can be reverted together.
    mutating func beginRewind() { beforeRewind = Snapshot(done: done, undone: undone, begun: begun) }

    /// Ends the Rewind and keeps its steps.
    mutating func endRewind() { beforeRewind = nil }

    /// Ends the Rewind and reverts its steps.
    mutating func cancelRewind() {
        guard let before = beforeRewind else { return }
        (done, undone) = (before.done, before.undone)
        for item in begun.keys { begun[item] = min(before.begun[item] ?? .max, undone.count) }
        beforeRewind = nil
    }
}

/// The stepping of a Rewind, with hysteresis: one stroke for each full step of its angle, and one back only after a
/// full step back, so that a trembling hand does not undo and redo alternately.
struct RewindSteps: Hashable, Sendable {
    /// The angle of a step, in degrees.
    let step: Double
    /// The turning at the last step, in degrees.
    private var mark = 0.0

    init(step: Double) { self.step = step }

    /// Advances to a turning.
    /// - Parameter turning: Since the touches of the Rewind came down, in degrees, clockwise positive.
    /// - Returns: The number of strokes to redo; negative to undo.
    mutating func advance(to turning: Double) -> Int {
        let count = ((turning - mark) / step).rounded(.towardZero)
        mark += count * step
        return Int(count)
    }
}
