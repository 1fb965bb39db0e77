import LoupeBase

/// A decision about touches: which gesture two of them became, when, and why; or which tool one of them chose.
struct GestureDecision: Hashable, Sendable {
    /// In seconds.
    let time: Double
    let touches: [Int]
    /// Nil if no gesture has won.
    var winner: Gesture?
    /// The tool; the winner with its reason; or without a winner what ended the contest, or why Rewind failed.
    let text: String
}

extension GestureDecision {
    /// The outcome of a contest.
    init(_ contest: Contest, at time: Double) {
        let won = contest.records.first { $0.gesture == contest.winner }
        self.init(
            time: time, touches: contest.ids, winner: contest.winner,
            text: won.map { "\($0.gesture.rawValue): \($0.reason)" }
                ?? "no gesture: \(contest.ending ?? contest.records.last?.reason ?? "")")
    }
}

/// Numbers in sentences.
extension Double {
    /// Rounded to a tenth, as text.
    var tenths: String { ((self * 10).rounded() / 10).jsonText }
    /// Rounded to a thousandth, as text.
    var thousandths: String { ((self * 1000).rounded() / 1000).jsonText }
    /// With tenths below 100, whole from there on.
    var spoken: String {
        let rounded = abs(self) < 99.95 ? (self * 10).rounded() / 10 : self.rounded()
        return rounded < 0 ? "−\((-rounded).tenths)" : abs(rounded).tenths
    }
}
