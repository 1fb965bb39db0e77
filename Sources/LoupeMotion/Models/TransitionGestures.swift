// The gestures of the zoom transition, and the state that they change.

import LoupeBase
import LoupeScene

/// The gestures of the zoom transition: decides among tap, double tap, pan and pinch, and applies them to the state.
struct TransitionGestures {
    /// Of each thumbnail.
    private let geometries: [TransitionGeometry]
    let options: TransitionOptions
    private(set) var state: TransitionState
    private(set) var decisions: [ModelDecision] = []

    private var down = TouchesDown()
    /// Fingers that have no effect any more.
    private var ignored: Set<Int> = []
    private var taps = DoubleTap()

    init(_ geometries: [TransitionGeometry], options: TransitionOptions) {
        self.geometries = geometries
        self.options = options
        state = TransitionState(geometries[0], number: 0)
    }

    private var geometry: TransitionGeometry { geometries[state.number] }

    private mutating func note(_ text: String, at time: Double) {
        decisions.append(ModelDecision(time: time, text: text))
    }

    // MARK: - Events

    /// When the waiting tap becomes a single tap, in seconds; nil if none is waiting.
    var singleTapTime: Double? { taps.deadline }

    /// Turns the waiting tap into a single tap.
    mutating func fireSingleTap(at time: Double) {
        taps.forget()
        ignored.formUnion(down.touches.map { $0.id })
        guard state.isFull else { return }
        let resets = state.isZoomed && options.zoomedTap == .resets
        let wait = GestureThresholds.secondTapWait.hundredths
        note("no second tap within \(wait) s: \(resets ? "back to the normal size" : "dismissed")", at: time)
        if resets {
            state.animate(
                to: geometry.screen.center, scale: 1, at: time, duration: TransitionOptions.doubleTapDuration)
        } else {
            state.dismiss(geometry, at: time)
        }
    }

    mutating func handle(_ touch: Touch, at time: Double) {
        guard let tracked = down.apply(touch, at: time) else { return }
        if ignored.contains(touch.id) {
            if touch.phase == .ended || touch.phase == .cancelled { ignored.remove(touch.id) }
        } else if case .drag(let id, _, isCaught: true) = state.gesture {
            // Further fingers change nothing until the first one is lifted.
            if id == touch.id {
                handleHeld(touch.phase, tracked, at: time)
            } else {
                ignored.insert(touch.id)
            }
        } else if touch.phase == .began, state.isFlying(at: time) {
            hold(tracked, at: time)
        } else if state.isFull {
            handleFull(touch.phase, tracked, at: time)
        } else if touch.phase == .ended, tracked.isTap(endingAt: time),
            let number = geometries.lastIndex(where: { $0.thumbnail.contains(tracked.start) })
        {
            let which = geometries.count > 1 ? " \(number)" : ""
            note("tap on the thumbnail\(which): presented on a spring", at: time)
            if number != state.number { state = TransitionState(geometries[number], number: number) }
            state.present(geometry, at: time)
        }
    }

    // MARK: - Catching

    /// A finger on the flying picture holds it where it is.
    private mutating func hold(_ touch: TrackedTouch, at time: Double) {
        note("caught while it was \(state.phase(at: time).rawValue)", at: time)
        state.freeze(at: time)
        taps.forget()
        // Once it has arrived, the finger pans.
        state.gesture = .drag(id: touch.id, position: touch.position, isCaught: time < state.arrival)
    }

    /// A finger that holds the flying picture moves it; a tap turns its way round, anything else lets it go on.
    private mutating func handleHeld(_ phase: Touch.Phase, _ touch: TrackedTouch, at time: Double) {
        guard phase == .ended || phase == .cancelled else { return follow(touch) }
        let turns = phase == .ended && touch.isTap(endingAt: time)
        let velocity = phase == .ended && !turns ? touch.velocity(at: time) : .zero
        state.gesture = .none
        if turns != state.isFull {
            note(turns ? "tap: turned round, presented" : "let go: presented", at: time)
            state.present(geometry, velocity: velocity, at: time)
        } else {
            note(turns ? "tap: turned round, dismissed" : "let go: dismissed", at: time)
            state.dismiss(geometry, velocity: velocity, at: time)
        }
    }

