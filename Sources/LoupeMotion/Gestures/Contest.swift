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
    private(set) var recognizers: [any GestureRecognizer]
    /// What ended it before any gesture had won.
    private(set) var ending: GestureReason?
    private let lead: Double

    init(number: Int, purpose: Purpose, pair: TouchPair, thresholds: LoupeThresholds) {
        self.number = number
        self.purpose = purpose
        self.pair = pair
        ids = pair.ids
        lead = thresholds.lead
        recognizers = [
            PinchRecognizer(thresholds: thresholds), PanRecognizer(thresholds: thresholds),
            RewindRecognizer(thresholds: thresholds),
        ]
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
