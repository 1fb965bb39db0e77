import LoupeBase

/// One gesture arena, as in Flutter: two touches and the three gestures that compete for them. At most one wins; the
/// others fail.
///
/// The decision depends on the whole history of the touches, which `TouchPair` keeps.
struct Contest: Sendable {
    enum Purpose: Hashable, Sendable {
        /// The touches have no role yet: any gesture may win them.
        case anything
        /// The touches draw, resize or have no effect beside a held loupe: only a certain Rewind may win them.
        case rewind
    }

    /// The number of the contest, from 0.
    let number: Int
    let purpose: Purpose
    var pair: TouchPair
    /// The identifiers of the touches at the beginning.
    let ids: [Int]
    /// The gestures' states.
    private(set) var records = Gesture.allCases.map { GestureRecord(gesture: $0) }
    /// Why the contest ended without a winner.
    private(set) var ending: String?
    /// The limits that the touches are compared with.
    private let thresholds: LoupeThresholds

    init(number: Int, purpose: Purpose, pair: TouchPair, thresholds: LoupeThresholds) {
        (self.number, self.purpose, self.pair, self.thresholds) = (number, purpose, pair, thresholds)
        ids = pair.ids
    }

    /// The gesture that owns the touches.
    var winner: Gesture? { records.first { $0.state.isActive }?.gesture }
    var isOver: Bool { records.allSatisfy { $0.state.isFinal } }
    private var possible: [Int] { records.indices.filter { records[$0].state == .possible } }
    private var mayRewind: Bool { possible.contains { records[$0].gesture == .rewind } }

    // MARK: - Deciding

    /// Lets one gesture begin, if it is far enough ahead of all others that are possible.
    /// - Parameter rewindIsTaken: Whether another pair of touches is rewinding.
    mutating func judge(rewindIsTaken: Bool) {
        if mayRewind, let refusal = rewindIsTaken ? "another pair of touches rewinds" : rewindRefusal {
            for index in possible where records[index].gesture == .rewind {
                records[index].become(.failed, because: refusal)
            }
        }
        for index in possible { records[index].progress = progress(of: records[index].gesture) }
        for index in possible {
            guard let obstacle = obstacle(for: index) else { return begin(index) }
            records[index].reason = obstacle
        }
        if purpose == .rewind, !mayRewind {
            fail(because: "rewind is out of the question; the touches go on with their work")
        }
    }

    /// The possible gesture, other than this one, that is furthest past its threshold.
    private func nearestRival(of index: Int) -> GestureRecord? {
        possible.filter { $0 != index }.map { records[$0] }.max { $0.progress < $1.progress }
    }

    private func obstacle(for index: Int) -> String? {
        let (record, lead) = (records[index], thresholds.lead)
        guard record.progress >= 1 else { return GestureRecord.belowThreshold }
        if let hesitation = hesitation(of: record.gesture) { return hesitation }
        guard let rival = nearestRival(of: index), record.progress < lead * rival.progress else { return nil }
        return "\(rival.gesture.rawValue) is as likely: \(rival.progress.tenths); \(lead.tenths) times that is needed"
    }

    private mutating func begin(_ index: Int) {
        let (record, rival) = (records[index], nearestRival(of: index))
        let thresholds = "\(record.progress.tenths) thresholds"
        guard purpose == .anything || record.gesture == .rewind else {
            return fail(because: "it is a \(record.gesture.rawValue), \(thresholds); the touches go on with their work")
        }
        let next = rival.map { "; next is \($0.gesture.rawValue) with \($0.progress.tenths)" }
        records[index].become(.began, because: thresholds + (next ?? ", and no other is possible"))
        fail(because: "\(record.gesture.rawValue) has won")
    }

    private mutating func fail(because reason: String) {
        for index in possible { records[index].become(.failed, because: reason) }
    }

    // MARK: - Changing and ending

    /// The touches of the winner have moved.
    mutating func change() {
        for index in records.indices where records[index].state.isActive {
            records[index].progress = progress(of: records[index].gesture)
            records[index].become(.changed)
        }
    }

