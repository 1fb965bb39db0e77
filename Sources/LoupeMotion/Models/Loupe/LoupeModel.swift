import LoupeGeometry
import LoupeScene

/// FiftyThree Paper's loupe in the hand.
///
/// A pinch summons it, its span sets the zoom; one finger may hold it while others draw in it, drag its edge, or undo
/// and redo by tracing circles. A finger that leaves the screen goes on unseen for a while.
public struct LoupeModel: MotionModel {
    private let base: Scene
    let options: LoupeModelOptions
    private var strokes: [Stroke] = []
    private(set) var timeline: Timeline<LoupeState>
    /// What the touches did; for charts.
    let trace: Trace
    public let duration: Double

    /// - Parameters:
    ///   - base: The page is its layer `options.page`; its own loupes are shown below.
    /// - Precondition: there is such a layer.
    public init(base: Scene, trace: Trace, options: LoupeModelOptions = LoupeModelOptions()) {
        precondition(base.layers.indices.contains(options.page), "the page is a layer")
        self.base = base
        self.options = options
        self.trace = trace
        duration = trace.duration + options.thresholds.ghostLife
        var gestures = LoupeGestures(canvas: base.canvas, options: options)
        timeline = Timeline(gestures.state)
        fold(&gestures)
        strokes = gestures.strokes
    }

    private mutating func fold(_ gestures: inout LoupeGestures) {
        for event in trace.events {
            giveUpGhosts(&gestures, until: event.time)
            guard case .touch(let touch) = event.content else { continue }
            gestures.handle(touch, at: event.time)
            timeline.append(gestures.state, at: event.time)
        }
        giveUpGhosts(&gestures, until: .infinity)
    }

    private mutating func giveUpGhosts(_ gestures: inout LoupeGestures, until time: Double) {
        while let end = gestures.ghostEnd, end <= time {
            gestures.giveUpGhost(at: end)
            timeline.append(gestures.state, at: end)
        }
    }

    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        var scene = base
        scene.layers[options.page].strokes += strokes(of: state)
        if state.isOpen { scene.loupes.append(loupe(state, at: time)) }
        return MotionFrame(scene: scene, states: state.json(at: time, options))
    }

    /// What is on the page: what was done, then what is being drawn.
    private func strokes(of state: LoupeState) -> [Stroke] {
        state.history.done.map { strokes[$0] }
            + state.drawing.map { number, points in
                var stroke = strokes[number]
                stroke.points.removeLast(stroke.points.count - points)
                return stroke
            }
    }

    private func loupe(_ state: LoupeState, at time: Double) -> Loupe {
        let disc = state.disc(at: time, options)
        var loupe = options.look
        loupe.center = disc.center
        loupe.focus = disc.center
        loupe.radius = disc.radius
        loupe.zoom = disc.zoom
        if let rim = loupe.rim { loupe.rim?.width = min(rim.width, disc.radius) }
        return loupe
    }
}

/// What of the loupe in the hand can be set.
public struct LoupeModelOptions: Hashable, Sendable {
    /// What the loupe does once no finger holds it.
    public enum Released: String, Hashable, Sendable, CaseIterable {
        case stays
        case closes
    }

    public var released = Released.stays
    public var thresholds = LoupeThresholds()
    /// How the loupe looks when it is summoned; its centre, zoom and focus are the fingers'.
    public var look = Loupe(
        center: .zero, radius: 110, zoom: 1, rim: Loupe.Rim(width: 5, color: .defaultRim),
        shadow: Loupe.Shadow(offset: .init(dx: 0, dy: 6), blur: 24, color: .defaultShadow))
    /// Of the pen on the glass, in points: a stroke drawn at zoom 4 is a quarter as wide on the page.
    public var penWidth = 6.0
    public var penColor = Color.defaultInk
    /// The layer that is drawn on.
    public var page = 0

    public init() {}

    /// What an edge can be dragged to, in points: an edge band and as much again inside it, to what a scene allows.
    var radiusRange: ClosedRange<Double> { min(2 * thresholds.edgeBand, look.radius)...Loupe.radiusRange.upperBound }
    var zoomRange: ClosedRange<Double> { 1...thresholds.greatestZoom }
    public static let penWidthRange: ClosedRange<Double> = 0.1...512
}
