// The input of a session at a time: the touches with their roles, and how the device is turned.

import LoupeBase

/// A touch as a picture shows it.
package struct ShownTouch: Hashable, Sendable {
    /// The identifier of the touch.
    package let id: Int
    /// In canvas pixels; it may lie outside of the canvas.
    package let position: Point
    /// What it does.
    package let role: TouchRole
}

extension Session {
    /// The touches at a time in seconds, ghosts included, in the order of their identifiers.
    package func touches(at time: Double) -> [ShownTouch] {
        if case .loupe(let model) = model {
            return model.timeline.state(at: time).shownTouches(at: time).sorted { $0.id < $1.id }
        }
        return input.touches.state(at: time)
    }

    /// Whether the trace has samples of the rotation rate.
    package var hasRotation: Bool {
        trace?.events.contains { if case .rotation = $0.content { true } else { false } } == true
    }

    /// How far the device has been turned since the start, in radians about its x and its y axis: the sums of the
    /// rotation rates.
    package func turn(at time: Double) -> (x: Double, y: Double) { input.turn.state(at: time) }
}

/// The touches of a trace, without roles, and the sums of its rotation rates, over time.
struct SessionInput: Sendable {
    private(set) var touches = Timeline<[ShownTouch]>([])
    private(set) var turn = Timeline<(x: Double, y: Double)>((0, 0))

    init(_ trace: Trace) {
        var last: (time: Double, rate: RotationRate)?
        for event in trace.events {
            switch event.content {
            case .touch(let touch): follow(touch, at: event.time)
            case .rotation(let rate):
                if let last { turn(from: last.rate, at: last.time, to: rate, at: event.time) }
                last = (event.time, rate)
            }
        }
    }

    private mutating func follow(_ touch: Touch, at time: Double) {
        var down = touches.last.filter { $0.id != touch.id }
        if touch.phase == .began || touch.phase == .moved {
            let index = down.firstIndex { $0.id > touch.id } ?? down.count
            down.insert(ShownTouch(id: touch.id, position: touch.position, role: .moving), at: index)
        }
        touches.append(down, at: time)
    }

    private mutating func turn(from rate: RotationRate, at start: Double, to next: RotationRate, at end: Double) {
        let (x, y) = turn.last
        turn.append((x + (end - start) * (rate.x + next.x) / 2, y + (end - start) * (rate.y + next.y) / 2), at: end)
    }
}

extension LoupeState {
    /// The touches on the glass, then the ghosts.
    func shownTouches(at time: Double) -> [ShownTouch] {
        touches.map { ShownTouch(id: $0.id, position: $0.position, role: $0.shownRole(at: time)) }
            + (hold?.grips ?? []).compactMap { grip in
                grip.ghost.map { ShownTouch(id: grip.id, position: $0.position(at: time), role: .ghost) }
            }
    }
}
