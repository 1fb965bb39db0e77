/// Two touches whose span changes.
struct PinchRecognizer: GestureRecognizer {
    var record = GestureRecord(.pinch)
    let thresholds: LoupeThresholds

    func progress(of pair: TouchPair, against rivals: Set<Gesture>) -> Double {
        abs(pair.spanChange) / thresholds.pinchSpan
    }
}
