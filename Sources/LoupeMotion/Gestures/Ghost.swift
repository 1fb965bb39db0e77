import LoupeGeometry

/// A touch that left over the canvas's border and goes on unseen, straight and at a steady speed, for a while.
struct Ghost: Hashable, Sendable {
    /// Where it was seen last.
    let start: Point
    /// In points per second.
    let velocity: Vector
    /// In seconds.
    let startTime: Double
    let endTime: Double

    func place(at time: Double) -> Point {
        start + (time.clamped(to: startTime...endTime) - startTime) * velocity
    }

    /// From a place to the nearest of those it has been at, in points.
    func distance(to place: Point, at time: Double) -> Double {
        let way = self.place(at: time) - start
        let along = (place - start).dot(way) / max(way.dot(way), .leastNormalMagnitude)
        return place.distance(to: start + along.clamped(to: 0...1) * way)
    }
}
