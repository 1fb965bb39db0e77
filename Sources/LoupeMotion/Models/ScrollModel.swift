import LoupeBase
import LoupeScene

/// A scroll view that decelerates like UIScrollView, by Facebook Pop's decay animation or as UIKit itself.
///
/// A drag moves the bounds' origin against the finger. After the release, the origin decays from the negated velocity
/// of the touch; an axis whose content is wholly visible does not move. A touch stops the content wherever it is.
public struct ScrollModel: MotionModel, LiveModel {
    struct State: Sendable {
        enum Phase: String {
            case idle, dragging, decelerating, bouncing, springing
        }

        var x: ScrollMotion
        var y: ScrollMotion
        /// The start time of both motions, in seconds.
        var start = 0.0
        var isDragging = false
        /// The velocity that a release would pass on while a finger drags, in points per second.
        var heldVelocity = Vector.zero

        func offset(at time: Double) -> Vector {
            Vector(dx: x.value(at: time - start), dy: y.value(at: time - start))
        }

        func velocity(at time: Double) -> Vector {
            if isDragging { return time - start > VelocityTracker.rest ? .zero : heldVelocity }
            return Vector(dx: x.velocity(at: time - start), dy: y.velocity(at: time - start))
        }

        func isSettled(at time: Double) -> Bool {
            x.isSettled(at: time - start) && y.isSettled(at: time - start)
        }

        /// The time from the start to the rest, in seconds.
        var settlingTime: Double { max(x.settlingTime, y.settlingTime) }
    }

    private struct Drag {
        let id: Int
        /// The offsets at the start of the drag, in points.
        let x: Double
        let y: Double
        /// The movement that a touch makes before it drags, which the content does not follow; nil until the drag
        /// has begun.
        var slop: Vector?
    }

    /// Where its layers scroll, with their scale bars as layers and labels.
    private let scene: Scene
    let x: ScrollAxis
    let y: ScrollAxis
    let options: ScrollOptions
    var timeline: Timeline<State>
    private(set) var decisions: [ModelDecision] = []
    private var down = TouchesDown()
    private var drag: Drag?
    /// The time after which nothing moves, in seconds.
    public internal(set) var duration = 0.0

    /// Builds the model from its trace.
    /// - Parameters:
    ///   - scene: Its layers are the content, in the content's points, unless `ScrollOptions.moved` is.
    ///   - contentWidth: In points, from 0.
    ///   - contentHeight: In points, from 0.
    public init(
        scene: Scene, contentWidth: Double, contentHeight: Double, trace: Trace,
        options: ScrollOptions = ScrollOptions()
    ) {
        self.options = options
        let content = Rect(x: 0, y: 0, width: contentWidth, height: contentHeight)
        self.scene = options.moved == nil ? scene.withBarsAsLayers(within: content) : scene
        x = ScrollAxis(viewport: Double(scene.canvas.width), content: contentWidth, options: options)
        y = ScrollAxis(viewport: Double(scene.canvas.height), content: contentHeight, options: options)
        timeline = Timeline(
            State(
                x: .still(options.offset.dx.clamped(to: x.range)),
                y: .still(options.offset.dy.clamped(to: y.range))))
        follow(trace)
    }

    // MARK: - Events

    mutating func restart() {
        timeline = Timeline(timeline.initial)
        decisions = []
        down = TouchesDown()
        drag = nil
    }

    mutating func handle(_ event: Trace.Event) {
        guard case .touch(let touch) = event.content, let tracked = down.apply(touch, at: event.time) else { return }
        switch touch.phase {
        case .began:
            guard drag == nil else { return }
            drag = self.catch(tracked, at: event.time)
        case .moved:
            guard drag?.id == touch.id else { return }
            move(tracked, at: event.time)
        case .ended, .cancelled:
            guard drag?.id == touch.id else { return }
            move(tracked, at: event.time)
            release(
                tracked,
                touch.phase == .ended ? velocity(under: tracked.velocity(at: event.time), at: event.time) : .zero,
                at: event.time)
            drag = nil
        }
    }

    func duration(after trace: Trace) -> Double { timeline.last.start + timeline.last.settlingTime }