    /// A touch has ended. A gesture that was waiting keeps its reason.
    mutating func end(isCancelled: Bool) {
        if winner == nil { ending = isCancelled ? "a touch was cancelled" : "a touch was lifted" }
        for index in records.indices where records[index].state.isActive {
            records[index].become(isCancelled ? .cancelled : .ended)
        }
        for index in possible { records[index].become(.failed) }
    }

    // MARK: - Measuring

    /// How far the touches are, in multiples of the gesture's threshold: 1 is at the threshold.
    ///
    /// Every circle begins like a straight line. While the touches may be a Rewind, the pan therefore waits until the path
    /// is straight, like UIKit's `require(toFail:)`.
    private func progress(of gesture: Gesture) -> Double {
        switch gesture {
        case .pinch: return abs(pair.fit.spanChange) / thresholds.pinchSpan
        case .pan: return mayRewind && bend != .straight ? 0 : pair.sharedTravel / thresholds.panTravel
        case .rewind:
            if winner == .rewind { return abs(pair.path.turning.degrees) / thresholds.rewindTurning }
            guard bend == .curved else { return 0 }
            return (abs(pair.fit.curvature.value) * pair.fit.chord).degrees / thresholds.rewindTurning
        }
    }

    /// How the path bends, as far as that is certain or must be decided.
    private var bend: PathFit.Bend {
        pair.fit.bend(isStrict: purpose == .rewind, decisionTime: thresholds.decisionTime)
    }

    /// Why these touches can no longer become a Rewind; nil while they can. Rewind takes touches away from a stroke or a
    /// resize that they have begun. It therefore refuses touches that are far apart or were not put down together, a span
    /// that changes, and a straight path.
    private var rewindRefusal: String? {
        let (span, delay) = (GestureThresholds.adjoiningSpan, GestureThresholds.togetherTime)
        if pair.startSpan > span { return "the touches are \(pair.startSpan.tenths) apart, over \(span.tenths)" }
        if pair.delay > delay {
            return "one came \(pair.delay.hundredths) s after the other, over \(delay.hundredths) s"
        }
        if abs(pair.fit.spanChange) > thresholds.pinchSpan {
            return "the span changed by \(pair.fit.spanChange.tenths), over \(thresholds.pinchSpan.tenths)"
        }
        if purpose == .rewind, pair.fit.chord >= GestureThresholds.straightPath, bend == .straight {
            return "the path is straight over \(pair.fit.chord.tenths) points"
        }
        return nil
    }

    /// Why a gesture cannot begin now, whatever its progress; nil if nothing prevents it.
    private func hesitation(of gesture: Gesture) -> String? {
        switch gesture {
        // Two fingers that spread move their middle less, even beside a resting thumb.
        case .pinch: return abs(pair.fit.spanChange) <= pair.fit.chord ? GestureRecord.belowThreshold : nil
        case .pan: return nil
        case .rewind:
            let radius = 1 / abs(pair.fit.curvature.value)
            return radius < thresholds.rewindRadius
                ? "the circle's radius is \(radius.tenths), under \(thresholds.rewindRadius.tenths)" : nil
        }
    }
}

/// The state of a gesture in a contest, with its progress and its reason.
struct GestureRecord: Hashable, Sendable {
    let gesture: Gesture
    private(set) var state = GestureState.possible
    /// In multiples of the threshold; for a gesture that has failed, the progress at the decision.
    var progress = 0.0
    /// Why it is in its state, with the numbers that an explanation needs.
    var reason = belowThreshold

    static let belowThreshold = "below its threshold"

    init(gesture: Gesture) { self.gesture = gesture }

    /// Changes the state, as UIKit allows it; see `GestureState`.
    mutating func become(_ next: GestureState, because reason: String? = nil) {
        state = next
        self.reason = reason ?? self.reason
    }
}

extension Double {
    /// An angle in radians, in degrees.
    var degrees: Double { self * 180 / .pi }
}
