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
    /// The number of the contest; nil for a tool.
    let number: Int?
    let touches: [Int]
    /// Nil if no gesture has won.
    let winner: Gesture?
    /// The tool that was chosen; nil for the outcome of a contest.
    private let tool: LoupeTool?
    private let ending: GestureReason?
    private let records: [GestureRecord]

    /// The outcome of a contest.
    init(_ contest: Contest, at time: Double) {
        self.time = time
        number = contest.number
        touches = contest.ids
        winner = contest.winner
        tool = nil
        ending = contest.ending
        records = contest.recognizers.map { $0.record }
    }

    /// A tool that is used from now on, because of a touch in the tray.
    init(of tool: LoupeTool, byTouch touch: Int, at time: Double) {
        self.time = time
        number = nil
        touches = [touch]
        winner = nil
        self.tool = tool
        ending = nil
        records = []
    }

    /// The tool; the winner with its reason; or without a winner what ended the contest, or why Rewind failed.
    var text: String {
        if let tool { return "tool: \(tool.text)" }
        if let record = records.first(where: { $0.gesture == winner }) {
            return "\(record.gesture.rawValue): \(record.reason.text)"
        }
        return "no gesture: " + ((ending ?? records.last?.reason)?.text ?? "")
    }

    /// The explanations of the gestures that failed for a reason of their own.
    var details: [String] {
        guard winner != nil || ending != nil else { return [] }
        return records.filter { $0.state == .failed && $0.reason.isOwn }.map {
            "\($0.gesture.rawValue), \($0.progress.tenths): \($0.reason.text)"
        }
    }
}