    private mutating func `catch`(_ touch: TrackedTouch, at time: Double) -> Drag {
        let shown = timeline.last.offset(at: time)
        // Content that moves is dragged at once, so that a finger that moves along with it does not slow it down.
        let slop: Vector? = options.feel == .pop || !timeline.last.isSettled(at: time) ? .zero : nil
        append(x: .still(shown.dx), y: .still(shown.dy), isDragging: slop != nil, at: time)
        return Drag(id: touch.id, x: x.dragStart(shown: shown.dx), y: y.dragStart(shown: shown.dy), slop: slop)
    }

    private mutating func move(_ touch: TrackedTouch, at time: Double) {
        let way = touch.translation
        if drag?.slop == nil, way.length > GestureThresholds.travel { drag?.slop = GestureThresholds.slop(of: way) }
        guard let drag, let slop = drag.slop else { return }
        append(
            x: .still(x.dragged(from: drag.x, by: way.dx - slop.dx)),
            y: .still(y.dragged(from: drag.y, by: way.dy - slop.dy)), isDragging: true, at: time,
            velocity: velocity(under: touch.heldVelocity(at: time), at: time))
    }

    /// The velocity of the offset that a release passes on, in points per second: that of the finger, as far as the content
    /// follows it.
    private func velocity(under finger: Vector, at time: Double) -> Vector {
        guard drag?.slop != nil else { return .zero }
        let (velocity, shown) = (-finger, timeline.last.offset(at: time))
        return Vector(
            dx: x.isLocked ? 0 : velocity.dx * x.follow(at: shown.dx),
            dy: y.isLocked ? 0 : velocity.dy * y.follow(at: shown.dy))
    }

    /// UIKit's content decelerates from the finger's last movement on, in recordings a frame before the release.
    /// - Parameter velocity: the velocity of the offset, in points per second.
    private mutating func release(_ touch: TrackedTouch, _ velocity: Vector, at time: Double) {
        let fastest = max(abs(velocity.dx), abs(velocity.dy))
        let shown = timeline.last.offset(at: time)
        let start = options.feel == .uikit && fastest > 0 ? touch.moveTime : time
        func motion(_ index: Int, _ axis: ScrollAxis, _ shown: Double, _ velocity: Double) -> ScrollMotion {
            guard let goal = options.moved?.goalOffset(index) else {
                return axis.released(at: shown, velocity: velocity, fastest: fastest)
            }
            let spring = options.moved?.spring ?? .bounce
            return .springing(SpringMotion(spring, from: shown, to: goal, velocity: velocity))
        }
        append(
            x: motion(0, x, shown.dx, velocity.dx), y: motion(1, y, shown.dy, velocity.dy), isDragging: false, at: time,
            from: start)
        note(velocity, at: time)
    }

    /// Records a release with the velocity of the offset, in points per second.
    private mutating func note(_ velocity: Vector, at time: Double) {
        let state = timeline.last
        let rest = state.settlingTime
        let end = state.offset(at: state.start + rest)
        let axes = [(x, velocity.dx, end.dx, "x"), (y, velocity.dy, end.dy, "y")].filter { !$0.0.isLocked }
        let sentences = axes.enumerated().map { index, axis -> String in
            let (_, speed, end, name) = axis
            guard let moved = options.moved else {
                return "\(name) at \(speed.spoken) points a second comes to rest at \(end.spoken)"
            }
            let value = moved.value(index, at: end).clamped(to: moved.ranges[index])
            return
                "\(moved.columns[index]) at \((-speed * moved.perPoint).spoken) a second comes to rest at \(value.spoken)"
        }
        let duration = rest > 0 ? " after \(rest.hundredths) s" : " at once"
        decisions.append(ModelDecision(time: time, text: "released: \(sentences.joined(separator: ", "))\(duration)"))
    }

    private mutating func append(
        x: ScrollMotion, y: ScrollMotion, isDragging: Bool, at time: Double, from start: Double? = nil,
        velocity: Vector = .zero
    ) {
        timeline.append(
            State(x: x, y: y, start: start ?? time, isDragging: isDragging, heldVelocity: velocity), at: time)
    }

