import LoupeGeometry

/// Two touches and all that recognizers want to know of their past since both were down.
struct TouchPair: Hashable, Sendable {
    private var first: Member
    private var second: Member
    /// Between the two coming down, in seconds.
    let delay: Double
    let startSpan: Double
    /// The least span since a loupe could last be summoned.
    private(set) var leastSpan: Double
    private(set) var path: TurningPath

    /// - Parameter time: When the second came down, in seconds.
    init(_ first: TrackedTouch, _ second: TrackedTouch, at time: Double, stride: Double) {
        self.first = Member(first, at: time)
        self.second = Member(second, at: time)
        delay = abs(second.startTime - first.startTime)
        startSpan = first.place.distance(to: second.place)
        leastSpan = startSpan
        path = TurningPath(from: .middle(first.place, second.place), stride: stride)
    }

    /// Of the touches that are on the glass.
    var ids: [Int] { [first.id, second.id].compactMap(\.self) }
    var centroid: Point { .middle(first.place, second.place) }
    var span: Double { first.place.distance(to: second.place) }
    var spanChange: Double { span - startSpan }

    /// How far both went together, in points: the centroid's way, less half of how far they moved against each other.
    /// A pinch whose thumb rests has none.
    var sharedTravel: Double {
        let (a, b) = (first.place - first.start, second.place - second.start)
        return max(0, 0.5 * (a + b).length - 0.5 * (b - a).length)
    }

    // MARK: - Following

    /// Takes a touch's new place in.
    /// - Returns: Whether it is time to look at the pair. One touch of two that move together is not looked at before
    ///   the other has told its place as well, for in between the span seems to change.
    mutating func move(_ id: Int, to place: Point, at time: Double) -> Bool {
        let isFirst = first.id == id
        let isTimely = (isFirst ? first : second).isTimely(at: time, beside: isFirst ? second : first)
        if isFirst { first.move(to: place, at: time) } else { second.move(to: place, at: time) }
        guard isTimely else { return false }
        path.add(centroid)
        leastSpan = min(leastSpan, span)
        return true
    }

    /// From here on spreading summons anew.
    mutating func forgetLeastSpan() { leastSpan = span }

    /// The touch goes on off the screen.
    mutating func leave(_ id: Int) {
        if first.id == id { first.id = nil } else { second.id = nil }
    }

    /// A touch takes the place of one that is off the screen.
    mutating func come(_ id: Int, at place: Point, time: Double) {
        if first.id == nil { first.id = id } else { second.id = id }
        _ = move(id, to: place, at: time)
    }

    private struct Member: Hashable, Sendable {
        /// Nil while the touch is off the screen.
        var id: Int?
        let start: Point
        var place: Point
        /// Of the place, in seconds.
        var time: Double

        init(_ touch: TrackedTouch, at time: Double) {
            id = touch.id
            start = touch.place
            place = touch.place
            self.time = time
        }

        mutating func move(to place: Point, at time: Double) {
            self.place = place
            self.time = time
        }

        /// Whether the other's place is nearly as new as one that comes now, or will not come as the other rests.
        func isTimely(at now: Double, beside other: Member) -> Bool {
            let (interval, age) = (now - time, now - other.time)
            return age <= interval / 2 || age > max(VelocityTracker.rest, 1.25 * interval)
        }
    }
}

extension Point {
    static func middle(_ a: Point, _ b: Point) -> Point { Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }
}
