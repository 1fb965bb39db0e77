import LoupeGeometry

/// Decides which gesture two touches are. See docs/gestures.md for the rules.
///
/// A touch is in one contest at most, and in a contest one recognizer at most has begun. Only one pair at a time
/// rewinds.
struct Arbiter: Sendable {
    private let thresholds: LoupeThresholds
    /// Those going on, and those that are over since no other has begun.
    private(set) var contests: [Contest] = []
    private(set) var decision: GestureDecision?
    private var count = 0

    init(_ thresholds: LoupeThresholds) { self.thresholds = thresholds }

    /// The contest that a touch is in.
    func contest(of id: Int) -> Contest? { index(of: id).map { contests[$0] } }

    /// Whether a gesture has two of the touches that had nothing to do.
    var isBusy: Bool { contests.contains { $0.purpose == .anything && $0.winner != nil } }

    private func index(of id: Int) -> Int? {
        contests.firstIndex { !$0.isOver && $0.pair.ids.contains(id) }
    }

    // MARK: - Touches

    /// Watches two touches from now on, and neither with any other.
    /// - Precondition: No gesture has them.
    mutating func watch(_ first: TrackedTouch, _ second: TrackedTouch, for purpose: Contest.Purpose, at time: Double) {
        let ids = [first.id, second.id]
        contests.removeAll { $0.isOver || ids.contains(where: $0.pair.ids.contains) }
        let pair = TouchPair(first, second, at: time, stride: thresholds.stride)
        contests.append(Contest(number: count, purpose: purpose, pair: pair, thresholds: thresholds))
        count += 1
    }

    /// Takes a touch's new place in.
    /// - Returns: Its contest, if this is a moment at which to look at it.
    mutating func move(_ id: Int, to place: Point, at time: Double) -> Contest? {
        guard let index = index(of: id), contests[index].pair.move(id, to: place, at: time) else { return nil }
        guard contests[index].winner == nil else {
            contests[index].change()
            return contests[index]
        }
        contests[index].judge(rewindIsTaken: contests.contains { $0.winner == .rewind })
        note(contests[index], at: time)
        return contests[index]
    }

    /// A touch is gone for good.
    /// - Returns: Its contest, which is over.
    mutating func lift(_ id: Int, isCancelled: Bool, at time: Double) -> Contest? {
        guard let index = index(of: id) else { return nil }
        end(index, isCancelled: isCancelled, at: time)
        return contests[index]
    }

    private mutating func end(_ index: Int, isCancelled: Bool, at time: Double) {
        let wasDecided = contests[index].winner != nil
        contests[index].end(isCancelled: isCancelled)
        if !wasDecided { note(contests[index], at: time) }
    }

    private mutating func note(_ contest: Contest, at time: Double) {
        guard contest.winner != nil || contest.isOver else { return }
        decision = GestureDecision(contest, at: time)
    }

    /// Spreading from here on summons a loupe.
    mutating func forgetLeastSpan(of number: Int) {
        guard let index = contests.firstIndex(where: { $0.number == number }) else { return }
        contests[index].pair.forgetLeastSpan()
    }

    // MARK: - Ghosts

    /// A touch goes on off the screen.
    /// - Returns: The number of its contest.
    mutating func leave(_ id: Int) -> Int? {
        guard let index = index(of: id) else { return nil }
        contests[index].pair.leave(id)
        return contests[index].number
    }

    /// A touch takes a ghost over.
    mutating func come(_ id: Int, at place: Point, into number: Int, time: Double) {
        guard let index = contests.firstIndex(where: { $0.number == number && !$0.isOver }) else { return }
        contests[index].pair.come(id, at: place, time: time)
    }

    /// A ghost is gone for good.
    mutating func giveUp(ghostOf number: Int, at time: Double) {
        guard let index = contests.firstIndex(where: { $0.number == number && !$0.isOver }) else { return }
        end(index, isCancelled: false, at: time)
    }
}