    private mutating func handleFull(_ phase: Touch.Phase, _ touch: TrackedTouch, at time: Double) {
        switch (phase, state.gesture) {
        case (.began, .pinch): break
        case (.began, _): began(touch, at: time)
        case (.moved, .pinch(let pinch, let toCenter)): move(pinch, toCenter)
        case (.moved, _): pan(touch, at: time)
        case (.ended, .drag(touch.id, _, _)): endPan(velocity: touch.velocity(at: time), at: time)
        case (.cancelled, .drag(touch.id, _, _)): endPan(velocity: .zero, at: time)
        case (.ended, .pinch(let pinch, _)), (.cancelled, .pinch(let pinch, _)):
            if pinch.includes(touch.id) { endPinch(pinch, without: touch.id, at: time) }
        case (.ended, .none):
            if taps.end(touch, isAlone: down.touches.isEmpty, at: time) { doubleTap(touch.start, at: time) }
        case (.cancelled, _): taps.forget()
        case (.ended, .drag): break
        }
    }

    private mutating func began(_ touch: TrackedTouch, at time: Double) {
        if beginPinch(at: time) { taps.forget() } else { taps.begin(touch) }
    }

    // MARK: - Taps

    /// Zooms in about the point; a picture at the greatest scale zooms out.
    private mutating func doubleTap(_ point: Point, at time: Double) {
        let greatest = TransitionOptions.zoomRange.upperBound
        let scale = state[.scale].model < greatest - 1e-9 ? greatest : 1
        note("double tap: zooms to \(scale.tenths)×", at: time)
        let center = point + scale / state[.scale].presentation(at: time) * (state.center(at: time) - point)
        state.animate(
            to: geometry.clamped(center, scale: scale), scale: scale, at: time,
            duration: TransitionOptions.doubleTapDuration)
    }

    // MARK: - Pan

    private mutating func pan(_ touch: TrackedTouch, at time: Double) {
        if case .none = state.gesture, touch.travel > GestureThresholds.travel, down.touches.first?.id == touch.id {
            state.freeze(at: time)
            state.gesture = .drag(
                id: touch.id, position: touch.start + GestureThresholds.slop(of: touch.translation), isCaught: false)
            taps.forget()
        }
        follow(touch)
    }

    /// The finger that holds or pans moves the picture, and what still animates with it.
    private mutating func follow(_ touch: TrackedTouch) {
        guard case .drag(touch.id, let position, let isCaught) = state.gesture else { return }
        state.shift(by: touch.position - position)
        state.gesture = .drag(id: touch.id, position: touch.position, isCaught: isCaught)
    }

    /// Extrapolates the movement, within the range in which the picture covers the screen, and glides there with the
    /// velocity of the release.
    private mutating func endPan(velocity: Vector, at time: Double) {
        state.gesture = .none
        let scale = state[.scale].model.clamped(to: TransitionOptions.zoomRange)
        let center = Point(x: state[.centerX].model, y: state[.centerY].model)
        let destination = geometry.clamped(center + TransitionOptions.throwTime * velocity, scale: scale)
        note("pan released at \(velocity.length.spoken) points a second", at: time)
        if scale != state[.scale].model {
            let duration = TransitionOptions.zoomBackDuration
            state[.scale].animate(to: scale, at: time, duration: duration, timing: .curve(.easeInOut))
        }
        // A finger that is left of a pinch and rests leaves the picture to the pinch's end.
        if velocity != .zero || destination != center { state.glide(to: destination, velocity: velocity, at: time) }
    }

    // MARK: - Pinch

