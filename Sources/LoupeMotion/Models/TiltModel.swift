import LoupeBase
import LoupeScene

/// The tilting photo panner of Facebook Paper: rotating the device pans a photo that is wider than the screen.
///
/// A photo w×h fills the height of a canvas W×H and is z = (H/W)(w/h) canvases wide. A rotation sample counts if |ω_y|
/// > |ω_x| + |ω_z|: the model value of the offset changes by −gain·z·ω_y, and the presentation value eases to it from
/// where it is. A tap switches between panning and the full photo; rotation counts again when the way back has ended.
/// A drag moves the photo, and a pinch zooms it about its fingers' middle between the full photo and z; rotation does not
/// count meanwhile. Vertically the photo stays centred.
public struct TiltModel: MotionModel, LiveModel {
    let canvas: Scene.Canvas
    private let photo: Layer.Content
    /// The photo's height divided by its width.
    let aspect: Double
    /// z: the photo's width when it fills the canvas's height, in multiples of the canvas's width.
    let panningZoom: Double
    private let options: TiltOptions
    var timeline: Timeline<TiltState>
    private(set) var decisions: [ModelDecision] = []
    private var down = TouchesDown()
    /// The time after which nothing moves, in seconds.
    public internal(set) var duration = 0.0

    /// Builds the model from its trace.
    /// - Parameters:
    ///   - photo: The path of the image.
    ///   - width: The image's width, in any unit.
    ///   - height: The image's height, in the same unit.
    public init(
        canvas: Scene.Canvas, photo: ImagePath, width: Double, height: Double, trace: Trace,
        options: TiltOptions = TiltOptions()
    ) {
        self.canvas = canvas
        self.photo = .image(path: photo)
        self.options = options
        aspect = height / width
        panningZoom = Double(canvas.height) / Double(canvas.width) * width / height
        let offset = max(0, Double(canvas.width) * (panningZoom - 1)) / 2
        timeline = Timeline(TiltState(zoom: AnimatedValue(panningZoom), offset: AnimatedValue(offset)))
        follow(trace)
    }

    // MARK: - Events

    mutating func restart() {
        timeline = Timeline(timeline.initial)
        decisions = []
        down = TouchesDown()
    }

    mutating func handle(_ event: Trace.Event) {
        var state = timeline.last
        switch event.content {
        case .rotation(let rate): rotate(rate, at: event.time, &state)
        case .touch(let touch):
            guard let tracked = down.apply(touch, at: event.time) else { return }
            handle(touch.phase, tracked, at: event.time, &state)
        }
        timeline.append(state, at: event.time)
    }

    func duration(after trace: Trace) -> Double {
        max(trace.duration, timeline.last.offset.end, timeline.last.zoom.end)
    }

    private func rotate(_ rate: RotationRate, at time: Double, _ state: inout TiltState) {
        guard state.isMotionOn(at: time), abs(rate.y) > abs(rate.x) + abs(rate.z) else { return }
        let target = state.offset.model - options.gain * state.zoom.model * rate.y
        state.offset.animate(
            to: target.clamped(to: range(zoom: state.zoom.model)), at: time, duration: options.easeDuration,
            timing: .curve(.easeOut))
    }

    private mutating func handle(_ phase: Touch.Phase, _ touch: TrackedTouch, at time: Double, _ state: inout TiltState)
    {
        let isDragging = state.drag?.id == touch.id
        if state.pinch != nil || phase == .began && down.touches.count == 2 {
            return pinch(phase, at: time, &state)
        }
        switch phase {
        case .began: break
        case .moved: drag(touch, at: time, &state)
        case .ended where isDragging: endDrag(velocity: -touch.velocity(at: time).dx, at: time, &state)
        case .cancelled where isDragging: state.drag = nil
        case .ended, .cancelled:
            let isTap = phase == .ended && state.drag == nil && down.touches.isEmpty && touch.isTap(endingAt: time)
            if isTap { toggle(at: time, &state) }
        }
    }

    // MARK: - Gestures

