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
    let kind: Kind

    enum Kind {
        /// On the canvas, in points; its velocity is plotted too.
        case position
        /// In points.
        case length
        /// A goal, in points, that the quantity before it moves to.
        case goal
        case number
    }

    static func position(_ key: String, plot: String? = nil, name: String = "") -> Quantity {
        Quantity(key: key, plot: plot, name: name, kind: .position)
    }

    static func number(_ key: String, plot: String? = nil, name: String = "") -> Quantity {
        Quantity(key: key, plot: plot, name: name, kind: .number)
    }

    /// The value in a model's states; 0 where they have none.
    func value(in states: JSONValue) -> Double {
        var value = states
        var rest = key[...]
        while case .object(let object) = value {
            // A property of a scene has dots in its key.
            let named = object.members.first { member in
                rest.hasPrefix(member.key) && [nil, "."].contains(rest.dropFirst(member.key.count).first)
            }
            guard let named else { return 0 }
            value = named.value
            rest = rest.dropFirst(named.key.count + 1)
        }
        switch value {
        case .number(let number): return number
        case .array(let elements):
            guard let index = CSV.sides(elements.count)?.firstIndex(of: String(rest)),
                case .number(let number) = elements[index]
            else { return 0 }
            return number
        case .null, .bool, .string, .object: return 0
        }
    }
}

/// An event that decides how a model moves on: a release, a tap, a gesture that is recognized.
struct ModelDecision: Hashable, Sendable {
    /// In seconds.
    let time: Double
    /// One sentence without a full stop.
    let text: String
    /// Further sentences, such as why other gestures failed.
    var details: [String] = []
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
    /// Values that a plot's quantities can't pass, or rest at, by the title of the plot.
    var guides: [(plot: String, value: Double, name: String)] = []
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
        let axes = [("x", x), ("y", y)]
        let open = axes.filter { !$0.1.isLocked }
        return Measures(
            quantities: axes.map { name, axis in
                .position("offset.\(name)", plot: axis.isLocked ? nil : "offset", name: name)
            },
            changes: timeline.changes { state, _ in state.isDragging }, decisions: decisions,
            guides: [("offset", 0, "start")]
                + open.map { ("offset", $1.range.upperBound, open.count > 1 ? "end of \($0)" : "end") })
    }
}

extension PanoramaModel {
    fileprivate var measures: Measures {
        Measures(
            quantities: [
                .position("presentationOffset", plot: "offset", name: "shown"),
                Quantity(key: "offset", plot: "offset", name: "goal", kind: .goal),
                .position("titleX"), .position("backgroundX"),
            ],
            changes: timeline.changes { state, _ in state.isDragging }, decisions: decisions,
            guides: layout.stops.enumerated().map { ("offset", $1, "stop \($0 + 1)") })
    }
}

extension TiltModel {
    fileprivate var measures: Measures {
        Measures(
            quantities: [
                .position("presentationOffset", plot: "offset", name: "shown"),
                Quantity(key: "offset", plot: "offset", name: "goal", kind: .goal),
                .number("zoom", plot: "zoom", name: "zoom"), .position("photo.x"),
            ],
            changes: timeline.changes { state, _ in state.drag != nil }, lanes: ["mode", "gesture"],
            decisions: decisions,
            guides: [
                ("offset", 0, "left end"), ("offset", max(0, Double(canvas.width) * (panningZoom - 1)), "right end"),
            ])
    }
}

extension TransitionModel {
    fileprivate var measures: Measures {
        let range = TransitionOptions.zoomRange
        return Measures(
            quantities: [
                .position("center.x", plot: "centre", name: "x"), .position("center.y", plot: "centre", name: "y"),
                .number("scale", plot: "scale", name: "scale"), .number("mask.width"), .number("mask.height"),
                .number("cornerRadius"), .number("background", plot: "opacity of the background", name: "opacity"),
            ],
            changes: timeline.changes { state, time in
                switch state.gesture {
                case .none: false
                // The animation back into the range of scales goes on under the finger.
                case .pan: state[.scale].isSettled(at: time)
                case .held, .pinch: true
                }
            },
            lanes: ["phase", "gesture"], decisions: decisions,
            guides: [("scale", range.lowerBound, "fits"), ("scale", range.upperBound, "greatest")])
    }
}

extension LoupeModel {
    fileprivate var measures: Measures {
        Measures(
            quantities: [
                .position("center.x", plot: "centre", name: "x"), .position("center.y", plot: "centre", name: "y"),
                .number("zoom", plot: "zoom", name: "zoom"),
                Quantity(key: "radius", plot: "radius", name: "radius", kind: .length),
            ],
            changes: timeline.changes { state, _ in state.hold?.hasFinger == true },
            decisions: gestureDecisions.map { decision in
                let touches = decision.touches.map { String($0) }.joined(separator: " and ")
                let name = decision.touches.count == 1 ? "touch" : "touches"
                return ModelDecision(
                    time: decision.time, text: "\(name) \(touches): \(decision.text)", details: decision.details)
            },
            guides: [("zoom", 1, "page"), ("zoom", options.zoomRange.upperBound, "greatest")])
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
        let times = Set(tracks.flatMap { $0.stops.map { $0.time } }).sorted()
        return Measures(
            quantities: tracks.flatMap { track -> [Quantity] in
                let path = track.property.path
                guard let names = CSV.sides(track.stops[0].values.count) else {
                    return [.number(path, plot: path, name: "value")]
                }
                return names.map { .position("\(path).\($0)", plot: path, name: $0) }
            },
            changes: times.map { ($0, false) }, lanes: [],
            decisions: times.filter { $0 > 0 }.map { time in
                let moved = tracks.filter { track in track.stops.contains { $0.time == time } }
                let paths = moved.map { $0.property.path }.joined(separator: ", ")
                return ModelDecision(time: time, text: "keyframe of \(paths)")
            })
    }
}

extension Double {
    /// The number for a sentence: with tenths below 100, whole from there on.
    var spoken: String {
        let rounded = abs(self) < 99.95 ? (self * 10).rounded() / 10 : self.rounded()
        return rounded < 0 ? "−\((-rounded).tenths)" : abs(rounded).tenths
    }
}
