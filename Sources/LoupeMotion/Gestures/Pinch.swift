import LoupeGeometry

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
        startSpan = max(first.place.distance(to: second.place), GestureThresholds.smallestSpan)
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
        scale = startScale * fingers[0].place.distance(to: fingers[1].place) / startSpan
    }

    private static func centroid(_ a: TrackedTouch, _ b: TrackedTouch) -> Point {
        Point(x: (a.place.x + b.place.x) / 2, y: (a.place.y + b.place.y) / 2)
    }
}
