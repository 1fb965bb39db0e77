// The lanes of the touches: when each was down, and what it did.

import LoupeScene

/// The roles of touches, with their colours in charts and pictures.
public enum TouchRole: String, Hashable, Sendable, CaseIterable {
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
    public var color: String {
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
    /// A lane for each touch of a loupe's trace, with its roles.
    static func lanes(of model: LoupeModel) -> [ChartLane] {
        var lanes: [(id: Int, lane: ChartLane)] = []
        let (times, states) = (model.timeline.times, model.timeline.states)
        for index in states.indices {
            let end = index + 1 < times.count ? times[index + 1] : model.duration
            for (id, role) in roles(states[index]) { add(role, of: id, from: times[index], to: end, &lanes) }
        }
        return lanes.map { $0.lane }
    }

    /// The roles of touches and ghosts.
    private static func roles(_ state: LoupeState) -> [(id: Int, role: TouchRole)] {
        state.touches.map { ($0.id, TouchRole(rawValue: $0.role.name) ?? .idle) }
            + (state.hold?.grips ?? []).filter { $0.ghost != nil }.map { ($0.id, .ghost) }
    }

    private static func add(
        _ role: TouchRole, of id: Int, from start: Double, to end: Double,
        _ lanes: inout [(id: Int, lane: ChartLane)]
    ) {
        let index = lanes.firstIndex { $0.id == id } ?? lanes.count
        if index == lanes.count { lanes.append((id, ChartLane(label: "touch \(id)", bars: []))) }
        if let last = lanes[index].lane.bars.last, last.name == role.rawValue, last.end == start {
            lanes[index].lane.bars[lanes[index].lane.bars.count - 1].end = end
        } else {
            lanes[index].lane.bars.append(
                ChartBar(
                    name: role.rawValue, color: role.color, start: start, end: end, isDotted: role == .ghost))
        }
    }

    /// A lane for each touch of any other trace: taps and drags.
    static func lanes(of trace: Trace) -> [ChartLane] {
        var lanes: [(id: Int, lane: ChartLane)] = []
        var down = TouchesDown()
        for event in trace.events {
            guard case .touch(let touch) = event.content, let tracked = down.apply(touch, at: event.time),
                touch.phase == .ended || touch.phase == .cancelled
            else { continue }
            let isTap = tracked.isTap(endingAt: event.time)
            let index = lanes.firstIndex { $0.id == touch.id } ?? lanes.count
            if index == lanes.count { lanes.append((touch.id, ChartLane(label: "touch \(touch.id)", bars: []))) }
            lanes[index].lane.bars.append(
                ChartBar(
                    name: isTap ? "tap" : "drag", color: isTap ? ChartColor.orange : ChartColor.purple,
                    start: tracked.startTime, end: event.time))
        }
        return lanes.sorted { $0.id < $1.id }.map { $0.lane }
    }
}