    // MARK: - Frames

    /// The scene, moved by the offset at a time in seconds.
    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        let offset = state.offset(at: time)
        let (scene, velocity) = (self.scene(at: offset), state.velocity(at: time))
        let phase = JSONValue.string(phase(of: state, at: time).rawValue)
        guard let moved = options.moved, let values = moved.property.values(in: scene) else {
            return MotionFrame(
                scene: scene, states: ["phase": phase, "offset": .vector(offset), "velocity": .vector(velocity)])
        }
        let speeds = [velocity.dx, velocity.dy].prefix(moved.ranges.count).map { -moved.perPoint * $0 }
        let members: [(String, JSONValue?)] = [
            ("phase", phase), (moved.property.path, .numbers(values)), ("velocity", .numbers(speeds)),
        ]
        return MotionFrame(scene: scene, states: .object(JSONObject(members)))
    }

    private func scene(at anyOffset: Vector) -> Scene {
        var moved = scene
        if let own = options.moved, let values = own.property.values(in: scene) {
            let changed = [anyOffset.dx, anyOffset.dy].prefix(own.ranges.count).enumerated().map {
                own.value($0, at: $1)
            }
            own.property.set(changed + values.dropFirst(changed.count), in: &moved)
            moved.keepFocus(of: scene.centeredLoupes(except: [own.property]))
        } else {
            let range = JSONReader.coordinateRange
            let offset = Vector(dx: anyOffset.dx.clamped(to: range), dy: anyOffset.dy.clamped(to: range))
            moved.layers = scene.layers.map { $0.moved(by: -offset) }
            moved.labels = scene.labels.map { $0.moved(by: -offset) }
        }
        return moved
    }

    func phase(of state: State, at time: Double) -> State.Phase {
        if state.isDragging { return .dragging }
        if state.isSettled(at: time) { return .idle }
        if options.moved?.goal != nil { return .springing }
        let offset = state.offset(at: time)
        let isOver = !x.range.contains(offset.dx) || !y.range.contains(offset.dy)
        return isOver && options.ends == .bounce ? .bouncing : .decelerating
    }
}

/// The options of the scroll view.
public struct ScrollOptions: Hashable, Sendable {
    /// Whose scroll view it feels like.
    public enum Feel: String, Hashable, Sendable, CaseIterable {
        /// The article's: the content follows the finger at once and decelerates by Pop's decay.
        case pop
        /// UIScrollView's: the content follows the finger after 10 points, which it does not make up for, and stops
        /// dead at 10 points per second (`Deceleration.uikit`). With `ends` of `bounce`, content released at rest
        /// beyond its end returns with a velocity (`Spring.recoil`).
        case uikit
    }

    /// The behaviour at the ends of the content.
    public enum Ends: String, Hashable, Sendable, CaseIterable {
        /// The content stops dead.
        case clamp
        /// The deceleration runs past the content, which is what Pop's decay does by itself; drags stop at the ends.
        case free
        /// A drag beyond the end is damped by a rubber band, and a spring returns a deceleration that passes the end.
        case bounce
    }

    /// The property that Pop animates, which determines its rest velocity.
    public enum Property: String, Hashable, Sendable, CaseIterable {
        /// The view's bounds: at rest below 5 points per second.
        case bounds
        /// A custom property for the bounds' origin: at rest below 0.05 points per second.
        case custom

        /// Pop's threshold for the property, in points.
        public var threshold: Double {
            self == .bounds ? Deceleration.boundsThreshold : Deceleration.customPropertyThreshold
        }
    }

    /// Whose scroll view it feels like.
    public var feel = Feel.pop
    /// The behaviour at the ends of the content.
    public var ends = Ends.clamp
    /// The property that Pop animates; without effect where the feel is UIKit's.
    public var property = Property.bounds
    /// A property of the scene that moves in place of the layers; nil for none.
    package var moved: MovedProperty?
    /// The part of the velocity that is left after a millisecond: 0.998, or 0.99 for UIKit's fast rate.
    public var deceleration = Deceleration.normalRate
    /// The bounds' origin at the start, in points of the content.
    public var offset = Vector.zero

