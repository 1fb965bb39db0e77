// Undo and redo of strokes, and the steps of a Rewind.

/// An undo history in which cancelled work loses nothing.
///
/// Work that begins after an undo discards what could be redone, but only when it is finished: if it is cancelled,
/// redo remains possible. Cancelling a Rewind reverts all its steps; work that others finished meanwhile remains.
struct UndoHistory<Item: Hashable & Sendable>: Hashable, Sendable {
    private struct Snapshot: Hashable, Sendable {
        var done: SharedStack<Item>
        var undone: SharedStack<Item>
        let begun: [Item: Int]
    }

    /// The items that are done; the last one is on top.
    private(set) var done = SharedStack<Item>()
    /// What was undone and can still be redone; the next item is on top.
    private var undone = SharedStack<Item>()
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
        done.push(item)
        undone = SharedStack()
        beforeRewind?.done.push(item)
        beforeRewind?.undone = SharedStack()
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
        guard let item = done.pop() else { return false }
        undone.push(item)
        return true
    }

    /// Redoes the last undone item.
    /// - Returns: Whether there was an item to redo.
    @discardableResult
    mutating func redo() -> Bool {
        guard redoable > 0, let item = undone.pop() else { return false }
        done.push(item)
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

/// A stack whose copies share most of their items, so that each event can have a copy of a long one.
struct SharedStack<Item: Hashable & Sendable>: Hashable, Sendable {
    /// Full chunks of items. Chunks, and not single items, because a chain is released by recursion.
    private indirect enum Chunks: Hashable, Sendable {
        case none
        case chunk([Item], below: Chunks)
    }

    private var below = Chunks.none
    /// The items above the full chunks; empty only if the stack is.
    private var top: [Item] = []
    private(set) var count = 0

    private static var chunkSize: Int { 100 }

    mutating func push(_ item: Item) {
        if top.count == Self.chunkSize { (below, top) = (.chunk(top, below: below), []) }
        top.append(item)
        count += 1
    }

    mutating func pop() -> Item? {
        guard let item = top.popLast() else { return nil }
        if top.isEmpty, case .chunk(let items, let rest) = below { (top, below) = (items, rest) }
        count -= 1
        return item
    }

    /// The items from the bottom to the top.
    var items: [Item] {
        var (chunks, rest) = ([top], below)
        while case .chunk(let items, let next) = rest {
            chunks.append(items)
            rest = next
        }
        return chunks.reversed().flatMap { $0 }
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
