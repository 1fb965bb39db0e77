import LoupeGeometry

/// A finger on the glass, with what gestures want to know of its past.
struct TrackedTouch: Hashable {
    let id: Int
    /// In seconds.
    let startTime: Double
    let start: Point
    private(set) var place: Point
    /// The farthest it has been from its start, in points.
    private(set) var travel = 0.0
    private var tracker = VelocityTracker()
    private var filter = PlaceFilter()
    private var filteredTracker = VelocityTracker()

    init(_ touch: Touch, at time: Double) {
        id = touch.id
        startTime = time
        start = touch.place
        place = touch.place
        track(touch.place, at: time)
    }

    private mutating func track(_ place: Point, at time: Double) {
        tracker.add(place, at: time)
        filteredTracker.add(filter.filter(place, at: time), at: time)
    }

    var translation: Vector { place - start }

    /// In points per second.
    func velocity(at time: Double) -> Vector { tracker.velocity(at: time) }

    /// Of the 1€-filtered path, in points per second.
    func filteredVelocity(at time: Double) -> Vector { filteredTracker.velocity(at: time) }

    func isTap(endingAt time: Double) -> Bool {
        travel <= GestureThresholds.travel && time - startTime <= GestureThresholds.tapDuration
    }

    mutating func move(to place: Point, at time: Double) {
        self.place = place
        travel = max(travel, start.distance(to: place))
        track(place, at: time)
    }

    /// The velocity is told from here on only.
    mutating func forgetVelocity() {
        tracker = VelocityTracker()
        filteredTracker = VelocityTracker()
    }

    /// Takes the place of the release, which is no sample of the movement.
    mutating func end(at place: Point) {
        self.place = place
        travel = max(travel, start.distance(to: place))
    }
}
