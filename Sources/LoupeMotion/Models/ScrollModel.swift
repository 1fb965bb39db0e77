import LoupeGeometry
import LoupeJSON
import LoupeScene

/// A scroll view that decelerates by Facebook Pop's decay.
///
/// A drag moves the bounds' origin against the finger; a release lets it decay from the negated velocity of the
/// touch, at rest for an axis on which all content is in sight. A touch catches the content wherever it is.
public struct ScrollModel: MotionModel {
    private struct State: Sendable {
        enum Phase: String {
            case idle, dragging, decelerating, bouncing
        }

        var x: ScrollMotion
        var y: ScrollMotion
        /// When they began, in seconds.
        var start = 0.0
        var isDragging = false

        func offset(at time: Double) -> Vector {
            Vector(dx: x.value(at: time - start), dy: y.value(at: time - start))
        }

        func velocity(at time: Double) -> Vector {
            Vector(dx: x.velocity(at: time - start), dy: y.velocity(at: time - start))
        }

        func isSettled(at time: Double) -> Bool {
            x.isSettled(at: time - start) && y.isSettled(at: time - start)
        }
    }

    private struct Drag {
        let id: Int
        /// The offsets that count at the drag's start.
        let x: Double
        let y: Double
    }

    private let scene: Scene
    private let x: ScrollAxis
    private let y: ScrollAxis
    private let options: ScrollOptions
    private var timeline: Timeline<State>
    public private(set) var duration = 0.0

    /// - Parameters:
    ///   - scene: Its layers are the content, placed in points of the content.
    ///   - contentWidth: In points, from 0.
    ///   - contentHeight: In points, from 0.
    public init(
        scene: Scene, contentWidth: Double, contentHeight: Double, trace: Trace,
        options: ScrollOptions = ScrollOptions()
    ) {
        self.scene = scene
        self.options = options
        x = ScrollAxis(viewport: Double(scene.canvas.width), content: contentWidth, options: options)
        y = ScrollAxis(viewport: Double(scene.canvas.height), content: contentHeight, options: options)
        timeline = Timeline(
            State(
                x: .still(options.offset.dx.clamped(to: x.range)),
                y: .still(options.offset.dy.clamped(to: y.range))))
        fold(trace)
        duration = timeline.last.start + settlingTime(timeline.last)
    }

    // MARK: - Events

    private mutating func fold(_ trace: Trace) {
        var down = TouchesDown()
        var drag: Drag?
        for event in trace.events {
            guard case .touch(let touch) = event.content,
                let tracked = down.apply(touch, at: event.time)
            else { continue }
            switch touch.phase {
            case .began:
                guard drag == nil else { continue }
                drag = self.catch(tracked, at: event.time)
            case .moved:
                guard let drag, drag.id == touch.id else { continue }
                move(drag, by: translation(of: tracked), at: event.time)
            case .ended, .cancelled:
                guard let ending = drag, ending.id == touch.id else { continue }
                move(ending, by: translation(of: tracked), at: event.time)
                release(touch.phase == .ended ? -tracked.velocity(at: event.time) : .zero, tracked, at: event.time)
                drag = nil
            }
        }
    }

    private mutating func `catch`(_ touch: TrackedTouch, at time: Double) -> Drag {
        let shown = timeline.last.offset(at: time)
        append(x: .still(shown.dx), y: .still(shown.dy), isDragging: true, at: time)
        return Drag(id: touch.id, x: x.dragStart(shown: shown.dx), y: y.dragStart(shown: shown.dy))
    }

    private mutating func move(_ drag: Drag, by translation: Vector, at time: Double) {
        append(
            x: .still(x.dragged(from: drag.x, by: translation.dx)),
            y: .still(y.dragged(from: drag.y, by: translation.dy)), isDragging: true, at: time)
    }

    /// - Parameter velocity: Of the offset, in points per second.
    private mutating func release(_ velocity: Vector, _ touch: TrackedTouch, at time: Double) {
        let open = openAxes(touch.translation)
        let vx = x.isLocked || !open.x ? 0 : velocity.dx
        let vy = y.isLocked || !open.y ? 0 : velocity.dy
        let fastest = max(abs(vx), abs(vy))
        let shown = timeline.last.offset(at: time)
        append(
            x: x.released(at: shown.dx, velocity: vx, fastest: fastest),
            y: y.released(at: shown.dy, velocity: vy, fastest: fastest), isDragging: false, at: time)
    }

    private mutating func append(x: ScrollMotion, y: ScrollMotion, isDragging: Bool, at time: Double) {
        timeline.append(State(x: x, y: y, start: time, isDragging: isDragging), at: time)
    }

