import Glibc
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
        startSpan = first.position.distance(to: second.position)
        leastSpan = startSpan
        path = TurningPath(from: .middle(first.position, second.position), stride: stride)
    }

    /// Of the touches that are on the glass.
    var ids: [Int] { [first.id, second.id].compactMap { $0 } }
    var centroid: Point { .middle(first.position, second.position) }
    var span: Double { first.position.distance(to: second.position) }
    var spanChange: Double { span - startSpan }

    /// How far both went together, in points: the centroid's way, less half of how far they moved against each other.
    /// A pinch whose thumb rests has none.
    var sharedTravel: Double {
        let (a, b) = (first.position - first.start, second.position - second.start)
        return max(0, 0.5 * (a + b).length - 0.5 * (b - a).length)
    }

    // MARK: - Following

    /// Takes a touch's new position in.
    /// - Returns: Whether it is time to look at the pair. One touch of two that move together is not looked at before
    ///   the other has told its position as well, for in between the span seems to change.
    mutating func move(_ id: Int, to position: Point, at time: Double) -> Bool {
        let isFirst = first.id == id
        let isTimely = (isFirst ? first : second).isTimely(at: time, beside: isFirst ? second : first)
        if isFirst { first.move(to: position, at: time) } else { second.move(to: position, at: time) }
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

    /// A touch takes the position of one that is off the screen.
    mutating func come(_ id: Int, at position: Point, time: Double) {
        if first.id == nil { first.id = id } else { second.id = id }
        _ = move(id, to: position, at: time)
    }

    private struct Member: Hashable, Sendable {
        /// Nil while the touch is off the screen.
        var id: Int?
        let start: Point
        var position: Point
        /// Of the position, in seconds.
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

        /// Whether the other's position is nearly as new as one that comes now, or will not come as the other rests.
        func isTimely(at now: Double, beside other: Member) -> Bool {
            let (interval, age) = (now - time, now - other.time)
            return age <= interval / 2 || age > max(VelocityTracker.rest, GestureThresholds.lateSample * interval)
        }
    }
}

extension Point {
    static func middle(_ a: Point, _ b: Point) -> Point { Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }
}

/// By how much a path turns, told from strides that are long against the jitter of fingers.
///
/// The turning is the sum of the strides' changes of heading, so that only the first and the last stride's jitter
/// is in it, however long the path.
struct TurningPath: Hashable, Sendable {
    /// The least length of a stride, in points.
    private let stride: Double
    private var last: Point
    /// The last stride's.
    private var heading: Double?
    private var lastStride = 0.0
    /// From the middle of the first stride to the middle of the last, in points.
    private var bend = 0.0
    /// Of all strides, in points.
    private(set) var length = 0.0
    /// In radians; positive is clockwise on a canvas whose y runs down.
    private(set) var turning = 0.0
    /// The least radius between two strides, in points.
    private(set) var sharpest = Double.infinity

    init(from start: Point, stride: Double) {
        last = start
        self.stride = stride
    }

    /// Of the circle that the path is part of, in points; infinite for a straight one.
    var radius: Double { bend / abs(turning) }

    mutating func add(_ position: Point) {
        let step = position - last
        guard step.length >= stride else { return }
        let next = atan2(step.dy, step.dx)
        if let heading { turn(by: (next - heading).remainder(dividingBy: 2 * .pi), over: step.length) }
        heading = next
        lastStride = step.length
        length += step.length
        last = position
    }

    /// A reversal counts as none: back along a circle takes the turning back.
    private mutating func turn(by change: Double, over step: Double) {
        sharpest = min(sharpest, min(step, lastStride) / abs(change))
        turning += abs(change) > GestureThresholds.reversal ? change - Double(signOf: change, magnitudeOf: .pi) : change
        bend += (lastStride + step) / 2
    }
}
