import Glibc
import LoupeGeometry

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

    /// A heading that changes by more is a finger going back the way it came, in radians.
    private static let reversal = 2 * Double.pi / 3

    init(from start: Point, stride: Double) {
        last = start
        self.stride = stride
    }

    /// Of the circle that the path is part of, in points; infinite for a straight one.
    var radius: Double { bend / abs(turning) }

    mutating func add(_ place: Point) {
        let step = place - last
        guard step.length >= stride else { return }
        let next = atan2(step.dy, step.dx)
        if let heading { turn(by: remainder(next - heading, 2 * .pi), over: step.length) }
        heading = next
        lastStride = step.length
        length += step.length
        last = place
    }

    /// A reversal counts as none: back along a circle takes the turning back.
    private mutating func turn(by change: Double, over step: Double) {
        sharpest = min(sharpest, min(step, lastStride) / abs(change))
        turning += abs(change) > Self.reversal ? change - copysign(.pi, change) : change
        bend += (lastStride + step) / 2
    }
}
