// Why a recognizer is in its state, and decisions about touches.

import LoupeBase

/// The reason for a recognizer's state, with the numbers that an explanation needs: points, seconds and multiples of
/// thresholds.
enum GestureReason: Hashable, Sendable {
    /// The progress is below 1.
    case belowThreshold
    /// The circle is smaller than a Rewind's smallest.
    case tightCircle(radius: Double, needed: Double)
    /// Another gesture is nearly as likely.
    case rival(Gesture, progress: Double, lead: Double)

    /// The gesture has won; the numbers compare it with the next one.
    case won(progress: Double, next: Gesture?, nextProgress: Double)
    /// Another gesture has won.
    case lost(to: Gesture)
    /// The touches have already begun a stroke or a resize, which only Rewind may cancel; they are a different
    /// gesture.
    case atWork(Gesture, progress: Double)
    /// Rewind has failed, and the touches were observed for Rewind only.
    case watched

    /// The touches are too far apart for Rewind.
    case apart(span: Double, allowed: Double)
    /// The second touch came too late for Rewind.
    case late(delay: Double, allowed: Double)
    /// The span changed too much for Rewind.
    case unsteady(spanChange: Double, allowed: Double)
    /// The path is straight, and the touches have begun work that only a certain Rewind may cancel.
    case straight(path: Double)
    /// Another pair of touches is rewinding.
    case taken

    /// A touch was lifted before the decision.
    case lifted
    /// The system took a touch away before the decision.
    case cancelled
}

extension GestureReason {
    /// Whether the reason is about the gesture itself, not about another one.
    var isOwn: Bool {
        switch self {
        case .tightCircle, .rival, .apart, .late, .unsteady, .straight, .taken: true
        case .belowThreshold, .won, .lost, .atWork, .watched, .lifted, .cancelled: false
        }
    }

    /// The outcome with its explanation: the winner's reason, or without a winner why the touches were given up.
    var text: String {
        switch self {
        case .belowThreshold: "below its threshold"
        case .tightCircle(let radius, let needed):
            "the circle's radius is \(radius.tenths), under \(needed.tenths)"
        case .rival(let gesture, let progress, let lead):
            "\(gesture.rawValue) is as likely: \(progress.tenths); \(lead.tenths) times that is needed"
        case .won(let progress, nil, _): "\(progress.tenths) thresholds, and no other is possible"
        case .won(let progress, let next?, let nextProgress):
            "\(progress.tenths) thresholds; next is \(next.rawValue) with \(nextProgress.tenths)"
        case .lost(let winner): "\(winner.rawValue) has won"
        case .atWork(let gesture, let progress):
            "it is a \(gesture.rawValue), \(progress.tenths) thresholds; the touches go on with their work"
        case .watched: "rewind is out of the question; the touches go on with their work"
        case .apart(let span, let allowed): "the touches are \(span.tenths) apart, over \(allowed.tenths)"
        case .late(let delay, let allowed):
            "one came \(delay.hundredths) s after the other, over \(allowed.hundredths) s"
        case .unsteady(let change, let allowed): "the span changed by \(change.tenths), over \(allowed.tenths)"
        case .straight(let path): "the path is straight over \(path.tenths) points"
        case .taken: "another pair of touches rewinds"
        case .lifted: "a touch was lifted"
        case .cancelled: "a touch was cancelled"
        }
    }
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
