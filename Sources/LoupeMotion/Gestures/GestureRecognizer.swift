/// A recognizer of one gesture of two touches: it measures how clearly the touches are the gesture, and says why they
/// are not (yet).
///
/// The decision depends on the whole history of the touches, which `TouchPair` keeps; a recognizer stores only its
/// record. It never begins by itself: the arena (`Contest`) lets one of several recognizers begin, or none.
struct GestureRecognizer: Hashable, Sendable {
    /// The gesture, its state and the reason for the state.
    var record: GestureRecord
    /// The limits that the touches are compared with.
    let thresholds: LoupeThresholds
    /// Whether the touches have begun work, from which only a certain Rewind takes them.
    let isStrict: Bool

    init(_ gesture: Gesture, thresholds: LoupeThresholds, isStrict: Bool) {
        record = GestureRecord(gesture)
        self.thresholds = thresholds
        self.isStrict = isStrict
    }

    /// How far the touches are, in multiples of the gesture's threshold: 1 is at the threshold.
    ///
    /// Every circle begins like a straight line. While the touches may be a Rewind, the pan therefore waits until the path
    /// is straight, like UIKit's `require(toFail:)`.
    /// - Parameter rivals: The other gestures that the touches may still become.
    func progress(of pair: TouchPair, against rivals: Set<Gesture>) -> Double {
        switch record.gesture {
        case .pinch: return abs(pair.fit.spanChange) / thresholds.pinchSpan
        case .pan:
            let isOpen = rivals.contains(.rewind) && bend(of: pair) != .straight
            return isOpen ? 0 : pair.sharedTravel / thresholds.panTravel
        case .rewind:
            if record.state.isActive { return abs(pair.path.turning.degrees) / thresholds.rewindTurning }
            guard bend(of: pair) == .curved else { return 0 }
            return (abs(pair.fit.curvature.value) * pair.fit.chord).degrees / thresholds.rewindTurning
        }
    }

    /// How the path bends, as far as that is certain or must be decided.
    private func bend(of pair: TouchPair) -> PathFit.Bend {
        pair.fit.bend(
            radius: thresholds.greatestRewindRadius,
            turning: isStrict ? PathFit.strictTurning : PathFit.leastTurning,
            limit: isStrict ? nil : thresholds.decisionTime)
    }

    /// Why these touches can no longer become the gesture; nil while they can. Rewind takes touches away from a stroke or a
    /// resize that they have begun. It therefore refuses touches that are far apart or were not put down together, a span
    /// that changes, and a straight path.
    func refusal(of pair: TouchPair) -> GestureReason? {
        guard record.gesture == .rewind else { return nil }
        if pair.startSpan > thresholds.adjoiningSpan {
            return own("the touches are \(pair.startSpan.tenths) apart, over \(thresholds.adjoiningSpan.tenths)")
        }
        if pair.delay > thresholds.togetherTime {
            let allowed = thresholds.togetherTime.hundredths
            return own("one came \(pair.delay.hundredths) s after the other, over \(allowed) s")
        }
        if abs(pair.fit.spanChange) > thresholds.pinchSpan {
            return own("the span changed by \(pair.fit.spanChange.tenths), over \(thresholds.pinchSpan.tenths)")
        }
        if isStrict, pair.fit.chord >= thresholds.straightPath, bend(of: pair) == .straight {
            return own("the path is straight over \(pair.fit.chord.tenths) points")
        }
        return nil
    }

    /// Why the gesture cannot begin now, whatever its progress; nil if nothing prevents it.
    func hesitation(over pair: TouchPair) -> GestureReason? {
        switch record.gesture {
        // Two fingers that spread move their middle less, even beside a resting thumb.
        case .pinch: return abs(pair.fit.spanChange) <= pair.fit.chord ? .belowThreshold : nil
        case .pan: return nil
        case .rewind:
            let radius = 1 / abs(pair.fit.curvature.value)
            return radius < thresholds.rewindRadius
                ? own("the circle's radius is \(radius.tenths), under \(thresholds.rewindRadius.tenths)") : nil
        }
    }

    private func own(_ text: String) -> GestureReason { GestureReason(text, isOwn: true) }
}

/// The state of a recognizer, with its progress and its reason.
struct GestureRecord: Hashable, Sendable {
    let gesture: Gesture
    private(set) var state = GestureState.possible
    /// In multiples of the threshold; for a recognizer that has failed, the progress at the decision.
    var progress = 0.0
    private(set) var reason = GestureReason.belowThreshold

    init(_ gesture: Gesture) { self.gesture = gesture }

    /// Changes the state, as UIKit allows it; see `GestureState`.
    mutating func become(_ next: GestureState, because reason: GestureReason? = nil) {
        state = next
        self.reason = reason ?? self.reason
    }

    /// Stays possible, for a reason.
    mutating func wait(because reason: GestureReason) { self.reason = reason }
}

extension Double {
    /// An angle in radians, in degrees.
    var degrees: Double { self * 180 / .pi }
}
