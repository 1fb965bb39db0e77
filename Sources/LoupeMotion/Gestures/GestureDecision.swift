/// Why a recognizer is in its state.
enum GestureReason: Hashable, Sendable {
    case belowThreshold
    /// Rewind has not failed, and the path is too short to be straight.
    case mayTurn(path: Double, needed: Double)
    case tightCircle(radius: Double, needed: Double)
    /// Another is too near to it.
    case rival(Gesture, progress: Double, lead: Double)

    /// It has won; the rest is what spoke for it, and the next one.
    case won(progress: Double, next: Gesture?, nextProgress: Double)
    case lost(to: Gesture)
    /// The touches have work already, from which only Rewind could have taken them; and what they are instead.
    case atWork(Gesture, progress: Double)
    /// Rewind has failed, for which alone the touches were watched.
    case watched

    case apart(span: Double, allowed: Double)
    case late(delay: Double, allowed: Double)
    case unsteady(spanChange: Double, allowed: Double)
    case corner(radius: Double, needed: Double)
    /// Another pair of touches rewinds.
    case taken

    case lifted
    case cancelled
}

extension GestureReason {
    /// Whether it is of the gesture's own, and not what became of another.
    var isOwn: Bool {
        switch self {
        case .mayTurn, .tightCircle, .rival, .apart, .late, .unsteady, .corner, .taken: true
        case .belowThreshold, .won, .lost, .atWork, .watched, .lifted, .cancelled: false
        }
    }

    var text: String {
        switch self {
        case .belowThreshold: "below its threshold"
        case .mayTurn(let path, let needed):
            "waits for rewind to fail: \(path.tenths) of \(needed.tenths) points of path"
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
        case .corner(let radius, let needed): "the path has a corner of radius \(radius.tenths), under \(needed.tenths)"
        case .taken: "another pair of touches rewinds"
        case .lifted: "a touch was lifted"
        case .cancelled: "a touch was cancelled"
        }
    }
}

extension Double {
    /// As sentences tell measures: to a tenth.
    var tenths: String { ((self * 10).rounded() / 10).jsonText }
    var hundredths: String { ((self * 100).rounded() / 100).jsonText }
}

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
        records = contest.recognizers.map { $0.record }
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
