/// A circle traced with two adjoining touches. It takes touches from work they have begun, so it refuses whatever
/// is not clearly that: touches far apart or not put down together, a span that changes, a path with a corner.
struct RewindRecognizer: GestureRecognizer {
    var record = GestureRecord(.rewind)
    let thresholds: LoupeThresholds

    /// The part of the circle's least radius below which a bend is a corner: strides are jittery.
    private static let cornerPart = 0.6

    func progress(of pair: TouchPair, against rivals: Set<Gesture>) -> Double {
        abs(pair.path.turning.degrees) / thresholds.rewindTurning
    }

    func refusal(of pair: TouchPair) -> GestureReason? {
        let corner = Self.cornerPart * thresholds.rewindRadius
        if pair.startSpan > thresholds.adjoiningSpan {
            return .apart(span: pair.startSpan, allowed: thresholds.adjoiningSpan)
        }
        if pair.delay > thresholds.togetherTime {
            return .late(delay: pair.delay, allowed: thresholds.togetherTime)
        }
        if abs(pair.spanChange) > thresholds.pinchSpan {
            return .unsteady(spanChange: pair.spanChange, allowed: thresholds.pinchSpan)
        }
        if pair.path.sharpest < corner { return .corner(radius: pair.path.sharpest, needed: corner) }
        return nil
    }

    func hesitation(over pair: TouchPair, against rivals: Set<Gesture>) -> GestureReason? {
        guard pair.path.radius < thresholds.rewindRadius else { return nil }
        return .tightCircle(radius: pair.path.radius, needed: thresholds.rewindRadius)
    }
}
