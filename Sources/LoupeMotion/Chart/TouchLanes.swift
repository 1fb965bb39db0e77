// The lanes of the touches: when each was down, and what it did.

import LoupeScene

/// The roles of touches, with their colours in charts and pictures.
package enum TouchRole: String, Hashable, Sendable, CaseIterable {
    /// It may become part of a gesture.
    case waiting
    /// It chooses a tool in the tray.
    case choosing
    /// It holds the loupe.
    case holding
    /// It draws.
    case drawing
    /// It drags the loupe's edge.
    case resizing
    /// It is one of the two touches of a Rewind.
    case rewinding
    /// It has no effect.
    case idle
    /// It has left the screen and is extrapolated.
    case ghost
    /// It moves what a model moves that has no roles.
    case moving

    /// The colour, as `#rrggbb`.
    package var color: String {
        switch self {
        case .waiting, .choosing: ChartColor.grey
        case .holding, .ghost: ChartColor.purple
        case .drawing: ChartColor.orange
        case .resizing: ChartColor.sky
        case .rewinding: ChartColor.green
        case .idle: ChartColor.lightGrey
        case .moving: ChartColor.sky
        }
    }
}

enum TouchLanes {
    /// A lane for each touch of a session: its roles in the loupe's model, else taps and drags.
    static func lanes(of session: Session) -> [ChartLane] {
        if case .loupe(let model) = session.model { lanes(of: model) } else { lanes(of: session.trace ?? Trace()) }
    }

    private static func lanes(of model: LoupeModel) -> [ChartLane] {
        var lanes: [Int: ChartLane] = [:]
        let (times, states) = (model.timeline.times, model.timeline.states)
        for index in states.indices {
            let end = index + 1 < times.count ? times[index + 1] : model.duration
            for touch in states[index].shownTouches(at: times[index]) {
                lanes[touch.id, default: ChartLane(label: "touch \(touch.id)", bars: [])].add(
                    touch.role.rawValue, color: touch.role == .ghost ? ChartColor.ghost : touch.role.color,
                    from: times[index], to: end)
            }
        }
        return lanes.sorted { $0.key < $1.key }.map { $0.value }
    }

    private static func lanes(of trace: Trace) -> [ChartLane] {
        var lanes: [Int: ChartLane] = [:]
        var down = TouchesDown()
        for event in trace.events {
            guard case .touch(let touch) = event.content, let tracked = down.apply(touch, at: event.time),
                touch.phase == .ended || touch.phase == .cancelled
            else { continue }
            let isTap = tracked.isTap(endingAt: event.time)
            lanes[touch.id, default: ChartLane(label: "touch \(touch.id)", bars: [])].add(
                isTap ? "tap" : "drag", color: isTap ? ChartColor.orange : ChartColor.purple, from: tracked.startTime,
                to: event.time)
        }
        return lanes.sorted { $0.key < $1.key }.map { $0.value }
    }
}
