import LoupeBase

/// The gesture arenas of all touches, as in Flutter: decides which gesture each pair of touches becomes. The rules are
/// in docs/motion.md.
///
/// A touch takes part in at most one contest, and at most one gesture of a contest begins. Only one pair at a time
/// rewinds.
struct Arbiter: Sendable {
    private let thresholds: LoupeThresholds
    /// The current contests, and those that have ended since no other has begun.
    private(set) var contests: [Contest] = []
    /// The last decision.
    var decision: GestureDecision?
    private var count = 0

    init(_ thresholds: LoupeThresholds) { self.thresholds = thresholds }

    /// The contest that a touch takes part in.
    func contest(of id: Int) -> Contest? { index(of: id).map { contests[$0] } }

    /// Whether a gesture owns two touches that had no role before.
    var isBusy: Bool { contests.contains { $0.purpose == .anything && $0.winner != nil } }

    private func index(of id: Int) -> Int? {
        contests.firstIndex { !$0.isOver && $0.pair.ids.contains(id) }
    }

    // MARK: - Touches

    /// Observes two touches from now on, and neither with any other touch.
    /// - Precondition: no gesture owns them.
    mutating func watch(_ first: TrackedTouch, _ second: TrackedTouch, for purpose: Contest.Purpose, at time: Double) {
        let ids = [first.id, second.id]
        contests.removeAll { $0.isOver || ids.contains(where: $0.pair.ids.contains) }
        let pair = TouchPair(first, second, at: time)
        contests.append(Contest(number: count, purpose: purpose, pair: pair, thresholds: thresholds))
        count += 1
    }

    /// Records a touch's new position.
    /// - Returns: The touch's contest, if it is time to evaluate it.
    mutating func move(_ id: Int, to position: Point, at time: Double) -> Contest? {
        guard let index = index(of: id), contests[index].pair.move(id, to: position, at: time) else { return nil }
        guard contests[index].winner == nil else {
            contests[index].change()
            return contests[index]
        }
        contests[index].judge(rewindIsTaken: contests.contains { $0.winner == .rewind })
        note(contests[index], at: time)
        return contests[index]
    }

    /// A touch has ended.
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

    /// From now on, spreading can open a loupe again.
    mutating func forgetLeastSpan(of number: Int) {
        guard let index = contests.firstIndex(where: { $0.number == number }) else { return }
        contests[index].pair.forgetLeastSpan()
    }

    // MARK: - Ghosts

    /// A touch has left the screen.
    /// - Returns: The number of its contest.
    mutating func leave(_ id: Int) -> Int? {
        guard let index = index(of: id) else { return nil }
        contests[index].pair.leave(id)
        return contests[index].number
    }

    /// A touch takes over from a ghost.
    mutating func come(_ id: Int, at position: Point, into number: Int, time: Double) {
        guard let index = contests.firstIndex(where: { $0.number == number && !$0.isOver }) else { return }
        contests[index].pair.come(id, at: position, time: time)
    }

    /// A ghost has ended.
    mutating func giveUp(ghostOf number: Int, at time: Double) {
        guard let index = contests.firstIndex(where: { $0.number == number && !$0.isOver }) else { return }
        end(index, isCancelled: false, at: time)
    }
}
