import LoupeGeometry
import LoupeScene

@testable import LoupeMotion

extension SampleModels {
    /// On a page of 1024×768 that fills the canvas; the loupe's radius is 110.
    static func loupe(_ trace: Trace, _ change: (inout LoupeModelOptions) -> Void = { _ in }) -> LoupeModel {
        var options = LoupeModelOptions()
        change(&options)
        return LoupeModel(base: loupeBase, trace: trace, options: options)
    }

    static let loupeBase = Scene(
        canvas: Scene.Canvas(width: 1024, height: 768),
        layers: [Layer(content: fill, rect: Rect(x: 0, y: 0, width: 1024, height: 768))])

    static func loupe(_ hand: GestureScript, _ change: (inout LoupeModelOptions) -> Void = { _ in }) -> LoupeModel {
        loupe(hand.trace, change)
    }
}

extension LoupeModel {
    /// After the last event and all ghosts.
    var end: MotionFrame { frame(at: duration + 1) }

    /// The gestures that ever began, in order.
    var winners: [Gesture] {
        var seen: [GestureDecision] = []
        for decision in timeline.states.compactMap(\.decision) where seen.last != decision { seen.append(decision) }
        return seen.compactMap(\.winner)
    }
}

extension MotionFrame {
    /// Of the page.
    var strokes: [Stroke] { scene.layers[0].strokes }
    var loupe: Loupe? { scene.loupes.first }

    func count(_ key: String, _ member: String) -> Double { self[key]?[member]?.number ?? .nan }

    /// Of the touches on the glass, in the order in which they came.
    var roles: [String] {
        guard case .array(let touches)? = self["touches"] else { return [] }
        return touches.compactMap { if case .string(let role)? = $0["role"] { role } else { nil } }
    }
}