    /// The pinch lasts until its last finger is lifted.
    private mutating func pinch(_ phase: Touch.Phase, at time: Double, _ state: inout TiltState) {
        guard var pinch = state.pinch ?? Pinch(down, scale: state.zoom.presentation(at: time)) else { return }
        let (zoom, offset) = (state.zoom.presentation(at: time), shownOffset(state, at: time))
        let before = pinch.centroid.x
        pinch.update(down)
        let next = pinch.scale.clamped(to: fullZoom...panningZoom)
        // What is under the middle of the fingers stays there.
        let place = (offset + before) / zoom * next
        state.zoom.set(next)
        state.offset.set((place - pinch.centroid.x).clamped(to: range(zoom: next)))
        (state.drag, state.pinch) = (nil, pinch)
        guard down.touches.isEmpty else { return }
        state.pinch = nil
        state.mode = next > fullZoom ? .panning : .full
        state.motionStart = next > fullZoom ? time : .infinity
        decisions.append(ModelDecision(time: time, text: "pinch: zoom \(next.hundredths)"))
    }

    private mutating func toggle(at time: Double, _ state: inout TiltState) {
        let text = state.mode == .panning ? "tap: the full photo; rotation is off" : "tap: back to panning"
        decisions.append(ModelDecision(time: time, text: text))
        settle(state.mode == .panning ? .full : .panning, at: time, &state)
    }

    /// Animates to a mode's zoom; panning starts centred.
    private func settle(_ mode: TiltState.Mode, at time: Double, _ state: inout TiltState) {
        state.mode = mode
        let zoom = mode == .full ? fullZoom : panningZoom
        let duration = TiltOptions.toggleDuration
        state.zoom.animate(to: zoom, at: time, duration: duration, timing: .curve(.easeInOut))
        state.offset.animate(
            to: range(zoom: zoom).upperBound / 2, at: time, duration: duration, timing: .curve(.easeInOut))
        state.motionStart = mode == .full ? .infinity : time + duration
    }

    private func drag(_ touch: TrackedTouch, at time: Double, _ state: inout TiltState) {
        if state.drag == nil, touch.travel > GestureThresholds.travel {
            let slop = GestureThresholds.slop(of: touch.translation)
            state.drag = (touch.id, shownOffset(state, at: time) + slop.dx)
        }
        guard let drag = state.drag, drag.id == touch.id else { return }
        let range = range(zoom: state.zoom.presentation(at: time))
        state.offset.set((drag.offset - touch.translation.dx).clamped(to: range))
    }

    /// The photo decelerates as a scroll view does, up to its end.
    private func endDrag(velocity: Double, at time: Double, _ state: inout TiltState) {
        state.drag = nil
        let target = Deceleration.uikit(from: state.offset.model, velocity: velocity).restValue
        let goal = target.clamped(to: range(zoom: state.zoom.model))
        state.offset.glide(to: goal, velocity: velocity, at: time)
    }

    // MARK: - Geometry

    private var width: Double { Double(canvas.width) }
    private var fullZoom: Double { min(1, panningZoom) }

    private func range(zoom: Double) -> ClosedRange<Double> {
        0...max(0, width * (zoom - 1))
    }

    /// The shown offset, clamped to the range at the shown zoom, because a drag may come during a change of zoom.
    func shownOffset(_ state: TiltState, at time: Double) -> Double {
        let range = range(zoom: state.zoom.presentation(at: time))
        return state.offset.presentation(at: time).clamped(to: range)
    }

    func photoRect(zoom: Double, offset: Double) -> Rect {
        let size = (width: width * zoom, height: width * zoom * aspect)
        return Rect(
            x: zoom > 1 ? -offset : (width - size.width) / 2, y: (Double(canvas.height) - size.height) / 2,
            width: size.width, height: size.height)
    }

    // MARK: - Frames

