// The touches on the glass: the history of each, all that are down, and the pinch of the first two.

import LoupeBase

/// A finger on the glass, with the history that gestures need: start, travel and velocity.
struct TrackedTouch: Hashable {
    let id: Int
    /// When the touch began, in seconds.
    let startTime: Double
    let start: Point
    private(set) var position: Point
    /// When the position was reached, in seconds.
    private(set) var moveTime: Double
    /// The greatest distance from the start so far, in points.
    private(set) var travel = 0.0
    private var tracker = VelocityTracker()
    private var filter = PointFilter()
    private var filteredTracker = VelocityTracker()

    init(_ touch: Touch, at time: Double) {
        id = touch.id
        startTime = time
        start = touch.position
        position = touch.position
        moveTime = time
        track(touch.position, at: time)
    }

    private mutating func track(_ position: Point, at time: Double) {
        tracker.add(position, at: time)
        filteredTracker.add(filter.filter(position, at: time), at: time)
    }

    /// The movement since the start, in points.
    var translation: Vector { position - start }

    /// The velocity at a time, in points per second.
    func velocity(at time: Double) -> Vector { tracker.velocity(at: time) }

    /// The velocity at a time while the touch goes on, in points per second.
    func heldVelocity(at time: Double) -> Vector { tracker.heldVelocity(at: time) }

    /// The time between samples, in seconds; that of 60 Hz before there are two.
    var interval: Double { tracker.interval.isFinite ? tracker.interval : 1.0 / 60 }

    /// The velocity of the 1€-filtered path, in points per second.
    func filteredVelocity(at time: Double) -> Vector { filteredTracker.velocity(at: time) }

    /// Whether the touch is a tap if it ends at this time: short, and without a drag.
    func isTap(endingAt time: Double) -> Bool {
        travel <= GestureThresholds.travel && time - startTime <= GestureThresholds.tapDuration
    }

    mutating func move(to position: Point, at time: Double) {
        end(at: position, time)
        track(position, at: time)
    }

    /// Starts the measurement of the velocity again.
    mutating func forgetVelocity() {
        tracker = VelocityTracker()
        filteredTracker = VelocityTracker()
    }

    /// Records the position of the release, which is not a sample of the movement.
    mutating func end(at position: Point, _ time: Double) {
        if position != self.position { moveTime = time }
        self.position = position
        travel = max(travel, start.distance(to: position))
    }
}

/// The fingers on the glass, in the order in which they came down.
struct TouchesDown {
    private(set) var touches: [TrackedTouch] = []

    /// Starts the measurement of some touches' velocity again.
    mutating func forgetVelocity(of ids: [Int]) {
        for index in touches.indices where ids.contains(touches[index].id) { touches[index].forgetVelocity() }
    }

    /// Applies an event.
    /// - Returns: The touch after the event; a touch that has ended is no longer among `touches`. Nil for a touch that
    ///   never began.
    mutating func apply(_ touch: Touch, at time: Double) -> TrackedTouch? {
        if touch.phase == .began {
            let tracked = TrackedTouch(touch, at: time)
            touches.append(tracked)
            return tracked
        }
        guard let index = touches.firstIndex(where: { $0.id == touch.id }) else { return nil }
        switch touch.phase {
        case .began, .moved:
            touches[index].move(to: touch.position, at: time)
            return touches[index]
        case .ended, .cancelled:
            touches[index].end(at: touch.position, time)
            return touches.remove(at: index)
        }
    }
}

/// Two taps in succession at nearly the same place.
struct DoubleTap: Hashable {
    /// The first tap, which waits for the second one.
    private var first: TrackedTouch?
    private var firstTime = 0.0
    /// The touch that may become the second tap.
    private var second: Int?

    /// When the first tap becomes a single one, in seconds; nil if none waits, or the second touch is down.
    var deadline: Double? { first == nil || second != nil ? nil : firstTime + GestureThresholds.secondTapWait }

    mutating func forget() { (first, second) = (nil, nil) }

    mutating func begin(_ touch: TrackedTouch) {
        guard let first, first.start.distance(to: touch.start) <= GestureThresholds.doubleTapTravel,
            touch.startTime - firstTime <= GestureThresholds.secondTapWait
        else { return }
        second = touch.id
    }

    /// A touch has ended.
    /// - Parameter isAlone: Whether no other touch is down.
    /// - Returns: Whether it was the second tap.
    mutating func end(_ touch: TrackedTouch, isAlone: Bool, at time: Double) -> Bool {
        let isSecond = second == touch.id
        forget()
        guard isAlone, touch.isTap(endingAt: time) else { return false }
        if !isSecond { (first, firstTime) = (touch, time) }
        return isSecond
    }
}

/// The transform of a two-finger pinch: its centroid, and a scale that follows the span.
struct Pinch: Hashable {
    let first: Int
    let second: Int
    /// The span when the pinch began, in points.
    private let startSpan: Double
    /// The scale when the pinch began.
    private let startScale: Double
    private(set) var centroid: Point
    /// The current scale, without limits.
    private(set) var scale: Double

    /// Begins a pinch with the first two fingers that are down.
    /// - Returns: nil with fewer fingers.
    init?(_ down: TouchesDown, scale: Double) {
        guard down.touches.count >= 2 else { return nil }
        let (first, second) = (down.touches[0], down.touches[1])
        self.first = first.id
        self.second = second.id
        startSpan = max(first.position.distance(to: second.position), GestureThresholds.smallestSpan)
        startScale = scale
        centroid = Self.centroid(first, second)
        self.scale = scale
    }

    func includes(_ id: Int) -> Bool { id == first || id == second }

    /// Updates the centroid and the scale from the fingers' positions.
    mutating func update(_ down: TouchesDown) {
        let fingers = down.touches.filter { includes($0.id) }
        guard fingers.count == 2 else { return }
        centroid = Self.centroid(fingers[0], fingers[1])
        scale = startScale * fingers[0].position.distance(to: fingers[1].position) / startSpan
    }

    private static func centroid(_ a: TrackedTouch, _ b: TrackedTouch) -> Point {
        Point(x: (a.position.x + b.position.x) / 2, y: (a.position.y + b.position.y) / 2)
    }
}