    // MARK: - Direction lock

    private func translation(of touch: TrackedTouch) -> Vector {
        let open = openAxes(touch.translation)
        return Vector(dx: open.x ? touch.translation.dx : 0, dy: open.y ? touch.translation.dy : 0)
    }

    private func openAxes(_ translation: Vector) -> (x: Bool, y: Bool) {
        guard options.directionLock else { return (true, true) }
        let (dx, dy) = (abs(translation.dx), abs(translation.dy))
        return (
            dy < GestureThresholds.directionLockRatio * dx || dy == 0,
            dx < GestureThresholds.directionLockRatio * dy || dx == 0
        )
    }

    // MARK: - Frames

    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        let offset = state.offset(at: time)
        var scene = scene
        for index in scene.layers.indices {
            scene.layers[index].rect.x -= offset.dx
            scene.layers[index].rect.y -= offset.dy
            scene.layers[index].crop?.x -= offset.dx
            scene.layers[index].crop?.y -= offset.dy
        }
        let states: JSONValue = [
            "phase": .string(phase(of: state, at: time).rawValue), "offset": .vector(offset),
            "velocity": .vector(state.velocity(at: time)),
        ]
        return MotionFrame(scene: scene, states: states)
    }

    private func phase(of state: State, at time: Double) -> State.Phase {
        if state.isDragging { return .dragging }
        if state.isSettled(at: time) { return .idle }
        let offset = state.offset(at: time)
        let isOver = !x.range.contains(offset.dx) || !y.range.contains(offset.dy)
        return isOver && options.ends == .bounce ? .bouncing : .decelerating
    }

    /// In steps, because axes may settle in any order; far longer than any scroll takes.
    private func settlingTime(_ state: State) -> Double {
        var time = 0.0
        while time < 60, !state.isSettled(at: state.start + time) { time += 0.01 }
        return time
    }
}

/// What of the decelerating scroll view can be set.
public struct ScrollOptions: Hashable, Sendable {
    /// What happens at the content's ends.
    public enum Ends: String, Hashable, Sendable, CaseIterable {
        /// The content stops dead.
        case clamp
        /// The deceleration runs past the content, as in the article's first version; drags stop at the ends.
        case free
        /// A drag stretches a rubber band, a deceleration is brought back by a spring.
        case bounce
    }

    /// What Pop animates, which sets the velocity at which it rests.
    public enum Property: String, Hashable, Sendable, CaseIterable {
        /// The view's bounds: under 5 points a second.
        case bounds
        /// A custom property for the bounds' origin: under .05 points a second.
        case custom

        public var threshold: Double {
            self == .bounds ? Decay.boundsThreshold : Decay.customPropertyThreshold
        }
    }

    public var ends = Ends.clamp
    public var property = Property.bounds
    /// What is left of the velocity after a millisecond: .998, or .99 for fast deceleration.
    public var deceleration = Decay.normalDeceleration
    /// Whether a drag that is mostly along one axis moves along that one only.
    public var directionLock = false
    /// The bounds' origin at the start, in points of the content.
    public var offset = Vector.zero

    public init() {}
}

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
    func released(at shown: Double, velocity: Double, fastest: Double) -> ScrollMotion {
        let decay = Decay(
            from: shown, velocity: velocity, deceleration: options.deceleration,
            threshold: options.property.threshold, fastest: fastest)
        switch options.ends {
        case .free: return .free(decay)
        case .clamp: return .clamped(BoundedMotion(decay, in: range))
        case .bounce: return .bouncing(BouncingMotion(decay, in: range))
        }
    }
}

/// The motion of one axis: at rest or under a finger, or one of the three decelerations.
enum ScrollMotion: Motion {
    /// The offset, in points.
    case still(Double)
    case free(Decay)
    case clamped(BoundedMotion<Decay>)
    case bouncing(BouncingMotion<Decay>)

    func value(at time: Double) -> Double {
        switch self {
        case .still(let value): value
        case .free(let motion): motion.value(at: time)
        case .clamped(let motion): motion.value(at: time)
        case .bouncing(let motion): motion.value(at: time)
        }
    }

    func velocity(at time: Double) -> Double {
        switch self {
        case .still: 0
        case .free(let motion): motion.velocity(at: time)
        case .clamped(let motion): motion.velocity(at: time)
        case .bouncing(let motion): motion.velocity(at: time)
        }
    }

    func isSettled(at time: Double) -> Bool {
        switch self {
        case .still: true
        case .free(let motion): motion.isSettled(at: time)
        case .clamped(let motion): motion.isSettled(at: time)
        case .bouncing(let motion): motion.isSettled(at: time)
        }
    }
}