    /// The scale that a pinch shows: below 1, its square root.
    private static func shown(_ scale: Double) -> Double { scale < 1 ? scale.squareRoot() : scale }

    /// - Returns: Whether two fingers are down.
    private mutating func beginPinch(at time: Double) -> Bool {
        let shown = state[.scale].presentation(at: time)
        guard let pinch = Pinch(down, scale: shown < 1 ? shown * shown : shown),
            !ignored.contains(pinch.first), !ignored.contains(pinch.second)
        else { return false }
        let center = state.center(at: time)
        state.gesture = .pinch(pinch, toCenter: 1 / shown * (center - pinch.centroid))
        state.set(center: center, scale: shown)
        return true
    }

    private mutating func move(_ pinch: Pinch, _ toCenter: Vector) {
        var pinch = pinch
        pinch.update(down)
        // Over 0, because no layer can have the size 0.
        let scale = max(0.01, Self.shown(pinch.scale))
        state.gesture = .pinch(pinch, toCenter: toCenter)
        state.set(center: pinch.centroid + scale * toCenter, scale: scale)
    }

    /// Animates back into the range of scales about the touches' centroid, to where the picture covers the screen. The
    /// other finger of the pinch goes on panning meanwhile.
    private mutating func endPinch(_ pinch: Pinch, without id: Int, at time: Double) {
        let scale = state[.scale].model.clamped(to: TransitionOptions.zoomRange)
        note("pinch released at \(state[.scale].model.hundredths)×: rests at \(scale.hundredths)×", at: time)
        let toCenter = state.center(at: time) - pinch.centroid
        let center = pinch.centroid + scale / state[.scale].model * toCenter
        let other = down.touches.first { pinch.includes($0.id) }
        // Any further finger neither pans nor taps from now on.
        ignored.formUnion(down.touches.map { $0.id }.filter { $0 != other?.id })
        state.gesture = other.map { .drag(id: $0.id, position: $0.position, isCaught: false) } ?? .none
        down.forgetVelocity(of: other.map { [$0.id] } ?? [])
        state.animate(
            to: geometry.clamped(center, scale: scale), scale: scale, at: time,
            duration: TransitionOptions.zoomBackDuration)
    }
}

/// The state of the zoom transition between two events. Lengths of the mask are in the picture's points, at scale 1.
struct TransitionState: Sendable {
    enum Phase: String, Sendable {
        case thumbnail, presenting, full, dismissing
    }

    enum Gesture: Sendable {
        case none
        /// A finger pans the picture, or has caught it on its way. With the finger's last position.
        case drag(id: Int, position: Point, isCaught: Bool)
        /// With the vector from the centroid to the picture's centre, at scale 1.
        case pinch(Pinch, toCenter: Vector)

        var name: String {
            switch self {
            case .none: "none"
            case .drag(_, _, let isCaught): isCaught ? "hold" : "pan"
            case .pinch: "pinch"
            }
        }
    }

    /// Which of the thumbnails it is.
    let number: Int
    var isFull = false
    /// The end of the animation to the present phase, in seconds; a touch that begins before it holds the picture.
    var arrival = -Double.infinity
    var gesture = Gesture.none

    /// An animated value.
    enum Part: Int {
        case scale, centerX, centerY
        /// The opacity of the background, 0…1; a spring may overshoot it.
        case background
        case maskWidth, maskHeight, maskRadius
    }

    /// The parts in their order.
    private(set) var parts: [AnimatedValue]

    /// The state at a thumbnail.
    init(_ geometry: TransitionGeometry, number: Int) {
        self.number = number
        parts = Self.thumbnail(geometry).map { AnimatedValue($0) }
    }

    private static func thumbnail(_ geometry: TransitionGeometry) -> [Double] {
        let (scale, rect) = (geometry.thumbnailScale, geometry.thumbnail)
        return [
            scale, rect.center.x, rect.center.y, 0, rect.width / scale, rect.height / scale,
            geometry.photo.corner.radius / scale,
        ]
    }

