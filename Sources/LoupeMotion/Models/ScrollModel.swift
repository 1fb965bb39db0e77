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

        var x: any Motion
        var y: any Motion
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
                x: StillMotion(options.offset.dx.clamped(to: x.range)),
                y: StillMotion(options.offset.dy.clamped(to: y.range))))
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
        append(x: StillMotion(shown.dx), y: StillMotion(shown.dy), isDragging: true, at: time)
        return Drag(id: touch.id, x: x.dragStart(shown: shown.dx), y: y.dragStart(shown: shown.dy))
    }

    private mutating func move(_ drag: Drag, by translation: Vector, at time: Double) {
        append(
            x: StillMotion(x.dragged(from: drag.x, by: translation.dx)),
            y: StillMotion(y.dragged(from: drag.y, by: translation.dy)), isDragging: true, at: time)
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

    private mutating func append(x: any Motion, y: any Motion, isDragging: Bool, at time: Double) {
        timeline.append(State(x: x, y: y, start: time, isDragging: isDragging), at: time)
    }

    // MARK: - Direction lock

    /// How much farther along one axis than along the other a drag must go to be locked to it.
    private static let lockRatio = 2.0

    private func translation(of touch: TrackedTouch) -> Vector {
        let open = openAxes(touch.translation)
        return Vector(dx: open.x ? touch.translation.dx : 0, dy: open.y ? touch.translation.dy : 0)
    }

    private func openAxes(_ translation: Vector) -> (x: Bool, y: Bool) {
        guard options.directionLock else { return (true, true) }
        let (dx, dy) = (abs(translation.dx), abs(translation.dy))
        return (dy < Self.lockRatio * dx || dy == 0, dx < Self.lockRatio * dy || dx == 0)
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
