import LoupeGeometry

/// Decides among tap, double tap, pan and pinch, and carries them out on the state of a zoom transition.
struct TransitionGestures {
    let geometry: TransitionGeometry
    let options: TransitionOptions
    private(set) var state: TransitionState

    private var down = TouchesDown()
    /// Touches that began while the picture was on its way.
    private var ignored: Set<Int> = []
    /// A tap that waits for a second one.
    private var firstTap: (place: Point, time: Double)?
    /// The touch that may become the second tap.
    private var secondTouch: Int?

    init(_ geometry: TransitionGeometry, options: TransitionOptions) {
        self.geometry = geometry
        self.options = options
        state = TransitionState(geometry)
    }

    // MARK: - Events

    /// When the waiting tap counts as a single one, in seconds; nil while none waits.
    var singleTapTime: Double? {
        guard secondTouch == nil else { return nil }
        return firstTap.map { $0.time + GestureThresholds.secondTapWait }
    }

    /// Lets the waiting tap count as a single one.
    mutating func fireSingleTap(at time: Double) {
        firstTap = nil
        ignored.formUnion(down.touches.map(\.id))
        guard state.isFull else { return }
        if state.isZoomed, options.zoomedTap == .resets {
            state.animate(
                to: geometry.screen.center, scale: 1, at: time, duration: TransitionOptions.doubleTapDuration,
                timing: .curve(.easeInOut))
        } else {
            state.dismiss(geometry, at: time)
        }
    }

    mutating func handle(_ touch: Touch, at time: Double) {
        guard let tracked = down.apply(touch, at: time) else { return }
        if touch.phase == .began, time < state.arrival { ignored.insert(touch.id) }
        if ignored.contains(touch.id) {
            if touch.phase == .ended || touch.phase == .cancelled { ignored.remove(touch.id) }
        } else if state.isFull {
            handleFull(touch.phase, tracked, at: time)
        } else if touch.phase == .ended, tracked.isTap(endingAt: time), isInThumbnail(tracked.start) {
            state.present(geometry, at: time)
        }
    }

    private func isInThumbnail(_ point: Point) -> Bool {
        let rect = geometry.thumbnail
        return point.x >= rect.minX && point.x < rect.maxX && point.y >= rect.minY && point.y < rect.maxY
    }

    private mutating func handleFull(_ phase: Touch.Phase, _ touch: TrackedTouch, at time: Double) {
        switch (phase, state.gesture) {
        case (.began, .pinch): break
        case (.began, _): began(touch, at: time)
        case (.moved, .pinch(let pinch, let toCenter)): move(pinch, toCenter)
        case (.moved, _): pan(touch, at: time)
        case (.ended, .pan(touch.id, _)): endPan(velocity: touch.velocity(at: time), at: time)
        case (.cancelled, .pan(touch.id, _)): endPan(velocity: .zero, at: time)
        case (.ended, .pinch(let pinch, _)), (.cancelled, .pinch(let pinch, _)):
            if pinch.includes(touch.id) { endPinch(pinch, at: time) }
        case (.ended, .none): tap(touch, at: time)
        case (.cancelled, _), (.ended, .pan): break
        }
        if phase != .began, phase != .moved, secondTouch == touch.id { secondTouch = nil }
    }

    private mutating func began(_ touch: TrackedTouch, at time: Double) {
        if beginPinch(at: time) {
            firstTap = nil
            secondTouch = nil
        } else if let tap = firstTap, tap.place.distance(to: touch.start) <= GestureThresholds.doubleTapTravel {
            secondTouch = touch.id
        }
    }

    // MARK: - Taps

    private mutating func tap(_ touch: TrackedTouch, at time: Double) {
        let isSecond = secondTouch == touch.id
        firstTap = nil
        guard touch.isTap(endingAt: time), down.touches.isEmpty else { return }
        if isSecond { doubleTap(touch.start, at: time) } else { firstTap = (touch.start, time) }
    }

