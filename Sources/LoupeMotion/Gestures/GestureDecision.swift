/// What became of two touches, when, and why.
struct GestureDecision: Hashable, Sendable {
    /// In seconds.
    let time: Double
    /// The contest's.
    let number: Int
    let touches: [Int]
    /// Nil where no gesture has won.
    let winner: Gesture?
    private let ending: GestureReason?
    private let records: [GestureRecord]

    init(_ contest: Contest, at time: Double) {
        self.time = time
        number = contest.number
        touches = contest.ids
        winner = contest.winner
        ending = contest.ending
        records = contest.recognizers.map(\.record)
    }

    /// The winner with what spoke for it; without one what ended the contest, or why Rewind is not it.
    var text: String {
        if let record = records.first(where: { $0.gesture == winner }) {
            return "\(record.gesture.rawValue): \(record.reason.text)"
        }
        return "no gesture: " + ((ending ?? records.last?.reason)?.text ?? "")
    }

    /// Of the gestures that were not simply beaten or never near.
    var details: [String] {
        guard winner != nil || ending != nil else { return [] }
        return records.filter { $0.state == .failed && $0.reason.isOwn }.map {
            "\($0.gesture.rawValue), \($0.progress.tenths): \($0.reason.text)"
        }
    }
}
