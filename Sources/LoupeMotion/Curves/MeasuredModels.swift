// What each model shows over time, for charts and exported curves.

import LoupeGeometry
import LoupeScene

extension ScrollModel: MeasuredModel {
    var quantities: [Quantity] {
        [("x", x), ("y", y)].map { name, axis in
            Quantity("offset.\(name)", plot: axis.isLocked ? nil : "offset", name: name)
        }
    }

    func values(at time: Double) -> [Double] {
        let offset = timeline.state(at: time).offset(at: time)
        return [offset.dx, offset.dy]
    }

    var changes: [Double] { timeline.changes }
    func isHeld(at time: Double) -> Bool { timeline.state(at: time).isDragging }

    func phases(at time: Double) -> [ModelPhase?] {
        let phase = phase(of: timeline.state(at: time), at: time)
        switch phase {
        case .idle: return [ModelPhase("idle", .still)]
        case .dragging: return [ModelPhase("dragging", .held)]
        case .decelerating: return [ModelPhase("decelerating", .moving)]
        case .bouncing: return [ModelPhase("bouncing", .returning)]
        }
    }

    var guides: [(plot: String, value: Double, name: String)] {
        let open = [("x", x), ("y", y)].filter { !$0.1.isLocked }
        return [("offset", 0, "start")]
            + open.map { ("offset", $1.range.upperBound, open.count > 1 ? "end of \($0)" : "end") }
    }
}

extension PanoramaModel: MeasuredModel {
    var quantities: [Quantity] {
        [
            Quantity("offset", plot: "offset", name: "shown"),
            Quantity("goal", plot: "offset", name: "goal", isGoal: true),
            Quantity("titleX"), Quantity("backgroundX"),
        ]
    }

    func values(at time: Double) -> [Double] {
        let state = timeline.state(at: time)
        let offset = state.offset.presentation(at: time)
        return [
            offset, state.offset.model, PanoramaLayout.gap - offset * titleRate, -offset * backgroundRate,
        ]
    }

    var changes: [Double] { timeline.changes }
    func isHeld(at time: Double) -> Bool { timeline.state(at: time).isDragging }

    func phases(at time: Double) -> [ModelPhase?] {
        let state = timeline.state(at: time)
        if state.isDragging { return [ModelPhase("dragging", .held)] }
        return [state.offset.isSettled(at: time) ? ModelPhase("idle", .still) : ModelPhase("snapping", .moving)]
    }

    var guides: [(plot: String, value: Double, name: String)] {
        layout.stops.enumerated().map { ("offset", $1, "stop \($0 + 1)") }
    }
}

extension TiltModel: MeasuredModel {
    var quantities: [Quantity] {
        [
            Quantity("offset", plot: "offset", name: "shown"),
            Quantity("goal", plot: "offset", name: "goal", isGoal: true),
            Quantity("zoom", .times, plot: "zoom", name: "zoom"), Quantity("center.x"),
        ]
    }

    func values(at time: Double) -> [Double] {
        let state = timeline.state(at: time)
        let zoom = state.zoom.presentation(at: time)
        let offset = shownOffset(state, at: time)
        return [offset, state.offset.model, zoom, photoRect(zoom: zoom, offset: offset).center.x]
    }

    var changes: [Double] { timeline.changes }

    func isHeld(at time: Double) -> Bool {
        if case .none = timeline.state(at: time).gesture { false } else { true }
    }

    func phases(at time: Double) -> [ModelPhase?] {
        let state = timeline.state(at: time)
        switch state.gesture {
        case .drag: return [ModelPhase("drag", .held)]
        case .pinch: return [ModelPhase("pinch", .held)]
        case .none: break
        }
        if !state.zoom.isSettled(at: time) { return [ModelPhase("changing", .returning)] }
        if state.mode == .full { return [ModelPhase("full photo", .open)] }
        let isEasing = !state.offset.isSettled(at: time)
        return [isEasing ? ModelPhase("easing", .moving) : ModelPhase("resting", .still)]
    }

    var guides: [(plot: String, value: Double, name: String)] {
        [("offset", 0, "left end"), ("offset", max(0, Double(canvas.width) * (panningZoom - 1)), "right end")]
    }
}

