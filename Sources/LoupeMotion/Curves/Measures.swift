// What a model shows over time, for charts and exported curves.

import LoupeBase
import LoupeScene

/// A number of a model's states over time, such as the offset of a scroll view along y.
struct Quantity: Hashable, Sendable {
    /// The column of `--states`, such as `offset.y`.
    let key: String
    /// The plot that shows it, by its title in words; nil for a quantity that is only exported.
    let plot: String?
    /// The name in the plot's legend.
    let name: String
    /// Whether it is a position on the canvas, in points; its velocity is plotted too.
    let isPosition: Bool

    static func position(_ key: String, plot: String? = nil, name: String = "") -> Quantity {
        Quantity(key: key, plot: plot, name: name, isPosition: true)
    }

    static func number(_ key: String, plot: String? = nil, name: String = "") -> Quantity {
        Quantity(key: key, plot: plot, name: name, isPosition: false)
    }
}

/// An event that decides how a model moves on: a release, a tap, a gesture that is recognized.
struct ModelDecision: Hashable, Sendable {
    /// In seconds.
    let time: Double
    /// One sentence without a full stop.
    let text: String
}

/// The quantities and events that a model shows.
struct Measures: Sendable {
    let quantities: [Quantity]
    /// The times of the events after which the model moves in another way, ascending, in seconds; and whether its values
    /// follow fingers from there to the next event.
    let changes: [(time: Double, isHeld: Bool)]
    /// The keys of the states that name a phase, which charts show as lanes.
    var lanes = ["phase"]
    /// In the order of time.
    var decisions: [ModelDecision] = []
}

extension Session.Model {
    var measures: Measures {
        switch self {
        case .keyframes(let model): model.measures
        case .tilt(let model): model.measures
        case .scroll(let model): model.measures
        case .panorama(let model): model.measures
        case .transition(let model): model.measures
        case .loupe(let model): model.measures
        }
    }
}

extension Session.Model {
    /// The states of the frame at a time in seconds, which charts and curves show.
    func states(at time: Double) -> JSONValue {
        if case .loupe(let model) = self { model.states(at: time) } else { frame(at: time).states }
    }
}

extension JSONValue {
    /// A member of an object; nil where there is none.
    subscript(key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }
}

extension Timeline {
    /// The times at which a state begins, without that of the initial state, and whether fingers hold it.
    fileprivate func changes(_ isHeld: (State, _ time: Double) -> Bool) -> [(time: Double, isHeld: Bool)] {
        zip(times, states).dropFirst().map { time, state in (time, isHeld(state, time)) }
    }
}

extension ScrollModel {
    fileprivate var measures: Measures {
        let offsets = [("x", x), ("y", y)].map { name, axis -> Quantity in
            .position("offset.\(name)", plot: axis.isLocked ? nil : "offset", name: name)
        }
        return Measures(
            quantities: options.moved.map { $0.property.quantities($0.columns) } ?? offsets,
            changes: timeline.changes { state, _ in state.isDragging }, decisions: decisions)
    }
}

extension PanoramaModel {
    fileprivate var measures: Measures {
        Measures(
            quantities: [
                .position("presentationOffset", plot: "offset"), .position("titleX"), .position("backgroundX"),
            ],
            changes: timeline.changes { state, _ in state.isDragging }, decisions: decisions)
    }
}

extension TiltModel {
    fileprivate var measures: Measures {
        Measures(
            quantities: [
                .position("presentationOffset", plot: "offset"), .number("zoom", plot: "zoom"), .position("photo.x"),
            ],
            changes: timeline.changes { state, _ in state.drag != nil || state.pinch != nil },
            lanes: ["mode", "gesture"],
            decisions: decisions)
    }
}

extension TransitionModel {
    fileprivate var measures: Measures {
        Measures(
            quantities: [
                .position("center.x", plot: "centre", name: "x"), .position("center.y", plot: "centre", name: "y"),
                .number("scale", plot: "scale"),
                .number("mask.width", plot: "mask, in points", name: "width"),
                .number("mask.height", plot: "mask, in points", name: "height"),
                .number("cornerRadius", plot: "corner radius, in points"),
                .number("background", plot: "opacity of the background"),
            ],
            changes: timeline.changes { state, time in
                switch state.gesture {
                case .none: false
                // The animation back into the range of scales goes on under a finger that pans.
                case .drag(_, _, let isCaught): isCaught || state[.scale].isSettled(at: time)
                case .pinch: true
                }
            },
            lanes: ["phase", "gesture"], decisions: decisions)
    }
}

extension LoupeModel {
    fileprivate var measures: Measures {
        Measures(
            quantities: [
                .position("center.x", plot: "centre", name: "x"), .position("center.y", plot: "centre", name: "y"),
                .number("zoom", plot: "zoom"), .number("radius", plot: "radius, in points"),
            ],
            changes: timeline.changes { state, _ in state.hold?.hasFinger == true },
            decisions: gestureDecisions.map { decision in
                let touches = decision.touches.map { String($0) }.joined(separator: " and ")
                let name = decision.touches.count == 1 ? "touch" : "touches"
                return ModelDecision(time: decision.time, text: "\(name) \(touches): \(decision.text)")
            })
    }

    /// The decisions about gestures, without their repetitions in later states.
    var gestureDecisions: [GestureDecision] {
        var seen: [GestureDecision] = []
        for decision in timeline.states.compactMap({ $0.decision }) where decision != seen.last {
            seen.append(decision)
        }
        return seen
    }
}

extension KeyframeModel {
    fileprivate var measures: Measures {
        var moved: [Double: [String]] = [:]
        for track in tracks {
            for stop in track.stops { moved[stop.time, default: []].append(track.property.path) }
        }
        let stops = moved.sorted { $0.key < $1.key }
        return Measures(
            quantities: tracks.flatMap { $0.property.quantities($0.property.columns($0.stops[0].values.count)) },
            changes: stops.map { ($0.key, false) }, lanes: [],
            decisions: stops.filter { $0.key > 0 }.map { time, paths in
                ModelDecision(time: time, text: "keyframe of \(paths.joined(separator: ", "))")
            })
    }
}

extension SceneProperty {
    /// Some of its numbers, by their columns; several are positions.
    fileprivate func quantities(_ columns: [String]) -> [Quantity] {
        columns.count == 1
            ? [.number(columns[0], plot: path)]
            : columns.map { .position($0, plot: path, name: String($0.dropFirst(path.count + 1))) }
    }
}
