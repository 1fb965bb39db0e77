/// What became of two touches, when, and why.
struct GestureDecision: Hashable, Sendable {
    /// In seconds.
    let time: Double
    /// The contest's.
    let number: Int
    let touches: [Int]
    /// Nil where no gesture has won.
    let winner: Gesture?
    private let records: [GestureRecord]

    init(_ contest: Contest, at time: Double) {
        self.time = time
        number = contest.number
        touches = contest.ids
        winner = contest.winner
        records = contest.recognizers.map(\.record)
    }

    /// The winner with what spoke for it; without one what ended the contest, or why Rewind is not it.
    var text: String {
        if let record = records.first(where: { $0.gesture == winner }) {
            return "\(record.gesture.rawValue): \(record.reason.text)"
        }
        let loser = records.first { $0.reason == .lifted || $0.reason == .cancelled } ?? records.last
        return "no gesture: " + (loser?.reason.text ?? "")
    }
}
