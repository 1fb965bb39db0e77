/// What was done, what can be redone, and nothing lost by what is cancelled.
///
/// Work that begins after an undo cuts off what could be redone. It is only set aside until the work is done: cancelled
/// work gives it back. A Rewind that is cancelled takes all its steps back; what others did meanwhile stays.
public struct UndoHistory<Item: Hashable & Sendable>: Hashable, Sendable {
    /// One thing that happened and was not taken back.
    public enum Step: Hashable, Sendable {
        case did(Item)
        case undid
        case redid
    }

    private struct Snapshot: Hashable, Sendable {
        var done: [Item]
        var undone: [Item]
        var steps: [Step]
        let begun: [Item: Int]
    }

    /// In the order in which it was done.
    public private(set) var done: [Item] = []
    /// All that led here from the beginning.
    public private(set) var steps: [Step] = []

    /// What was undone and not cut off for good; the last is next.
    private var undone: [Item] = []
    /// Work that has begun, each with how many of `undone` it has set aside.
    private var begun: [Item: Int] = [:]
    private var beforeRewind: Snapshot?

    public init() {}

    /// The history that steps lead to.
    public init(replaying steps: [Step]) {
        for step in steps {
            switch step {
            case .did(let item):
                begin(item)
                finish(item)
            case .undid: undo()
            case .redid: redo()
            }
        }
    }

    // MARK: - Work

    /// Work begins; it is to be finished or cancelled.
    public mutating func begin(_ item: Item) { begun[item] = undone.count }

    /// Work is done. What could be redone is gone.
    public mutating func finish(_ item: Item) {
        begun[item] = nil
        begun = begun.mapValues { _ in 0 }
        done.append(item)
        steps.append(.did(item))
        undone = []
        beforeRewind?.done.append(item)
        beforeRewind?.steps.append(.did(item))
        beforeRewind?.undone = []
    }

    /// Work never was.
    public mutating func cancel(_ item: Item) { begun[item] = nil }

    // MARK: - Undo

    /// How many things can be redone just now.
    public var redoable: Int { undone.count - (begun.values.max() ?? 0) }

    /// - Returns: Whether there was anything to undo.
    @discardableResult
    public mutating func undo() -> Bool {
        guard let item = done.popLast() else { return false }
        undone.append(item)
        steps.append(.undid)
        return true
    }

    /// - Returns: Whether there was anything to redo.
    @discardableResult
    public mutating func redo() -> Bool {
        guard redoable > 0, let item = undone.popLast() else { return false }
        done.append(item)
        steps.append(.redid)
        return true
    }

    // MARK: - Rewind

    public mutating func beginRewind() {
        beforeRewind = Snapshot(done: done, undone: undone, steps: steps, begun: begun)
    }

    public mutating func endRewind() { beforeRewind = nil }

    public mutating func cancelRewind() {
        guard let before = beforeRewind else { return }
        done = before.done
        undone = before.undone
        steps = before.steps
        for item in begun.keys { begun[item] = min(before.begun[item] ?? .max, undone.count) }
        beforeRewind = nil
    }
}

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
