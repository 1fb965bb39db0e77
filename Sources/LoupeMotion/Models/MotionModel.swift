import LoupeJSON
import LoupeScene

/// Turns time into scenes, and knows nothing of outputs.
///
/// A model takes its whole trace in when it is made, event by event at their own times, so that a frame depends on
/// its time alone: every frame rate shows the same at the same times, and frames may be asked for in any order.
public protocol MotionModel: Sendable {
    /// When nothing moves any more, in seconds from the start.
    var duration: Double { get }

    /// What stands at a time in seconds from the start.
    func frame(at time: Double) -> MotionFrame
}

/// A moment of a model.
public struct MotionFrame: Hashable, Sendable {
    public var scene: Scene
    /// The model's own values, an object whose keys are the same and in the same order in every frame.
    package var states: JSONValue

    package init(scene: Scene, states: JSONValue) {
        self.scene = scene
        self.states = states
    }

    /// The model's own values as a JSON object on one line.
    public var statesLine: String { states.line }
}
