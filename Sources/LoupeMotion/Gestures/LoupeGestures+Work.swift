import LoupeGeometry
import LoupeScene

/// Drawing, resizing and rewinding.
extension LoupeGestures {
    // MARK: - Strokes

    mutating func beginStroke(at place: Point, _ time: Double) -> HandTouch.Role {
        let stroke = strokes.count
        strokes.append(
            Stroke(
                points: [pagePoint(under: place, at: time)],
                width: options.penWidth / state.disc(at: time, options).zoom, color: options.penColor))
        state.history.begin(stroke)
        return .drawing(stroke: stroke, points: 1)
    }

    mutating func draw(_ stroke: Int, to place: Point, at time: Double) {
        let point = pagePoint(under: place, at: time)
        guard strokes[stroke].points.last != point,
            let index = state.touches.firstIndex(where: { $0.role.stroke == stroke })
        else { return }
        strokes[stroke].points.append(point)
        state.touches[index].role = .drawing(stroke: stroke, points: strokes[stroke].points.count)
    }

    mutating func endStroke(_ stroke: Int, isCancelled: Bool) {
        if isCancelled { state.history.cancel(stroke) } else { state.history.finish(stroke) }
    }

    /// What the loupe shows under a finger, in canvas pixels.
    private func pagePoint(under place: Point, at time: Double) -> Point {
        let disc = state.disc(at: time, options)
        return (disc.center + 1 / disc.zoom * (place - disc.center)).withinScenes
    }

    // MARK: - The edge

    /// The radius follows the finger's distance from the centre; of several fingers, their mean.
    mutating func resize(_ touch: TrackedTouch, by change: Double, from place: Point, at time: Double) {
        let center = state.disc(at: time, options).center
        let count = state.touches.filter { $0.role.isResizing }.count
        let step = touch.place.distance(to: center) - place.distance(to: center)
        setRole(.resizing(by: change + step / Double(count)), of: touch.id)
    }

    mutating func endResize(by change: Double, isCancelled: Bool) {
        if !isCancelled { state.radius = (state.radius + change).clamped(to: options.radiusRange) }
    }

    // MARK: - Rewind

    /// Whatever its touches had begun never was.
    mutating func beginRewind(_ contest: Contest) {
        for id in contest.pair.ids {
            guard let index = index(of: id) else { continue }
            if let stroke = state.touches[index].role.stroke { endStroke(stroke, isCancelled: true) }
            state.touches[index].role = .rewinding
        }
        state.history.beginRewind()
        state.rewind = LoupeState.Rewind()
        steps = RewindSteps(step: options.thresholds.rewindStep)
    }

    /// - Parameter turning: In degrees, clockwise positive.
    mutating func rewind(to turning: Double) {
        state.rewind.turning = turning
        let count = steps.advance(to: turning)
        for _ in 0..<abs(count) {
            let hasMoved = count > 0 ? state.history.redo() : state.history.undo()
            if hasMoved { state.rewind.strokes += count.signum() }
        }
    }

    mutating func endRewind(isCancelled: Bool) {
        guard isCancelled else { return state.history.endRewind() }
        state.history.cancelRewind()
        state.rewind.strokes = 0
    }
}

extension HandTouch.Role {
    var stroke: Int? {
        if case .drawing(let stroke, _) = self { stroke } else { nil }
    }

    var isResizing: Bool {
        if case .resizing = self { true } else { false }
    }
}