    /// The photo and its scroll bar at a time in seconds.
    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        let zoom = state.zoom.presentation(at: time)
        let offset = shownOffset(state, at: time)
        let bar = ScrollBar(offset: offset, contentWidth: width * zoom, canvas: canvas)
        let rect = photoRect(zoom: zoom, offset: offset)
        let states: JSONValue = [
            "mode": .string(state.mode.rawValue),
            "gesture": .string(state.pinch != nil ? "pinch" : state.drag == nil ? "none" : "drag"),
            "motion": .bool(state.isMotionOn(at: time)), "offset": .number(state.offset.model),
            "presentationOffset": .number(offset), "zoom": .number(zoom), "photo": .rect(rect),
            "scrollBar": [
                "position": .number(bar.position), "length": .number(bar.length),
                "from": .number(bar.stroke.lowerBound), "to": .number(bar.stroke.upperBound),
            ],
        ]
        let scene = Scene(canvas: canvas, layers: [Layer(content: photo, rect: rect)] + bar.layers)
        return MotionFrame(scene: scene, states: states)
    }
}

/// The options of the tilting photo panner.
public struct TiltOptions: Hashable, Sendable {
    /// The number of points that the photo moves for one sample of one radian per second, at z = 1.
    public var gain = 5.0
    /// The duration of the ease-out that each accepted sample starts, in seconds.
    public var easeDuration = 0.3

    /// The values of Facebook Paper.
    public init() {}

    /// The duration of the change between panning and the full photo, in seconds.
    static let toggleDuration = 0.3
}

/// The state of the tilting panner between two events.
struct TiltState: Sendable {
    enum Mode: String, Sendable {
        /// The photo is wider than the canvas and moves with the device.
        case panning
        /// The whole photo is visible.
        case full
    }

    var mode = Mode.panning
    /// The photo's width, in multiples of the canvas's width.
    var zoom: AnimatedValue
    /// The part of the photo to the left of the canvas, in points.
    var offset: AnimatedValue
    /// The time from which rotation moves the photo, in seconds; infinite while it does not.
    var motionStart = -Double.infinity
    /// The finger that drags, and the offset from which its movement counts.
    var drag: (id: Int, offset: Double)?

    /// The two fingers that zoom, until the last one is lifted.
    var pinch: Pinch?

    func isMotionOn(at time: Double) -> Bool { drag == nil && pinch == nil && time >= motionStart }
}

/// The scroll bar of the tilting panner, which shows the visible part of the photo.
struct ScrollBar: Hashable {
    /// The position of the visible part between its two ends, 0…1.
    let position: Double
    /// The visible fraction of the content, over 0 up to 1.
    let length: Double
    private let canvas: Scene.Canvas

    /// The distance of each end of the line from the canvas's side, in points.
    private static let margin = 10.0
    /// The distance of the line from the canvas's bottom, in points.
    private static let bottom = 50.0
    private static let thickness = 1.0
    private static let trackOpacity = 0.1

    /// - Parameters:
    ///   - offset: The part of the content to the left of the canvas, in points.
    ///   - contentWidth: In points.
    init(offset: Double, contentWidth: Double, canvas: Scene.Canvas) {
        let width = Double(canvas.width)
        let range = contentWidth - width
        position = range > 0 ? (offset / range).clamped(to: 0...1) : 0
        length = range > 0 ? width / contentWidth : 1
        self.canvas = canvas
    }

    /// The ends of the bright stroke, in points from the canvas's left side.
    var stroke: ClosedRange<Double> {
        let start = position * (1 - length)
        return (Self.margin + lineLength * start)...(Self.margin + lineLength * (start + length))
    }

    private var lineLength: Double { max(0, Double(canvas.width) - 2 * Self.margin) }

    /// The track and the stroke on it; none if the canvas is too narrow.
    var layers: [Layer] {
        guard lineLength > 0 else { return [] }
        let line = Self.margin...(Self.margin + lineLength)
        return [layer(line, opacity: Self.trackOpacity), layer(stroke, opacity: 1)]
    }

    private func layer(_ line: ClosedRange<Double>, opacity: Double) -> Layer {
        let y = Double(canvas.height) - Self.bottom
        return Layer(
            content: .fill(Color(red: 255, green: 255, blue: 255)),
            rect: Rect(
                x: line.lowerBound, y: y - Self.thickness / 2, width: line.upperBound - line.lowerBound,
                height: Self.thickness),
            opacity: opacity)
    }
}
