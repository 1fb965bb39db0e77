import LoupeGeometry

/// A finger on the glass, with what gestures want to know of its past.
struct TrackedTouch: Hashable {
    let id: Int
    /// In seconds.
    let startTime: Double
    let start: Point
    private(set) var position: Point
    /// The farthest it has been from its start, in points.
    private(set) var travel = 0.0
    private var tracker = VelocityTracker()
    private var filter = PointFilter()
    private var filteredTracker = VelocityTracker()

    init(_ touch: Touch, at time: Double) {
        id = touch.id
        startTime = time
        start = touch.position
        position = touch.position
        track(touch.position, at: time)
    }

    private mutating func track(_ position: Point, at time: Double) {
        tracker.add(position, at: time)
        filteredTracker.add(filter.filter(position, at: time), at: time)
    }

    var translation: Vector { position - start }

    /// In points per second.
    func velocity(at time: Double) -> Vector { tracker.velocity(at: time) }

    /// Of the 1€-filtered path, in points per second.
    func filteredVelocity(at time: Double) -> Vector { filteredTracker.velocity(at: time) }

    func isTap(endingAt time: Double) -> Bool {
        travel <= GestureThresholds.travel && time - startTime <= GestureThresholds.tapDuration
    }

    mutating func move(to position: Point, at time: Double) {
        self.position = position
        travel = max(travel, start.distance(to: position))
        track(position, at: time)
    }

    /// The velocity is told from here on only.
    mutating func forgetVelocity() {
        tracker = VelocityTracker()
        filteredTracker = VelocityTracker()
    }

    /// Takes the position of the release, which is no sample of the movement.
    mutating func end(at position: Point) {
        self.position = position
        travel = max(travel, start.distance(to: position))
    }
}

/// The fingers on the glass, in the order in which they came.
struct TouchesDown {
    private(set) var touches: [TrackedTouch] = []

    /// The velocity of some touches is told from here on only.
    mutating func forgetVelocity(of ids: [Int]) {
        for index in touches.indices where ids.contains(touches[index].id) { touches[index].forgetVelocity() }
    }

    /// Takes an event in.
    /// - Returns: The touch after the event; one that has ended is among `touches` no more. Nil for a touch that never
    ///   began.
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
            touches[index].end(at: touch.position)
            return touches.remove(at: index)
        }
    }
}

/// Two fingers that scale what lies between them.
struct Pinch: Hashable {
    let first: Int
    let second: Int
    /// How far apart they were, in points.
    private let startSpan: Double
    /// Of what is scaled, when the pinch began.
    private let startScale: Double
    private(set) var centroid: Point
    /// What is scaled by now, without limits.
    private(set) var scale: Double

    /// Begins with the first two fingers down.
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

    /// Follows the fingers.
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
