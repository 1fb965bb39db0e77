// The gesture arena, as in Flutter: a contest for each pair of touches, and the arbiter over all contests.

import LoupeBase

/// The gesture arenas of all touches, as in Flutter: decides which gesture each pair of touches becomes. The rules are
/// in docs/motion.md.
///
/// A touch takes part in at most one contest, and at most one recognizer of a contest begins. Only one pair at a time
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
        let pair = TouchPair(first, second, at: time, stride: thresholds.stride)
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

/// One gesture arena, as in Flutter: two touches and the three recognizers that compete for them. At most one
/// recognizer wins; the others fail.
struct Contest: Sendable {
    enum Purpose: Hashable, Sendable {
        /// The touches have no role yet: any gesture may win them.
        case anything
        /// The touches draw, resize or have no effect beside a held loupe: only Rewind may win them.
        case rewind
    }

    /// The number of the contest, from 0.
    let number: Int
    let purpose: Purpose
    var pair: TouchPair
    /// The identifiers of the touches at the beginning.
    let ids: [Int]
    private(set) var recognizers: [GestureRecognizer]
    /// The reason why the contest ended without a winner.
    private(set) var ending: GestureReason?
    private let lead: Double

    init(number: Int, purpose: Purpose, pair: TouchPair, thresholds: LoupeThresholds) {
        self.number = number
        self.purpose = purpose
        self.pair = pair
        ids = pair.ids
        lead = thresholds.lead
        recognizers = Gesture.allCases.map {
            GestureRecognizer($0, thresholds: thresholds, isStrict: purpose == .rewind)
        }
    }

    /// The gesture that owns the touches.
    var winner: Gesture? { recognizers.first { $0.record.state.isActive }?.record.gesture }
    var isOver: Bool { recognizers.allSatisfy { $0.record.state.isFinal } }
    private var possible: [Int] { recognizers.indices.filter { recognizers[$0].record.state == .possible } }

    // MARK: - Deciding

    /// Lets one recognizer begin, if it is far enough ahead of all others that are possible.
    /// - Parameter rewindIsTaken: Whether another pair of touches is rewinding.
    mutating func judge(rewindIsTaken: Bool) {
        refuse(rewindIsTaken: rewindIsTaken)
        measure()
        for index in possible {
            guard let obstacle = obstacle(for: index) else { return begin(index) }
            recognizers[index].record.wait(because: obstacle)
        }
        let rewindIsPossible = possible.contains { recognizers[$0].record.gesture == .rewind }
        if purpose == .rewind, !rewindIsPossible { fail(because: Self.watched) }
    }

    private mutating func refuse(rewindIsTaken: Bool) {
        for index in possible {
            let isTaken = rewindIsTaken && recognizers[index].record.gesture == .rewind
            if let refusal = isTaken ? Self.taken : recognizers[index].refusal(of: pair) {
                recognizers[index].record.become(.failed, because: refusal)
            }
        }
    }

    private mutating func measure() {
        for index in possible {
            recognizers[index].record.progress = recognizers[index].progress(of: pair, against: rivals(of: index))
        }
    }

    private static let watched = GestureReason("rewind is out of the question; the touches go on with their work")
    private static let taken = GestureReason("another pair of touches rewinds", isOwn: true)

    private func rivals(of index: Int) -> Set<Gesture> {
        Set(possible.filter { $0 != index }.map { recognizers[$0].record.gesture })
    }

    /// The record of the possible recognizer, other than this one, that is furthest past its threshold.
    private func nearestRival(of index: Int) -> GestureRecord? {
        possible.filter { $0 != index }.map { recognizers[$0].record }.max { $0.progress < $1.progress }
    }

    private func obstacle(for index: Int) -> GestureReason? {
        let progress = recognizers[index].record.progress
        guard progress >= 1 else { return .belowThreshold }
        if let hesitation = recognizers[index].hesitation(over: pair) { return hesitation }
        guard let rival = nearestRival(of: index), progress < lead * rival.progress else { return nil }
        return GestureReason(
            "\(rival.gesture.rawValue) is as likely: \(rival.progress.tenths); \(lead.tenths) times that is needed",
            isOwn: true)
    }

    private mutating func begin(_ index: Int) {
        let (record, rival) = (recognizers[index].record, nearestRival(of: index))
        guard purpose == .anything || record.gesture == .rewind else {
            let what = "it is a \(record.gesture.rawValue), \(record.progress.tenths) thresholds"
            return fail(because: GestureReason("\(what); the touches go on with their work"))
        }
        let next = rival.map { "; next is \($0.gesture.rawValue) with \($0.progress.tenths)" }
        recognizers[index].record.become(
            .began,
            because: GestureReason(
                "\(record.progress.tenths) thresholds\(next ?? ", and no other is possible")"))
        fail(because: GestureReason("\(record.gesture.rawValue) has won"))
    }

    private mutating func fail(because reason: GestureReason) {
        for index in possible { recognizers[index].record.become(.failed, because: reason) }
    }

    // MARK: - Changing and ending

    /// The touches of the winner have moved.
    mutating func change() {
        for index in recognizers.indices where recognizers[index].record.state.isActive {
            recognizers[index].record.progress = recognizers[index].progress(of: pair, against: [])
            recognizers[index].record.become(.changed)
        }
    }

    /// A touch has ended. A recognizer that was waiting keeps its reason.
    mutating func end(isCancelled: Bool) {
        if winner == nil { ending = GestureReason(isCancelled ? "a touch was cancelled" : "a touch was lifted") }
        for index in recognizers.indices where recognizers[index].record.state.isActive {
            recognizers[index].record.become(isCancelled ? .cancelled : .ended)
        }
        for index in possible { recognizers[index].record.become(.failed) }
    }
}
