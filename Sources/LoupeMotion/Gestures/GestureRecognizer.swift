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
    /// - Parameter rivals: The other gestures that the touches may still become.
    func progress(of pair: TouchPair, against rivals: Set<Gesture>) -> Double {
        if isJittery(pair) { return jitteryProgress(of: pair, against: rivals) }
        return switch record.gesture {
        case .pinch: abs(pair.spanChange) / thresholds.pinchSpan
        case .pan: pair.sharedTravel / thresholds.panTravel * (rivals.contains(.rewind) ? straightness(of: pair) : 1)
        case .rewind: abs(pair.path.turning.degrees) / (thresholds.rewindTurning * (isStrict ? 1.5 : 1))
        }
    }

    /// How the path bends, as far as that is certain or must be decided.
    private func bend(of pair: TouchPair) -> JitteryPath.Bend {
        pair.jitter.bend(
            radius: thresholds.greatestRewindRadius,
            turning: isStrict ? JitteryPath.strictTurning : JitteryPath.leastTurning,
            limit: isStrict ? nil : thresholds.decisionTime)
    }

    /// Why these touches can no longer become the gesture; nil while they can.
    func refusal(of pair: TouchPair) -> GestureReason? {
        switch record.gesture {
        case .pinch, .pan: nil
        case .rewind: rewindRefusal(of: pair)
        }
    }

    /// Why the gesture cannot begin now, whatever its progress; nil if nothing prevents it.
    func hesitation(over pair: TouchPair, against rivals: Set<Gesture>) -> GestureReason? {
        switch record.gesture {
        // Two fingers that spread move their middle less, even beside a resting thumb.
        case .pinch: isJittery(pair) && abs(pair.jitter.spanChange) <= pair.jitter.chord ? .belowThreshold : nil
        case .pan: isJittery(pair) ? nil : panHesitation(over: pair, against: rivals)
        case .rewind: isJittery(pair) ? nil : rewindHesitation(over: pair)
        }
    }

    // MARK: - Jitter

    /// Whether the hand jitters so much that strides of the path say little about its turning, or may do so.
    private func isJittery(_ pair: TouchPair) -> Bool {
        pair.jitter.count < GestureThresholds.leastSamples || pair.jitter.noise > thresholds.steadyNoise
    }

    private func jitteryProgress(of pair: TouchPair, against rivals: Set<Gesture>) -> Double {
        let pinch = abs(pair.jitter.spanChange) / thresholds.pinchSpan
        let bend = bend(of: pair)
        switch record.gesture {
        case .pinch: return pinch
        case .pan:
            let isOpen = rivals.contains(.rewind) && bend != .straight
            return isOpen ? 0 : pair.sharedTravel / thresholds.panTravel
        case .rewind:
            let turning = abs(pair.jitter.curvature.value) * pair.jitter.chord
            return bend == .curved ? max(turning.degrees / thresholds.rewindTurning, 0) : 0
        }
    }

    // MARK: - Pan

    /// Every circle begins like a straight line. While the touches may be a Rewind, the pan therefore waits until the
    /// path is long enough to show its turning, like UIKit's `require(toFail:)`, and counts its travel only as far as
    /// the path is straight.
    private func panHesitation(over pair: TouchPair, against rivals: Set<Gesture>) -> GestureReason? {
        guard rivals.contains(.rewind), pair.path.length < thresholds.straightPath, !isStraightByNow(pair)
        else { return nil }
        return .mayTurn(path: pair.path.length, needed: thresholds.straightPath)
    }

    /// A slow pan does not wait for the whole length.
    private func isStraightByNow(_ pair: TouchPair) -> Bool {
        pair.jitter.age >= GestureThresholds.patience * thresholds.decisionTime
            && pair.path.length >= thresholds.straightPath / 2
            && pair.jitter.bend(radius: thresholds.greatestRewindRadius, limit: nil) == .straight
    }

    /// 1 for a straight path, 0 for one that has turned as far as a Rewind must.
    private func straightness(of pair: TouchPair) -> Double {
        max(0, 1 - abs(pair.path.turning.degrees) / thresholds.rewindTurning)
    }

    // MARK: - Rewind

    /// Rewind takes touches away from a stroke or a resize that they have begun. It therefore refuses touches that
    /// are far apart or were not put down together, a span that changes, and a path with a corner.
    private func rewindRefusal(of pair: TouchPair) -> GestureReason? {
        let corner = GestureThresholds.cornerFraction * thresholds.rewindRadius
        if pair.startSpan > thresholds.adjoiningSpan {
            return .apart(span: pair.startSpan, allowed: thresholds.adjoiningSpan)
        }
        if pair.delay > thresholds.togetherTime {
            return .late(delay: pair.delay, allowed: thresholds.togetherTime)
        }
        let spanChange = isJittery(pair) ? pair.jitter.spanChange : pair.spanChange
        if abs(spanChange) > thresholds.pinchSpan {
            return .unsteady(spanChange: spanChange, allowed: thresholds.pinchSpan)
        }
        if isStrict, pair.jitter.chord >= thresholds.straightPath, bend(of: pair) == .straight {
            return .straight(path: pair.jitter.chord)
        }
        if isJittery(pair) { return nil }
        if pair.path.sharpest < corner { return .corner(radius: pair.path.sharpest, needed: corner) }
        return nil
    }

    private func rewindHesitation(over pair: TouchPair) -> GestureReason? {
        // Between steady and jittery, the turn has to be more than jitter.
        if pair.jitter.noise > GestureThresholds.doubtfulNoise * thresholds.steadyNoise,
            bend(of: pair) != .curved
        {
            return .belowThreshold
        }
        guard pair.path.radius < thresholds.rewindRadius else { return nil }
        return .tightCircle(radius: pair.path.radius, needed: thresholds.rewindRadius)
    }
}

/// The state of a recognizer, with its progress and its reason.
struct GestureRecord: Hashable, Sendable {
    let gesture: Gesture
    private(set) var state = GestureState.possible
    /// In multiples of the threshold; for a recognizer that has failed, the progress at the decision.
    var progress = 0.0
    private(set) var reason = GestureReason.belowThreshold

    init(_ gesture: Gesture) { self.gesture = gesture }

    /// Changes the state.
    /// - Precondition: UIKit allows the transition; see `GestureState`.
    mutating func become(_ next: GestureState, because reason: GestureReason? = nil) {
        precondition(state.canBecome(next), "a gesture's state must follow UIKit's transitions")
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
