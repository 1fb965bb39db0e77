import LoupeGeometry

/// The 1€ filter for places: where a finger is, with the jitter of slow movements removed.
struct PlaceFilter: Hashable {
    /// Little smoothing: from 500 points a second on the path lags by less than 5 ms.
    private var x = OneEuroFilter(minimumCutoff: 4, speedCoefficient: 0.1)
    private var y = OneEuroFilter(minimumCutoff: 4, speedCoefficient: 0.1)

    /// - Parameter time: In seconds, not before the last one's.
    mutating func filter(_ place: Point, at time: Double) -> Point {
        Point(x: x.filter(place.x, at: time), y: y.filter(place.y, at: time))
    }
}
