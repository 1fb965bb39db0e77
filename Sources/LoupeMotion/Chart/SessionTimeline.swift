import LoupeBase

/// The lanes and marks of a session, for a page that draws them at any size and under a moving playhead.
package struct SessionTimeline {
    private let session: Session
    /// The number of samples by which phases are found.
    private static let sampleCount = 1000

    /// The timeline of all of a session.
    package init(_ session: Session) { self.session = session }

    /// `{"duration": 6, "lanes": [{"label": "phase", "bars": [{"from": 0, "to": 0.4, "name": "idle", "color":
    /// "#e6e6e6"}]}], "marks": [{"t": 0.4, "text": "released: …"}]}`, in seconds.
    package var json: JSONValue {
        let marks = session.model.measures.decisions.filter { $0.time <= session.duration }.map { $0.json }
        return [
            "duration": .number(session.duration), "lanes": .array(lanes.map { $0.json }), "marks": .array(marks),
        ]
    }

    private var lanes: [ChartLane] {
        let step = session.duration / Double(Self.sampleCount)
        let times = (0...Self.sampleCount).map { Double($0) * step }
        return Self.phaseLanes(of: session.model, at: times) + Self.touchLanes(of: session)
    }

    /// A lane for each of a model's phases, whose bars begin and end at some of the times.
    /// - Parameter times: In seconds, ascending.
    static func phaseLanes(of model: Session.Model, at times: [Double]) -> [ChartLane] {
        var lanes = model.measures.lanes.map { ChartLane(label: $0) }
        for (time, next) in zip(times, times.dropFirst()) where next > time {
            let states = model.states(at: time)
            for index in lanes.indices {
                guard case .string(let name)? = states[lanes[index].label], name != "none" else { continue }
                lanes[index].add(name, color: ChartColor.of(phase: name), from: time, to: next)
            }
        }
        return lanes
    }

    /// A lane for each touch: its roles in the loupe's model, else taps and drags.
    static func touchLanes(of session: Session) -> [ChartLane] {
        var lanes: [Int: ChartLane] = [:]
        func add(_ name: String, _ id: Int, color: String, from start: Double, to end: Double) {
            lanes[id, default: ChartLane(label: "touch \(id)")].add(name, color: color, from: start, to: end)
        }
        if case .loupe(let model) = session.model {
            let (times, states) = (model.timeline.times, model.timeline.states)
            for (index, end) in (times.dropFirst() + [model.duration]).enumerated() {
                for touch in states[index].shownTouches(at: times[index]) {
                    let color = touch.role == .ghost ? ChartColor.ghost : touch.role.color
                    add(touch.role.rawValue, touch.id, color: color, from: times[index], to: end)
                }
            }
        } else {
            var down = TouchesDown()
            for event in session.trace?.events ?? [] {
                guard case .touch(let touch) = event.content, let tracked = down.apply(touch, at: event.time),
                    touch.phase == .ended || touch.phase == .cancelled
                else { continue }
                let isTap = tracked.isTap(endingAt: event.time)
                add(
                    isTap ? "tap" : "drag", touch.id, color: isTap ? ChartColor.orange : ChartColor.purple,
                    from: tracked.startTime, to: event.time)
            }
        }
        return lanes.sorted { $0.key < $1.key }.map { $0.value }
    }
}

extension Session.Model {
    /// The last decision, as a mark of the timeline; null before the first one.
    package var lastDecision: JSONValue { measures.decisions.last?.json ?? .null }
}

extension ModelDecision {
    fileprivate var json: JSONValue { ["t": .number(time), "text": .string(text)] }
}

extension ChartLane {
    var json: JSONValue {
        let bars = bars.map { bar -> JSONValue in
            [
                "from": .number(bar.start), "to": .number(bar.end), "name": .string(bar.name),
                "color": .string(bar.color),
            ]
        }
        return ["label": .string(label), "bars": .array(bars)]
    }
}
