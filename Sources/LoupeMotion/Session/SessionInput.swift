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
        var down: [Int: Point] = [:]
        for event in trace?.events ?? [] {
            guard event.time <= time else { break }
            guard case .touch(let touch) = event.content else { continue }
            switch touch.phase {
            case .began, .moved: down[touch.id] = touch.position
            case .ended, .cancelled: down[touch.id] = nil
            }
        }
        return down.map { ShownTouch(id: $0.key, position: $0.value, role: .moving) }.sorted { $0.id < $1.id }
    }

    /// Whether the trace has samples of the rotation rate.
    package var hasRotation: Bool {
        trace?.events.contains { if case .rotation = $0.content { true } else { false } } == true
    }

    /// How far the device has been turned since the start, in radians about its x and its y axis: the sums of the
    /// rotation rates.
    package func turn(at time: Double) -> (x: Double, y: Double) {
        var (x, y) = (0.0, 0.0)
        var last: (time: Double, rate: RotationRate)?
        for event in trace?.events ?? [] {
            guard event.time <= time else { break }
            guard case .rotation(let rate) = event.content else { continue }
            if let last {
                x += (event.time - last.time) * (last.rate.x + rate.x) / 2
                y += (event.time - last.time) * (last.rate.y + rate.y) / 2
            }
            last = (event.time, rate)
        }
        return (x, y)
    }
}

extension LoupeState {
    /// The touches on the glass, then the ghosts.
    func shownTouches(at time: Double) -> [ShownTouch] {
        touches.map { ShownTouch(id: $0.id, position: $0.position, role: $0.role) }
            + (hold?.grips ?? []).compactMap { grip in
                grip.ghost.map { ShownTouch(id: grip.id, position: $0.position(at: time), role: .ghost) }
            }
    }
}
