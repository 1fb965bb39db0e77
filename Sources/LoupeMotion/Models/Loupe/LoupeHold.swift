// The loupe in the fingers: direct manipulation, the touches that hold it, and those that leave the canvas.

import LoupeBase
import LoupeScene

/// Direct manipulation of the loupe by one or two fingers: their centroid moves it, and their span zooms it. A finger
/// that has left the canvas holds the loupe where it was last seen.
struct LoupeHold: Hashable, Sendable {
    var grips: [Grip]
    /// Whether the span sets the zoom.
    private let zooms: Bool
    private var start: Start

    /// The values when the present grips began.
    private struct Start: Hashable, Sendable {
        var center: Point
        var zoom: Double
        var centroid: Point
        var span: Double
    }

    init(_ grips: [Grip], zooms: Bool, center: Point, zoom: Double) {
        self.grips = grips
        self.zooms = zooms
        start = Start(
            center: center, zoom: zoom, centroid: Self.centroid(of: grips),
            span: Self.span(of: grips))
    }

    /// The centre, without limits.
    var center: Point { start.center + (Self.centroid(of: grips) - start.centroid) }

    /// The zoom, without limits.
    var zoom: Double {
        zooms && grips.count == 2 ? start.zoom * Self.span(of: grips) / start.span : start.zoom
    }

    private static func centroid(of grips: [Grip]) -> Point {
        .middle(grips[0].position, grips[grips.count - 1].position)
    }

    private static func span(of grips: [Grip]) -> Double {
        max(GestureThresholds.smallestSpan, grips[0].position.distance(to: grips[grips.count - 1].position))
    }

    // MARK: - Fingers

    /// Whether a finger on the glass holds the loupe.
    var hasFinger: Bool { grips.contains { $0.ghost == nil } }

    /// The index of the grip of a finger on the glass.
    private func index(of id: Int) -> Int? { grips.firstIndex { $0.ghost == nil && $0.id == id } }

    mutating func move(_ id: Int, to position: Point) {
        if let index = index(of: id) { grips[index].position = position }
    }

    mutating func leave(_ id: Int, as ghost: Ghost, contest: Int?) {
        guard let index = index(of: id) else { return }
        grips[index] = Grip(id: id, position: ghost.start, ghost: ghost, contest: contest)
    }

    /// The manipulation without a finger; nil if no finger is left.
    func without(_ id: Int, zoomRange: ClosedRange<Double>) -> LoupeHold? {
        index(of: id).flatMap { without(gripAt: $0, zoomRange: zoomRange) }
    }

    /// The manipulation without the grip at an index; nil if no finger is left.
    func without(gripAt index: Int, zoomRange: ClosedRange<Double>) -> LoupeHold? {
        var left = grips
        left.remove(at: index)
        guard !left.isEmpty else { return nil }
        return LoupeHold(left, zooms: zooms, center: center, zoom: zoom.clamped(to: zoomRange))
    }

    // MARK: - Ghosts

    /// The ghost that ends first, and the time of its end.
    var nextEnd: (index: Int, time: Double)? {
        let ends = grips.indices.compactMap { index in grips[index].ghost.map { (index: index, time: $0.endTime) } }
        return ends.min { $0.time < $1.time }
    }

    /// The ghosts with the indices of their grips.
    var ghosts: [(index: Int, ghost: Ghost)] {
        grips.indices.compactMap { index in grips[index].ghost.map { (index: index, ghost: $0) } }
    }
}

/// A contact point of the manipulation: a finger on the glass, or one that has left it and may come back.
struct Grip: Hashable, Sendable {
    /// The identifier of the touch; for a ghost, of the touch that left.
    let id: Int
    /// The last position of the finger on the glass.
    var position: Point
    /// The extrapolation; nil for a finger on the glass.
    var ghost: Ghost?
    /// The number of the contest of the ghost's touch.
    var contest: Int?
}

/// Dead reckoning of a touch that left the canvas: it continues in a straight line at constant speed for a limited
/// time. It only serves to recognize the finger when it comes back: the loupe does not follow it.
struct Ghost: Hashable, Sendable {
    /// The last position on the glass.
    let start: Point
    /// The velocity, in points per second.
    let velocity: Vector
    /// Out of the side of the canvas over which the touch left; of length 1.
    let outward: Vector
    /// The way in the time between two samples, in points: as far as a position may be off.
    let travel: Double
    /// When the touch left, in seconds.
    let startTime: Double
    /// When the ghost ends, in seconds.
    let endTime: Double

    func position(at time: Double) -> Point {
        start + (time.clamped(to: startTime...endTime) - startTime) * velocity
    }

    /// The distance from a position to the path so far along the canvas's side, in points: how deep beyond the side the
    /// finger went is not seen.
    func distance(to position: Point, at time: Double) -> Double {
        let along = Vector(dx: -outward.dy, dy: outward.dx)
        let (path, way) = ((self.position(at: time) - start).dot(along), (position - start).dot(along))
        return abs(way - way.clamped(to: min(0, path)...max(0, path)))
    }
}

/// The border of the canvas, over which fingers leave the screen and come back.
struct CanvasBorder: Hashable, Sendable {
    private let width: Double
    private let height: Double
    /// In seconds.
    private let ghostLife: Double

    init(_ canvas: Scene.Canvas, ghostLife: Double) {
        (width, height) = (Double(canvas.width), Double(canvas.height))
        self.ghostLife = ghostLife
    }

    /// The ghost of a finger that leaves over a side; nil if it does not.
    /// - Parameter time: Of the touch's end, in seconds.
    func ghost(of touch: TrackedTouch, at time: Double) -> Ghost? {
        let velocity = touch.filteredVelocity(at: time)
        let travel = velocity.length * touch.interval
        let side = [Vector(dx: -1, dy: 0), Vector(dx: 1, dy: 0), Vector(dx: 0, dy: -1), Vector(dx: 0, dy: 1)].filter {
            velocity.dot($0) >= GestureThresholds.leavingSpeed
                && distance(of: touch.position, from: $0) <= GestureThresholds.borderReach + travel
        }.min { distance(of: touch.position, from: $0) < distance(of: touch.position, from: $1) }
        return side.map {
            Ghost(
                start: touch.position, velocity: velocity, outward: $0, travel: travel, startTime: time,
                endTime: time + ghostLife)
        }
    }

    /// Whether a finger that comes down may have come in over the side of a ghost.
    func isNear(_ position: Point, _ ghost: Ghost) -> Bool {
        distance(of: position, from: ghost.outward) <= GestureThresholds.borderReach + ghost.travel
    }

    /// Whether it may be the finger of the ghost.
    func isBack(_ position: Point, _ ghost: Ghost, at time: Double) -> Bool {
        isNear(position, ghost)
            && ghost.distance(to: position, at: time) <= GestureThresholds.takeoverReach + ghost.travel
    }

    /// The distance of a position from the side of the canvas that a vector points out of, in points.
    private func distance(of position: Point, from outward: Vector) -> Double {
        let (dx, dy) = (outward.dx, outward.dy)
        return max(0, dx) * width + max(0, dy) * height - (dx * position.x + dy * position.y)
    }
}
