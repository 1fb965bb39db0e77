// Two touches: span, travel and the turning of their path.

import LoupeBase

/// Two touches, and the measures of their history since both are down: span, travel and path.
struct TouchPair: Hashable, Sendable {
    private var first: Member
    private var second: Member
    /// The time between the two touches coming down, in seconds.
    let delay: Double
    /// The span when the second touch came down, in points.
    let startSpan: Double
    /// The smallest span since a pinch could last open a loupe, in points.
    private(set) var leastSpan: Double
    /// The path of the centroid.
    private(set) var path: TurningPath
    /// The fits through all samples, which average the jitter of hands out.
    private(set) var fit = PathFit()

    /// Observes two touches.
    /// - Parameter time: When the second touch came down, in seconds.
    init(_ first: TrackedTouch, _ second: TrackedTouch, at time: Double) {
        self.first = Member(first, at: time)
        self.second = Member(second, at: time)
        delay = abs(second.startTime - first.startTime)
        startSpan = first.position.distance(to: second.position)
        leastSpan = startSpan
        path = TurningPath(from: .middle(first.position, second.position))
        fit.add(centroid, span: startSpan, at: time)
    }

    /// The identifiers of the touches that are on the glass.
    var ids: [Int] { [first.id, second.id].compactMap { $0 } }
    var centroid: Point { .middle(first.position, second.position) }
    var span: Double { first.position.distance(to: second.position) }

    /// How far both touches moved together, in points: the distance that the centroid moved, minus half of the
    /// distance that they moved against each other. A pinch with a resting thumb has none.
    var sharedTravel: Double {
        let (a, b) = (first.position - first.start, second.position - second.start)
        return max(0, 0.5 * (a + b).length - 0.5 * (b - a).length)
    }

    // MARK: - Following

    /// Records a touch's new position.
    /// - Returns: Whether it is time to evaluate the pair. When two touches move together, the pair is not evaluated
    ///   between the sample of one and the sample of the other, because the span only seems to change.
    mutating func move(_ id: Int, to position: Point, at time: Double) -> Bool {
        let isFirst = first.id == id
        let isTimely = (isFirst ? first : second).isTimely(at: time, beside: isFirst ? second : first)
        if isFirst { first.move(to: position, at: time) } else { second.move(to: position, at: time) }
        guard isTimely else { return false }
        path.add(centroid)
        fit.add(centroid, span: span, at: time)
        leastSpan = min(leastSpan, span)
        return true
    }

    /// From now on, spreading can open a loupe again.
    mutating func forgetLeastSpan() { leastSpan = span }

    /// A touch has left the screen.
    mutating func leave(_ id: Int) {
        if first.id == id { first.id = nil } else { second.id = nil }
    }

    /// A touch takes over from one that has left the screen.
    mutating func come(_ id: Int, at position: Point, time: Double) {
        if first.id == nil { first.id = id } else { second.id = id }
        _ = move(id, to: position, at: time)
    }

    private struct Member: Hashable, Sendable {
        /// The touch's identifier; nil while it is off the screen.
        var id: Int?
        let start: Point
        var position: Point
        /// The time of the position, in seconds.
        var time: Double

        init(_ touch: TrackedTouch, at time: Double) {
            id = touch.id
            start = touch.position
            position = touch.position
            self.time = time
        }

        mutating func move(to position: Point, at time: Double) {
            self.position = position
            self.time = time
        }

        /// Whether the other touch's sample is about as new as one that comes now, or the other touch rests.
        func isTimely(at now: Double, beside other: Member) -> Bool {
            let (interval, age) = (now - time, now - other.time)
            return age <= interval / 2 || age > max(VelocityTracker.rest, GestureThresholds.lateSample * interval)
        }
    }
}

extension Point {
    static func middle(_ a: Point, _ b: Point) -> Point { Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }
}

/// The turning of a path, measured between strides that are long compared with the jitter of fingers.
///
/// The turning is the sum of the changes of heading between strides, so it contains only the jitter of the first and
/// the last stride, however long the path is.
struct TurningPath: Hashable, Sendable {
    private var last: Point
    /// The heading of the last stride, in radians.
    private var heading: Double?
    /// In radians; positive is clockwise on a canvas whose y runs down.
    private(set) var turning = 0.0

    init(from start: Point) { last = start }

    mutating func add(_ position: Point) {
        let step = position - last
        guard step.length >= GestureThresholds.stride else { return }
        let next = atan2(step.dy, step.dx)
        if let heading { turn(by: (next - heading).remainder(dividingBy: 2 * .pi)) }
        heading = next
        last = position
    }

    /// A reversal does not count as turning: going back along a circle takes its turning back.
    private mutating func turn(by change: Double) {
        turning += abs(change) > GestureThresholds.reversal ? change - Double(signOf: change, magnitudeOf: .pi) : change
    }
}
