// Why a recognizer is in its state, and decisions about touches.

import LoupeBase

/// The reason for a recognizer's state in words, with the numbers that an explanation needs: points, seconds and multiples
/// of thresholds.
struct GestureReason: Hashable, Sendable {
    let text: String
    /// Whether the reason is about the gesture itself, not about another one.
    let isOwn: Bool

    init(_ text: String, isOwn: Bool = false) { (self.text, self.isOwn) = (text, isOwn) }

    /// The progress is below 1.
    static let belowThreshold = GestureReason("below its threshold")
}

extension Double {
    /// Rounded to a tenth, as text.
    var tenths: String { ((self * 10).rounded() / 10).jsonText }
    /// Rounded to a hundredth, as text.
    var hundredths: String { ((self * 100).rounded() / 100).jsonText }
}

/// A decision about touches: which gesture two of them became, when, and why; or which tool one of them chose.
struct GestureDecision: Hashable, Sendable {
    /// In seconds.
    let time: Double
    let touches: [Int]
    /// Nil if no gesture has won.
    var winner: Gesture?
    /// The tool; the winner with its reason; or without a winner what ended the contest, or why Rewind failed.
    let text: String
    /// The explanations of the gestures that failed for a reason of their own.
    var details: [String] = []
}

extension GestureDecision {
    /// The outcome of a contest.
    init(_ contest: Contest, at time: Double) {
        let records = contest.recognizers.map { $0.record }
        let won = records.first { $0.gesture == contest.winner }
        let failed = records.filter { $0.state == .failed && $0.reason.isOwn }
        self.init(
            time: time, touches: contest.ids, winner: contest.winner,
            text: won.map { "\($0.gesture.rawValue): \($0.reason.text)" }
                ?? "no gesture: \((contest.ending ?? records.last?.reason)?.text ?? "")",
            details: won == nil && contest.ending == nil
                ? [] : failed.map { "\($0.gesture.rawValue), \($0.progress.tenths): \($0.reason.text)" })
    }
}
