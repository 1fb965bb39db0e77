// What every motion model is: a function from time to a frame, over a timeline of states.

import LoupeBase
import LoupeScene

/// A model of an interface in motion: it gives the scene at each time, and is independent of any output.
///
/// A model processes its whole trace when it is made, each event at its own time. A frame therefore depends only on
/// its time: every frame rate shows the same at the same times, and frames may be requested in any order.
public protocol MotionModel: Sendable {
    /// The time after which nothing moves, in seconds from the start.
    var duration: Double { get }

    /// The frame at a time in seconds from the start.
    func frame(at time: Double) -> MotionFrame
}

/// A model that takes events one after another, as they happen under a hand. A trace that is followed at once and the same
/// events one by one give the same frames.
protocol LiveModel: MotionModel {
    associatedtype State: Sendable

    var timeline: Timeline<State> { get set }
    var duration: Double { get set }

    /// Forgets all events.
    mutating func restart()

    /// Processes the next event, which is not before the last one.
    mutating func handle(_ event: Trace.Event)

    /// Lets what waits for a time happen, up to this time in seconds; infinity for all.
    mutating func wait(until time: Double)

    /// The time after which nothing moves, after all events of a trace.
    func duration(after trace: Trace) -> Double
}

extension LiveModel {
    mutating func wait(until time: Double) {}

    /// Lets the time pass. From now on there are only frames at this time or later, so that a long hand takes no more memory
    /// than a short one.
    mutating func pass(until time: Double) {
        wait(until: time)
        timeline.forget(before: time)
    }

    /// Processes a whole trace in place of the events so far.
    mutating func follow(_ trace: Trace) {
        restart()
        for event in trace.events { handle(event) }
        wait(until: .infinity)
        duration = duration(after: trace)
    }
}

/// One frame of a model.
public struct MotionFrame: Hashable, Sendable {
    /// What is drawn.
    public var scene: Scene
    /// The model's state as a JSON object, with the same keys in the same order in every frame.
    package var states: JSONValue

    package init(scene: Scene, states: JSONValue) {
        self.scene = scene
        self.states = states.withoutNegativeZero
    }
}

/// The states of a model, each valid from its own time on.
struct Timeline<State: Sendable>: Sendable {
    private(set) var times: [Double]
    private(set) var states: [State]
    /// The state before all events.
    let initial: State

    init(_ initial: State) {
        times = [-.infinity]
        states = [initial]
        self.initial = initial
    }

    var last: State { states[states.count - 1] }

    /// Adds a state that is valid from `time` on, which is not before the last state's time.
    mutating func append(_ state: State, at time: Double) {
        if times.last == time {
            states[states.count - 1] = state
        } else {
            times.append(time)
            states.append(state)
        }
    }

    /// Forgets the states that are not valid at a time in seconds any more.
    mutating func forget(before time: Double) {
        let index = times.lastIndex(upTo: time) ?? 0
        times.removeFirst(index)
        states.removeFirst(index)
    }

    /// The state that is valid at a time in seconds.
    func state(at time: Double) -> State { states[times.lastIndex(upTo: time) ?? 0] }
}

extension [Double] {
    /// The index of the last of ascending times up to a time; nil before the first one.
    func lastIndex(upTo time: Double) -> Int? { lastIndex(upTo: time) { $0 } }
}

extension Array {
    /// The index of the last element up to a time, of elements in the order of time; nil before the first one.
    func lastIndex(upTo time: Double, _ timeOf: (Element) -> Double) -> Int? {
        var (low, high) = (-1, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if timeOf(self[middle]) <= time { low = middle } else { high = middle }
        }
        return low < 0 ? nil : low
    }
}

/// Numbers and geometry as `MotionFrame.states` writes them.
extension JSONValue {
    /// The value with 0 in place of each -0, which is the sign of a direction and not of a value.
    var withoutNegativeZero: JSONValue {
        switch self {
        case .null, .bool, .string: return self
        case .number(let number): return .number(number == 0 ? 0 : number)
        case .array(let elements): return .array(elements.map { $0.withoutNegativeZero })
        case .object(let object):
            var clean = JSONObject()
            for member in object.members { _ = clean.append(member.value.withoutNegativeZero, forKey: member.key) }
            return .object(clean)
        }
    }

    /// A number, or an array of several.
    static func numbers(_ numbers: [Double]) -> JSONValue {
        numbers.count == 1 ? .number(numbers[0]) : .array(numbers.map { .number($0) })
    }

    static func point(_ point: Point) -> JSONValue { [.number(point.x), .number(point.y)] }
    static func vector(_ vector: Vector) -> JSONValue { [.number(vector.dx), .number(vector.dy)] }

    static func rect(_ rect: Rect) -> JSONValue {
        [.number(rect.x), .number(rect.y), .number(rect.width), .number(rect.height)]
    }
}