    /// Pop's decay at UIScrollView's normal rate, clamped at the ends.
    public init() {}

    /// The preset of a feel: UIKit's bounces at the ends, as UIScrollView does by default.
    public init(feel: Feel) {
        self.feel = feel
        if feel == .uikit { ends = .bounce }
    }
}

/// A property of a scene that a drag moves: its first number with the finger's x, and its second one, if it has two, with y.
package struct MovedProperty: Hashable, Sendable {
    /// What is moved.
    package let property: SceneProperty
    /// Its numbers at the start.
    let initial: [Double]
    /// Where each number that is moved may be.
    var ranges: [ClosedRange<Double>]
    /// How far a number moves for each point of the finger.
    var perPoint: Double
    /// Where the numbers spring to after a release, Pop's `toValue`; nil for a deceleration.
    var goal: [Double]?
    /// The spring to the goal.
    package var spring = Spring(bounciness: 4, speed: 12)

    /// The offset of a number at the start: how far it is from the end of its range, in points of the finger.
    func offset(_ index: Int) -> Double { (ranges[index].upperBound - initial[index]) / perPoint }

    /// The number at an offset.
    func value(_ index: Int, at offset: Double) -> Double {
        initial[index] + (self.offset(index) - offset) * perPoint
    }

    /// The offset at which the goal is; nil without one.
    func goalOffset(_ index: Int) -> Double? {
        guard ranges.indices.contains(index) else { return nil }
        return goal.map { (ranges[index].upperBound - $0[index]) / perPoint }
    }

    /// The length of the content of each axis beyond the viewport, in points.
    func reach(_ index: Int) -> Double {
        ranges.indices.contains(index) ? (ranges[index].upperBound - ranges[index].lowerBound) / perPoint : 0
    }

    /// The columns of `--states`.
    var columns: [String] { Array(property.columns(initial.count).prefix(ranges.count)) }
}

/// One axis of the scroll view.
struct ScrollAxis: Hashable, Sendable {
    /// The length of the viewport, in points.
    let viewport: Double
    /// The length of the content, in points.
    let content: Double
    let options: ScrollOptions

    /// Whether the content is wholly visible, so that the axis does not scroll.
    var isLocked: Bool { viewport >= content }
    /// The range of the offset at rest, in points.
    var range: ClosedRange<Double> { 0...max(0, content - viewport) }

    private var band: RubberBand { RubberBand(length: viewport) }

    /// The offset at the start of a drag that stops the content at `shown`.
    func dragStart(shown: Double) -> Double {
        options.ends == .bounce ? band.offset(shownAs: shown, in: range) : shown
    }

    /// The offset that is shown when the finger has moved by `translation`.
    func dragged(from start: Double, by translation: Double) -> Double {
        guard !isLocked else { return start }
        let offset = start - translation
        if options.ends == .bounce { return band.offset(offset, in: range) }
        // Content that ran past its end can be dragged back from there, but not further out.
        return offset.clamped(to: min(range.lowerBound, start)...max(range.upperBound, start))
    }

    /// The velocity of the content under a finger, as a part of the finger's.
    func follow(at shown: Double) -> Double { options.ends == .bounce ? band.follow(at: shown, in: range) : 1 }

    /// The motion after a release.
    /// - Parameters:
    ///   - velocity: The velocity of the offset, in points per second.
    ///   - fastest: The greater of both axes' velocities.
    func released(at shown: Double, velocity: Double, fastest: Double) -> ScrollMotion {
        // An axis that is not thrown rests at once, however long the other one takes.
        let coasting: Deceleration =
            switch options.feel {
            case .pop:
                .pop(
                    from: shown, velocity: velocity, rate: options.deceleration,
                    threshold: options.property.threshold, fastest: velocity == 0 ? nil : fastest)
            case .uikit: .uikit(from: shown, velocity: velocity, rate: options.deceleration)
            }
        switch options.ends {
        case .free: return .free(coasting)
        case .clamp: return .clamped(coasting, in: range)
        case .bounce:
            return .bouncing(coasting, in: range, recoil: options.feel == .uikit ? Spring.recoil : 0)
        }
    }
}
