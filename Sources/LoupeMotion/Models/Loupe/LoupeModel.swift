import LoupeBase
import LoupeScene

/// FiftyThree Paper's loupe, held by fingers on a page.
///
/// A pinch opens it, and its span sets the zoom; one finger may hold it while others draw in it, drag its edge, or
/// undo and redo by tracing circles. A finger that leaves the screen is extrapolated for a while.
public struct LoupeModel: MotionModel, LiveModel {
    private let base: Scene
    let options: LoupeModelOptions
    private var gestures: LoupeGestures
    var timeline: Timeline<LoupeState>
    /// The time after which nothing moves, in seconds.
    public internal(set) var duration = 0.0

    /// Builds the model from its trace.
    /// - Parameters:
    ///   - base: The page is its layer `options.page`; its own loupes are drawn below the one that is held.
    /// - Precondition: the scene has that layer.
    package init(base: Scene, trace: Trace, options: LoupeModelOptions = LoupeModelOptions()) {
        precondition(base.layers.indices.contains(options.page), "the page is a layer")
        self.base = base
        self.options = options
        gestures = LoupeGestures(canvas: base.canvas, options: options)
        timeline = Timeline(gestures.state)
        follow(trace)
    }

    // MARK: - Events

    mutating func restart() {
        gestures = LoupeGestures(canvas: base.canvas, options: options)
        timeline = Timeline(gestures.state)
    }

    mutating func handle(_ event: Trace.Event) {
        wait(until: event.time)
        guard case .touch(let touch) = event.content else { return }
        gestures.handle(touch, at: event.time)
        timeline.append(gestures.state, at: event.time)
    }

    func duration(after trace: Trace) -> Double { trace.duration + options.thresholds.ghostLife }

    /// Gives up the ghosts whose life is over.
    mutating func wait(until time: Double) {
        while let end = gestures.ghostEnd, end <= time {
            gestures.giveUpGhost(at: end)
            timeline.append(gestures.state, at: end)
        }
    }

    /// The page with its strokes, and the loupe if it is open, at a time in seconds.
    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        var scene = base
        scene.layers[options.page].strokes += strokes(of: state, at: time)
        if state.isOpen { scene.loupes.append(loupe(state, at: time)) }
        return MotionFrame(scene: scene, states: state.json(at: time, options))
    }

    /// The states of the frame at a time in seconds, without the work for its strokes.
    func states(at time: Double) -> JSONValue { timeline.state(at: time).json(at: time, options).withoutNegativeZero }

    /// The strokes on the page: the finished ones, less what an eraser has touched, then those that are being drawn.
    private func strokes(of state: LoupeState, at time: Double) -> [Stroke] {
        func path(of touch: LoupeTouch) -> ToolPath? {
            touch.shownStroke(at: time).map { gestures.paths[$0.number].upTo($0.points) }
        }
        var ink = PageInk()
        for number in state.history.done.items {
            let late = state.ended.first { $0.stroke?.number == number }
            if let path = late.map(path) ?? gestures.paths[number] { ink.add(path) }
        }
        let drawing = state.touches.compactMap(path)
        for path in drawing where path.erases { ink.add(path) }
        for path in drawing where !path.erases { ink.add(path) }
        return ink.strokes
    }

    private func loupe(_ state: LoupeState, at time: Double) -> Loupe {
        let disc = state.disc(options, at: time)
        var loupe = options.look
        loupe.center = disc.center
        loupe.focus = disc.center
        loupe.radius = disc.radius
        loupe.zoom = disc.zoom
        if let rim = loupe.rim { loupe.rim?.width = min(rim.width, disc.radius) }
        return loupe
    }
}

/// The options of the loupe.
package struct LoupeModelOptions: Hashable, Sendable {
    /// The behaviour of the loupe when no finger holds it any more.
    enum Released: String, Hashable, Sendable, CaseIterable {
        /// The loupe stays where it is.
        case stays
        /// The loupe closes.
        case closes
    }

    /// The behaviour when no finger holds the loupe any more.
    var released = Released.stays
    /// The limits between the gestures.
    var thresholds = LoupeThresholds()
    /// The radius, rim and shadow of the loupe when it opens; its centre, zoom and focus come from the fingers.
    package var look = Loupe(
        center: .zero, radius: 110, zoom: 1, rim: Loupe.Rim(width: 5, color: .defaultRim),
        shadow: Loupe.Shadow(offset: .init(dx: 0, dy: 6), blur: 24, color: .defaultShadow))
    /// The width of the pen on the glass, in points: a stroke drawn at zoom 4 is a quarter as wide on the page.
    var penWidth = 6.0
    /// The colour of the pen.
    var penColor = Color.defaultInk
    /// The index of the layer that is drawn on.
    package var page = 0
    /// Where the other hand chooses a tool while a touch holds the loupe. Of regions that overlap the last one counts.
    var tray: [TrayRegion] = []

    /// A loupe of radius 110 with a rim and a shadow, which stays when it is released.
    package init() {}

    /// The range of the radius, in points: from an edge band and the same length inside it, to a scene's largest
    /// radius.
    var radiusRange: ClosedRange<Double> { min(2 * thresholds.edgeBand, look.radius)...Loupe.radiusRange.upperBound }
    var zoomRange: ClosedRange<Double> { 1...thresholds.greatestZoom }

    /// What a touch that comes down at a position chooses; nil outside of the tray.
    func choice(at position: Point) -> TrayRegion.Choice? { tray.last { $0.rect.contains(position) }?.choice }

    /// The range of the width of a pen or an eraser, in points.
    static let penWidthRange: ClosedRange<Double> = 0.1...512
}
