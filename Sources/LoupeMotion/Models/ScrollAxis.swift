import LoupeGeometry

/// One axis of a scroll view.
struct ScrollAxis: Hashable, Sendable {
    /// Of the viewport, in points.
    let viewport: Double
    /// Of the content, in points.
    let content: Double
    let options: ScrollOptions

    /// A viewport that shows all of its content does not scroll.
    var isLocked: Bool { viewport >= content }
    /// Of the offset, in points.
    var range: ClosedRange<Double> { 0...max(0, content - viewport) }

    private var band: RubberBand { RubberBand(length: viewport) }

    /// The offset from which a drag counts that catches the content at `shown`.
    func dragStart(shown: Double) -> Double {
        options.ends == .bounce ? band.offset(shownAs: shown, in: range) : shown
    }

    /// What shows when the finger has gone by `translation` since.
    func dragged(from start: Double, by translation: Double) -> Double {
        guard !isLocked else { return start }
        let offset = start - translation
        if options.ends == .bounce { return band.offset(offset, in: range) }
        // Content that ran past its end can be dragged back from there, not farther out.
        return offset.clamped(to: min(range.lowerBound, start)...max(range.upperBound, start))
    }

    /// What follows a release.
    /// - Parameters:
    ///   - velocity: Of the offset, in points per second.
    ///   - fastest: The greater of both axes' velocities.
    func released(at shown: Double, velocity: Double, fastest: Double) -> any Motion {
        let decay = Decay(
            from: shown, velocity: velocity, deceleration: options.deceleration,
            threshold: options.property.threshold, fastest: fastest)
        switch options.ends {
        case .free: return decay
        case .clamp: return BoundedMotion(decay, in: range)
        case .bounce: return BouncingMotion(decay, in: range)
        }
    }
}
