import LoupeGeometry
import LoupeScene

/// The loupe in one or two fingers: where they put it, and how far their span zooms it. A closed form of time between
/// events, since ghosts move.
struct LoupeHold: Hashable, Sendable {
    private(set) var grips: [Grip]
    /// Whether the span sets the zoom.
    private let zooms: Bool
    private var start: Start

    /// What stood when the present grips began.
    private struct Start: Hashable, Sendable {
        var center: Point
        var zoom: Double
        var centroid: Point
        var span: Double
    }

    init(_ grips: [Grip], zooms: Bool, center: Point, zoom: Double, at time: Double) {
        self.grips = grips
        self.zooms = zooms
        start = Start(
            center: center, zoom: zoom, centroid: Self.centroid(of: grips, at: time),
            span: Self.span(of: grips, at: time))
    }

    func center(at time: Double) -> Point { start.center + (Self.centroid(of: grips, at: time) - start.centroid) }

    /// Without limits.
    func zoom(at time: Double) -> Double {
        zooms && grips.count == 2 ? start.zoom * Self.span(of: grips, at: time) / start.span : start.zoom
    }

    private static func centroid(of grips: [Grip], at time: Double) -> Point {
        .middle(grips[0].position(at: time), grips[grips.count - 1].position(at: time))
    }

    private static func span(of grips: [Grip], at time: Double) -> Double {
        max(
            GestureThresholds.smallestSpan,
            grips[0].position(at: time).distance(to: grips[grips.count - 1].position(at: time)))
    }

    // MARK: - Fingers

    /// The index of a finger's grip; a ghost is no finger.
    private func index(of id: Int) -> Int? { grips.firstIndex { $0.ghost == nil && $0.id == id } }

    mutating func move(_ id: Int, to position: Point) {
        if let index = index(of: id) { grips[index].move(to: position) }
    }

    mutating func leave(_ id: Int, as ghost: Ghost, contest: Int?) {
        if let index = index(of: id) { grips[index].leave(as: ghost, contest: contest) }
    }

    mutating func takeOver(ghostAt index: Int, _ id: Int, at position: Point, time: Double) {
        grips[index].takeOver(id, at: position, time: time)
    }

    /// - Returns: What is left; nil where nobody holds the loupe any more.
    func without(_ id: Int, zoomRange: ClosedRange<Double>, at time: Double) -> LoupeHold? {
        index(of: id).flatMap { without(gripAt: $0, zoomRange: zoomRange, at: time) }
    }

    /// - Returns: What is left once a ghost is gone; nil where nobody holds the loupe any more.
    func without(gripAt index: Int, zoomRange: ClosedRange<Double>, at time: Double) -> LoupeHold? {
        var left = grips
        left.remove(at: index)
        guard !left.isEmpty else { return nil }
        return LoupeHold(
            left, zooms: zooms, center: center(at: time), zoom: zoom(at: time).clamped(to: zoomRange), at: time)
    }

    // MARK: - Ghosts

    /// The ghost that ends first, and when.
    var nextEnd: (index: Int, time: Double)? {
        let ends = grips.indices.compactMap { index in grips[index].ghost.map { (index: index, time: $0.endTime) } }
        return ends.min { $0.time < $1.time }
    }

    /// The ghost whose path is nearest to a position, within reach.
    func ghost(near position: Point, within reach: Double, at time: Double) -> Int? {
        let distances = grips.indices.compactMap { index in
            grips[index].ghost.map { (index: index, distance: $0.distance(to: position, at: time)) }
        }
        return distances.filter { $0.distance <= reach }.min { $0.distance < $1.distance }?.index
    }
}

/// One finger's hold on the loupe, on the glass or off the screen.
struct Grip: Hashable, Sendable {
    private enum Motion: Hashable, Sendable {
        case finger(Point)
        case ghost(Ghost)
    }

    /// Of the touch; the last one's for a ghost.
    private(set) var id: Int
    private var motion: Motion
    /// From the finger to what it holds: one that took a ghost over came down beside it.
    private var offset = Vector.zero
    /// The number of the contest that a ghost's touch was in.
    private(set) var contest: Int?

    init(_ id: Int, at position: Point) {
        self.id = id
        motion = .finger(position)
    }

    /// Nil for a finger on the glass.
    var ghost: Ghost? {
        guard case .ghost(let ghost) = motion else { return nil }
        return ghost
    }

    func position(at time: Double) -> Point {
        switch motion {
        case .finger(let position): position + offset
        case .ghost(let ghost): ghost.position(at: time) + offset
        }
    }

    mutating func move(to position: Point) { motion = .finger(position) }

    mutating func leave(as ghost: Ghost, contest: Int?) {
        motion = .ghost(ghost)
        self.contest = contest
    }

    /// What is held stays where it is; the new finger holds it from beside.
    mutating func takeOver(_ id: Int, at position: Point, time: Double) {
        offset = self.position(at: time) - position
        self.id = id
        motion = .finger(position)
    }
}

/// A touch that left over the canvas's border and goes on unseen, straight and at a steady speed, for a while.
struct Ghost: Hashable, Sendable {
    /// Where it was seen last.
    let start: Point
    /// In points per second.
    let velocity: Vector
    /// In seconds.
    let startTime: Double
    let endTime: Double

    func position(at time: Double) -> Point {
        start + (time.clamped(to: startTime...endTime) - startTime) * velocity
    }

    /// From a position to the nearest of those it has been at, in points.
    func distance(to position: Point, at time: Double) -> Double {
        let way = self.position(at: time) - start
        let along = (position - start).dot(way) / max(way.dot(way), .leastNormalMagnitude)
        return position.distance(to: start + along.clamped(to: 0...1) * way)
    }
}

/// The sides over which fingers leave the screen and come back.
struct CanvasBorder: Hashable, Sendable {
    private let width: Double
    private let height: Double
    private let thresholds: LoupeThresholds

    init(_ canvas: Scene.Canvas, _ thresholds: LoupeThresholds) {
        width = Double(canvas.width)
        height = Double(canvas.height)
        self.thresholds = thresholds
    }

    /// Whether a position is so near to a side, or beyond it, that a finger may have come in there.
    func isNear(_ position: Point) -> Bool { sides(of: position).contains { $0.distance <= thresholds.borderReach } }

    /// Whether a finger seen last at a position leaves over a side.
    func isLeft(from position: Point, velocity: Vector) -> Bool {
        sides(of: position).contains { side in
            side.distance <= thresholds.borderReach && velocity.dot(side.outward) >= thresholds.leavingSpeed
        }
    }

    private func sides(of position: Point) -> [(distance: Double, outward: Vector)] {
        [
            (position.x, Vector(dx: -1, dy: 0)), (width - position.x, Vector(dx: 1, dy: 0)),
            (position.y, Vector(dx: 0, dy: -1)), (height - position.y, Vector(dx: 0, dy: 1)),
        ]
    }
}