    /// Zooms about the point; an enlarged picture goes back.
    private mutating func doubleTap(_ point: Point, at time: Double) {
        let scale = state.isZoomed ? 1 : TransitionOptions.zoomRange.upperBound
        let center = point + scale / state.scale.presentation(at: time) * (state.center(at: time) - point)
        state.animate(
            to: geometry.clamped(center, scale: scale), scale: scale, at: time,
            duration: TransitionOptions.doubleTapDuration, timing: .curve(.easeInOut))
    }

    // MARK: - Pan

    private mutating func pan(_ touch: TrackedTouch, at time: Double) {
        if case .none = state.gesture, touch.travel > GestureThresholds.travel, down.touches.first?.id == touch.id {
            let center = state.center(at: time)
            state.place(center, scale: state.scale.presentation(at: time))
            state.gesture = .pan(id: touch.id, center: center)
            firstTap = nil
        }
        guard case .pan(touch.id, let center) = state.gesture else { return }
        state.place(center + touch.translation, scale: state.scale.model)
    }

    /// The picture goes on for a while, to where it still covers the screen.
    private mutating func endPan(velocity: Vector, at time: Double) {
        state.gesture = .none
        let scale = state.scale.model.clamped(to: TransitionOptions.zoomRange)
        let goal = state.center(at: time) + TransitionOptions.throwTime * velocity
        let destination = geometry.clamped(goal, scale: scale)
        let (duration, timing) = Self.release(speed: velocity.length, cutOff: goal.distance(to: destination))
        state.animate(to: destination, scale: scale, at: time, duration: duration, timing: timing)
    }

    /// - Parameters:
    ///   - speed: In points per second.
    ///   - cutOff: Δ, how far the goal lay beyond where the picture may go, in points.
    static func release(speed: Double, cutOff: Double) -> (duration: Double, timing: Timing) {
        guard speed >= TransitionOptions.throwSpeed else {
            return (min(0.3, 0.001 * cutOff + 0.1), .curve(.easeInOut))
        }
        let duration = min(0.0004 * speed, 0.8)
        let ratio = 1 - 0.2 * (0.1 * cutOff) / (0.1 * cutOff + 1)
        return (duration, .spring(ResponseSpring(dampingRatio: ratio, duration: duration, velocity: 1)))
    }

    // MARK: - Pinch

    /// A pinch shows the square root of its scale below 1.
    private static func shown(_ scale: Double) -> Double { scale < 1 ? scale.squareRoot() : scale }

    /// - Returns: Whether two fingers are down.
    private mutating func beginPinch(at time: Double) -> Bool {
        let shown = state.scale.presentation(at: time)
        guard let pinch = Pinch(down, scale: shown < 1 ? shown * shown : shown),
            !ignored.contains(pinch.first), !ignored.contains(pinch.second)
        else { return false }
        let center = state.center(at: time)
        state.gesture = .pinch(pinch, toCenter: 1 / shown * (center - pinch.centroid))
        state.place(center, scale: shown)
        return true
    }

    private mutating func move(_ pinch: Pinch, _ toCenter: Vector) {
        var pinch = pinch
        pinch.update(down)
        // Never 0, which no layer can have.
        let scale = max(0.01, Self.shown(pinch.scale))
        state.gesture = .pinch(pinch, toCenter: toCenter)
        state.place(pinch.centroid + scale * toCenter, scale: scale)
    }

    /// Back into the range of scales, about the fingers, and to where the picture covers the screen.
    private mutating func endPinch(_ pinch: Pinch, at time: Double) {
        let scale = state.scale.model.clamped(to: TransitionOptions.zoomRange)
        let toCenter = state.center(at: time) - pinch.centroid
        let center = pinch.centroid + scale / state.scale.model * toCenter
        state.gesture = .none
        // The other finger neither pans nor taps from here.
        ignored.formUnion(down.touches.map(\.id))
        state.animate(
            to: geometry.clamped(center, scale: scale), scale: scale, at: time,
            duration: TransitionOptions.zoomBackDuration, timing: .curve(.easeInOut))
    }
}