extension TransitionModel: MeasuredModel {
    var quantities: [Quantity] {
        [
            Quantity("center.x", plot: "centre", name: "x"), Quantity("center.y", plot: "centre", name: "y"),
            Quantity("scale", .times, plot: "scale", name: "scale"), Quantity("mask.width"), Quantity("mask.height"),
            Quantity("cornerRadius"),
            Quantity("background", .number, plot: "opacity of the background", name: "opacity"),
        ]
    }

    func values(at time: Double) -> [Double] {
        let state = timeline.state(at: time)
        let scale = state.scale.presentation(at: time)
        let center = state.center(at: time)
        let width = state.maskWidth.presentation(at: time) * scale
        let height = state.maskHeight.presentation(at: time) * scale
        let radius = (state.maskRadius.presentation(at: time) * scale).clamped(to: 0...(min(width, height) / 2))
        let background = state.background.presentation(at: time).clamped(to: Layer.opacityRange)
        return [center.x, center.y, scale, width, height, radius, background]
    }

    var changes: [Double] { timeline.changes }

    func isHeld(at time: Double) -> Bool {
        switch timeline.state(at: time).gesture {
        case .none: false
        // The animation back into the range of scales goes on under the finger.
        case .panOn: timeline.state(at: time).scale.isSettled(at: time)
        case .held, .pan, .pinch: true
        }
    }

    var lanes: [String] { ["phase", "gesture"] }

    func phases(at time: Double) -> [ModelPhase?] {
        let state = timeline.state(at: time)
        let phase: ModelPhase =
            switch state.phase(at: time) {
            case .thumbnail: ModelPhase("thumbnail", .still)
            case .presenting: ModelPhase("presenting", .moving)
            case .full: ModelPhase("full screen", .open)
            case .dismissing: ModelPhase("dismissing", .returning)
            }
        let gesture: ModelPhase? = if case .none = state.gesture { nil } else { ModelPhase(state.gesture.name, .held) }
        return [phase, gesture]
    }

    var guides: [(plot: String, value: Double, name: String)] {
        let range = TransitionOptions.zoomRange
        return [("scale", range.lowerBound, "fits"), ("scale", range.upperBound, "greatest")]
    }
}

extension LoupeModel: MeasuredModel {
    var quantities: [Quantity] {
        [
            Quantity("center.x", plot: "centre", name: "x"), Quantity("center.y", plot: "centre", name: "y"),
            Quantity("zoom", .times, plot: "zoom", name: "zoom"),
            Quantity("radius", plot: "radius", name: "radius", isPosition: false),
            Quantity("isOpen", .number),
        ]
    }

    func values(at time: Double) -> [Double] {
        let state = timeline.state(at: time)
        let disc = state.disc(options)
        return [disc.center.x, disc.center.y, disc.zoom, disc.radius, state.isOpen ? 1 : 0]
    }

    var changes: [Double] { timeline.changes }
    func isHeld(at time: Double) -> Bool { timeline.state(at: time).hold?.hasFinger == true }
    func isShown(at time: Double) -> Bool { timeline.state(at: time).isOpen }

    func phases(at time: Double) -> [ModelPhase?] {
        switch timeline.state(at: time).phase {
        case .closed: [ModelPhase("closed", .still)]
        case .held: [ModelPhase("held", .held)]
        case .resting: [ModelPhase("resting", .open)]
        }
    }

    /// The decisions about gestures, without their repetitions in later states.
    var decisions: [ModelDecision] {
        gestureDecisions.map { decision in
            let touches = decision.touches.map { String($0) }.joined(separator: " and ")
            let name = decision.touches.count == 1 ? "touch" : "touches"
            return ModelDecision(
                time: decision.time, text: "\(name) \(touches): \(decision.text)", details: decision.details)
        }
    }

    var gestureDecisions: [GestureDecision] {
        var seen: [GestureDecision] = []
        for decision in timeline.states.compactMap({ $0.decision }) where decision != seen.last {
            seen.append(decision)
        }
        return seen
    }

