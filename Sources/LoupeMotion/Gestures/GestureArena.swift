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

    /// Takes a touch's new position in.
    /// - Returns: Its contest, if this is a moment at which to look at it.
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
    mutating func come(_ id: Int, at position: Point, into number: Int, time: Double) {
        guard let index = contests.firstIndex(where: { $0.number == number && !$0.isOver }) else { return }
        contests[index].pair.come(id, at: position, time: time)
    }

    /// A ghost is gone for good.
    mutating func giveUp(ghostOf number: Int, at time: Double) {
        guard let index = contests.firstIndex(where: { $0.number == number && !$0.isOver }) else { return }
        end(index, isCancelled: false, at: time)
    }
}

/// Two touches, and the three recognizers that watch them together.
struct Contest: Sendable {
    enum Purpose: Hashable, Sendable {
        /// The touches have nothing to do yet: any gesture may win them.
        case anything
        /// The touches draw, resize or do nothing beside a held loupe: only Rewind may win them.
        case rewind
    }

    /// Counted from 0.
    let number: Int
    let purpose: Purpose
    var pair: TouchPair
    /// The touches that it began with.
    let ids: [Int]
    private(set) var recognizers: [GestureRecognizer]
    /// What ended it before any gesture had won.
    private(set) var ending: GestureReason?
    private let lead: Double

    init(number: Int, purpose: Purpose, pair: TouchPair, thresholds: LoupeThresholds) {
        self.number = number
        self.purpose = purpose
        self.pair = pair
        ids = pair.ids
        lead = thresholds.lead
        recognizers = Gesture.allCases.map { GestureRecognizer($0, thresholds: thresholds) }
    }

    /// The gesture that has the touches.
    var winner: Gesture? { recognizers.first { $0.record.state.isActive }?.record.gesture }
    var isOver: Bool { recognizers.allSatisfy { $0.record.state.isFinal } }
    private var possible: [Int] { recognizers.indices.filter { recognizers[$0].record.state == .possible } }

    // MARK: - Deciding

    /// Lets one recognizer begin, if one is far enough ahead of all others that are possible.
    /// - Parameter rewindIsTaken: Another pair of touches rewinds.
    mutating func judge(rewindIsTaken: Bool) {
        refuse(rewindIsTaken: rewindIsTaken)
        measure()
        for index in possible {
            guard let obstacle = obstacle(for: index) else { return begin(index) }
            recognizers[index].record.wait(because: obstacle)
        }
        let rewindIsPossible = possible.contains { recognizers[$0].record.gesture == .rewind }
        if purpose == .rewind, !rewindIsPossible { fail(because: .watched) }
    }

    private mutating func refuse(rewindIsTaken: Bool) {
        for index in possible {
            let isTaken = rewindIsTaken && recognizers[index].record.gesture == .rewind
            if let refusal = isTaken ? .taken : recognizers[index].refusal(of: pair) {
                recognizers[index].record.become(.failed, because: refusal)
            }
        }
    }

    private mutating func measure() {
        for index in possible {
            recognizers[index].record.progress = recognizers[index].progress(of: pair, against: rivals(of: index))
        }
    }

    private func rivals(of index: Int) -> Set<Gesture> {
        Set(possible.filter { $0 != index }.map { recognizers[$0].record.gesture })
    }

    /// Of those possible, the one that is farthest past its threshold.
    private func nearestRival(of index: Int) -> GestureRecord? {
        possible.filter { $0 != index }.map { recognizers[$0].record }.max { $0.progress < $1.progress }
    }

    private func obstacle(for index: Int) -> GestureReason? {
        let progress = recognizers[index].record.progress
        guard progress >= 1 else { return .belowThreshold }
        if let hesitation = recognizers[index].hesitation(over: pair, against: rivals(of: index)) { return hesitation }
        guard let rival = nearestRival(of: index), progress < lead * rival.progress else { return nil }
        return .rival(rival.gesture, progress: rival.progress, lead: lead)
    }

    private mutating func begin(_ index: Int) {
        let (record, rival) = (recognizers[index].record, nearestRival(of: index))
        guard purpose == .anything || record.gesture == .rewind else {
            return fail(because: .atWork(record.gesture, progress: record.progress))
        }
        recognizers[index].record.become(
            .began, because: .won(progress: record.progress, next: rival?.gesture, nextProgress: rival?.progress ?? 0))
        fail(because: .lost(to: record.gesture))
    }

    private mutating func fail(because reason: GestureReason) {
        for index in possible { recognizers[index].record.become(.failed, because: reason) }
    }

    // MARK: - Going on and ending

    /// The winner's touches have moved.
    mutating func change() {
        for index in recognizers.indices where recognizers[index].record.state.isActive {
            recognizers[index].record.progress = recognizers[index].progress(of: pair, against: [])
            recognizers[index].record.become(.changed)
        }
    }

    /// A touch is gone. What each recognizer waited for stays its reason.
    mutating func end(isCancelled: Bool) {
        if winner == nil { ending = isCancelled ? .cancelled : .lifted }
        for index in recognizers.indices where recognizers[index].record.state.isActive {
            recognizers[index].record.become(isCancelled ? .cancelled : .ended)
        }
        for index in possible { recognizers[index].record.become(.failed) }
    }
}
