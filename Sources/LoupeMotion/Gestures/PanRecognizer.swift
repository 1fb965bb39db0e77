/// Two touches that go the same way, straight on.
///
/// Any circle begins like a straight line. While the touches may be a Rewind, the pan therefore waits until the path
/// is long enough for its turning to show, and its travel counts only so far as the path has not turned.
struct PanRecognizer: GestureRecognizer {
    var record = GestureRecord(.pan)
    let thresholds: LoupeThresholds

    func progress(of pair: TouchPair, against rivals: Set<Gesture>) -> Double {
        pair.sharedTravel / thresholds.panTravel * (rivals.contains(.rewind) ? straightness(of: pair) : 1)
    }

    /// UIKit's `require(toFail:)`, but for straight paths.
    func hesitation(over pair: TouchPair, against rivals: Set<Gesture>) -> GestureReason? {
        guard rivals.contains(.rewind), pair.path.length < thresholds.straightPath else { return nil }
        return .mayTurn(path: pair.path.length, needed: thresholds.straightPath)
    }

    /// 1 for a straight path, 0 for one that has turned as a Rewind must.
    private func straightness(of pair: TouchPair) -> Double {
        max(0, 1 - abs(pair.path.turning.degrees) / thresholds.rewindTurning)
    }
}

extension Double {
    /// Of an angle in radians.
    var degrees: Double { self * 180 / .pi }
}
