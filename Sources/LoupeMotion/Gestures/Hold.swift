import LoupeGeometry

/// The loupe in one or two fingers: where they put it, and how far their span zooms it. A closed form of time between
/// events, since ghosts move.
struct Hold: Hashable, Sendable {
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
        .middle(grips[0].place(at: time), grips[grips.count - 1].place(at: time))
    }

    private static func span(of grips: [Grip], at time: Double) -> Double {
        max(
            GestureThresholds.smallestSpan,
            grips[0].place(at: time).distance(to: grips[grips.count - 1].place(at: time)))
    }

    // MARK: - Fingers

    /// The index of a finger's grip; a ghost is no finger.
    private func index(of id: Int) -> Int? { grips.firstIndex { $0.ghost == nil && $0.id == id } }

    mutating func move(_ id: Int, to place: Point) {
        if let index = index(of: id) { grips[index].move(to: place) }
    }

    mutating func leave(_ id: Int, as ghost: Ghost, contest: Int?) {
        if let index = index(of: id) { grips[index].leave(as: ghost, contest: contest) }
    }

    mutating func takeOver(ghostAt index: Int, _ id: Int, at place: Point, time: Double) {
        grips[index].takeOver(id, at: place, time: time)
    }

    /// - Returns: What is left; nil where nobody holds the loupe any more.
    func without(_ id: Int, zoomRange: ClosedRange<Double>, at time: Double) -> Hold? {
        index(of: id).flatMap { without(gripAt: $0, zoomRange: zoomRange, at: time) }
    }

    /// - Returns: What is left once a ghost is gone; nil where nobody holds the loupe any more.
    func without(gripAt index: Int, zoomRange: ClosedRange<Double>, at time: Double) -> Hold? {
        var left = grips
        left.remove(at: index)
        guard !left.isEmpty else { return nil }
        return Hold(
            left, zooms: zooms, center: center(at: time), zoom: zoom(at: time).clamped(to: zoomRange), at: time)
    }

    // MARK: - Ghosts

    /// The ghost that ends first, and when.
    var nextEnd: (index: Int, time: Double)? {
        let ends = grips.indices.compactMap { index in grips[index].ghost.map { (index: index, time: $0.endTime) } }
        return ends.min { $0.time < $1.time }
    }

    /// The ghost whose path is nearest to a place, within reach.
    func ghost(near place: Point, within reach: Double, at time: Double) -> Int? {
        let distances = grips.indices.compactMap { index in
            grips[index].ghost.map { (index: index, distance: $0.distance(to: place, at: time)) }
        }
        return distances.filter { $0.distance <= reach }.min { $0.distance < $1.distance }?.index
    }
}