    var guides: [(plot: String, value: Double, name: String)] {
        [("zoom", 1, "page"), ("zoom", options.zoomRange.upperBound, "greatest")]
    }
}

extension KeyframeModel: MeasuredModel {
    var quantities: [Quantity] {
        tracks.flatMap { track -> [Quantity] in
            let (path, words, unit) = (track.property.path, track.property.words, track.property.unit)
            let names = track.property.componentNames
            guard names.count > 1 else { return [Quantity(path, unit, plot: words, name: "value", isPosition: false)] }
            return names.map { Quantity("\(path).\($0)", unit, plot: words, name: $0) }
        }
    }

    func values(at time: Double) -> [Double] { tracks.flatMap { $0.values(at: time) } }
    var changes: [Double] { times }
    func isHeld(at time: Double) -> Bool { false }
    var lanes: [String] { tracks.map { $0.property.words } }

    func phases(at time: Double) -> [ModelPhase?] {
        tracks.map { $0.isMoving(at: time) ? ModelPhase("moving", .moving) : ModelPhase("still", .still) }
    }

    var decisions: [ModelDecision] {
        times.filter { $0 > 0 }.map { time in
            let moved = tracks.filter { track in track.stops.contains { $0.time == time } }
            return ModelDecision(
                time: time, text: "keyframe of " + moved.map { $0.property.words }.joined(separator: ", "))
        }
    }

    /// The times of the keyframes, ascending.
    private var times: [Double] {
        var times: [Double] = []
        for time in tracks.flatMap({ $0.stops.map { $0.time } }).sorted() where time != times.last {
            times.append(time)
        }
        return times
    }
}

extension KeyframeTrack {
    /// Whether the values change at a time.
    func isMoving(at time: Double) -> Bool {
        guard let next = stops.firstIndex(where: { $0.time > time }), next > 0 else { return false }
        return stops[next].values != stops[next - 1].values
    }
}

extension SceneProperty {
    /// The property in words, such as `rim width of loupe 1`.
    var words: String {
        let name = key.split(separator: ".").joined(separator: " ")
        return switch owner {
        case .loupe(let index): "\(name) of loupe \(index + 1)"
        case .layer(let index): "\(name) of layer \(index + 1)"
        }
    }

    var unit: Quantity.Unit {
        let isLength =
            switch owner {
            case .loupe: Self.ofLoupes.first { $0.path == key }?.isLength
            case .layer: Self.ofLayers.first { $0.path == key }?.isLength
            }
        return isLength == true ? .points : key == "zoom" ? .times : .number
    }

    var componentNames: [String] {
        let numbers =
            switch owner {
            case .loupe: Self.ofLoupes.first { $0.path == key }?.numbers
            case .layer: Self.ofLayers.first { $0.path == key }?.numbers
            }
        return (numbers ?? []).map { $0.name }
    }
}

// MARK: - Any model

/// What any model shows, behind one type.
struct Measures: Sendable {
    let quantities: [Quantity]
    let changes: [Double]
    let lanes: [String]
    let decisions: [ModelDecision]
    let guides: [(plot: String, value: Double, name: String)]
    let values: @Sendable (_ time: Double) -> [Double]
    let isHeld: @Sendable (_ time: Double) -> Bool
    let isShown: @Sendable (_ time: Double) -> Bool
    let phases: @Sendable (_ time: Double) -> [ModelPhase?]

    init(_ model: some MeasuredModel) {
        (quantities, changes, lanes) = (model.quantities, model.changes, model.lanes)
        (decisions, guides) = (model.decisions, model.guides)
        (values, isHeld) = ({ model.values(at: $0) }, { model.isHeld(at: $0) })
        (isShown, phases) = ({ model.isShown(at: $0) }, { model.phases(at: $0) })
    }
}

extension Session.Model {
    var measures: Measures {
        switch self {
        case .keyframes(let model): Measures(model)
        case .tilt(let model): Measures(model)
        case .scroll(let model): Measures(model)
        case .panorama(let model): Measures(model)
        case .transition(let model): Measures(model)
        case .loupe(let model): Measures(model)
        }
    }

    var decisions: [ModelDecision] { measures.decisions }
}
