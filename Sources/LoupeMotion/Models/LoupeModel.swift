import LoupeGeometry
import LoupeScene

/// FiftyThree Paper's loupe in the hand.
///
/// A pinch summons it, its span sets the zoom; one finger may hold it while others draw in it, drag its edge, or undo
/// and redo by tracing circles. A finger that leaves the screen goes on unseen for a while.
public struct LoupeModel: MotionModel {
    private let base: Scene
    let options: LoupeOptions
    private var strokes: [Stroke] = []
    private(set) var timeline: Timeline<LoupeState>
    /// What the touches did; for charts.
    let trace: Trace
    public let duration: Double

    /// - Parameters:
    ///   - base: The page is its layer `options.page`; its own loupes are shown below.
    /// - Precondition: there is such a layer.
    public init(base: Scene, trace: Trace, options: LoupeOptions = LoupeOptions()) {
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