    subscript(part: Part) -> AnimatedValue {
        get { parts[part.rawValue] }
        set { parts[part.rawValue] = newValue }
    }

    func phase(at time: Double) -> Phase {
        if case .drag(_, _, isCaught: true) = gesture { return isFull ? .presenting : .dismissing }
        if time < arrival { return isFull ? .presenting : .dismissing }
        return isFull ? .full : .thumbnail
    }

    func center(at time: Double) -> Point {
        Point(x: self[.centerX].presentation(at: time), y: self[.centerY].presentation(at: time))
    }

    /// Whether the picture moves by itself: it arrives, or glides after a pan.
    func isFlying(at time: Double) -> Bool {
        if case .none = gesture {
            time < arrival || !self[.centerX].isSettled(at: time) || !self[.centerY].isSettled(at: time)
        } else {
            false
        }
    }

    var isZoomed: Bool { self[.scale].model > 1 + 1e-9 }
}

// MARK: - Changes

extension TransitionState {
    mutating func set(center: Point, scale: Double) {
        self[.scale].set(scale)
        self[.centerX].set(center.x)
        self[.centerY].set(center.y)
    }

    /// Stops all that moves where it is.
    mutating func freeze(at time: Double) {
        for index in parts.indices { parts[index].freeze(at: time) }
    }

    /// Lets the centre glide with a velocity, in points per second.
    mutating func glide(to center: Point, velocity: Vector, at time: Double) {
        self[.centerX].glide(to: center.x, velocity: velocity.dx, at: time)
        self[.centerY].glide(to: center.y, velocity: velocity.dy, at: time)
    }

    /// Moves the picture and its running animation.
    mutating func shift(by distance: Vector) {
        self[.centerX].shift(by: distance.dx)
        self[.centerY].shift(by: distance.dy)
    }

    mutating func animate(to center: Point, scale: Double, at time: Double, duration: Double) {
        for (part, value) in [(Part.scale, scale), (.centerX, center.x), (.centerY, center.y)]
        where part != .scale || value != self[.scale].model {
            self[part].animate(to: value, at: time, duration: duration, timing: .curve(.easeInOut))
        }
    }

    /// Starts the animation to the full screen, from the thumbnail or from where the picture is.
    /// - Parameter velocity: Of the finger that let the picture go, in points per second.
    mutating func present(_ geometry: TransitionGeometry, velocity: Vector = .zero, at time: Double) {
        isFull = true
        let center = geometry.screen.center
        go(
            to: [1, center.x, center.y, 1, geometry.width, geometry.height, 0], by: TransitionOptions.presentSpring,
            velocity: velocity, at: time)
    }

    /// Starts the animation back to the thumbnail.
    mutating func dismiss(_ geometry: TransitionGeometry, velocity: Vector = .zero, at time: Double) {
        isFull = false
        go(to: Self.thumbnail(geometry), by: TransitionOptions.dismissSpring, velocity: velocity, at: time)
    }

    /// - Parameter goals: in the order of the parts.
    private mutating func go(to goals: [Double], by spring: ResponseSpring, velocity: Vector, at time: Double) {
        arrival = time + spring.duration
        let shown = center(at: time)
        // A spring that begins with a velocity of its own gives way to the finger's.
        let own = velocity == .zero ? .zero : spring.velocity * (Point(x: goals[1], y: goals[2]) - shown)
        let pushes = [0, velocity.dx - own.dx, velocity.dy - own.dy]
        for (index, goal) in goals.enumerated() {
            if index < Part.maskWidth.rawValue {
                parts[index].animate(
                    to: goal, at: time, duration: spring.duration, timing: .spring(spring),
                    velocity: index < pushes.count ? pushes[index] : 0)
            } else {
                parts[index].animate(
                    to: goal, at: time, duration: TransitionOptions.maskDuration, timing: .curve(.linear))
            }
        }
    }
}
