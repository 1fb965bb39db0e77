import LoupeGeometry
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

/// The states that a model went through, each from its own time on.
struct Timeline<State: Sendable>: Sendable {
    private(set) var times: [Double]
    private(set) var states: [State]

    init(_ initial: State) {
        times = [-.infinity]
        states = [initial]
    }

    var last: State { states[states.count - 1] }

    /// Adds a state that holds from `time` on, which is not before the last one's.
    mutating func append(_ state: State, at time: Double) {
        if times.last == time {
            states[states.count - 1] = state
        } else {
            times.append(time)
            states.append(state)
        }
    }

    /// The state that holds at a time.
    func state(at time: Double) -> State {
        var low = 0
        var high = times.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle } else { high = middle }
        }
        return states[low]
    }
}

/// Values as `MotionFrame.states` writes them.
extension JSONValue {
    static func point(_ point: Point) -> JSONValue { [.number(point.x), .number(point.y)] }
    static func vector(_ vector: Vector) -> JSONValue { [.number(vector.dx), .number(vector.dy)] }

    static func rect(_ rect: Rect) -> JSONValue {
        [.number(rect.x), .number(rect.y), .number(rect.width), .number(rect.height)]
    }
}
