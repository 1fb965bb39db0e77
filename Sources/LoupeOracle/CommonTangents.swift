import LoupeBase

/// The outer common tangents of a loupe's source, its ring included, and the loupe: the lines that touch both and have
/// both on the same side.
///
/// They are found by their normal's angle: at the angle of a common tangent, both borders reach equally far.
struct CommonTangents {
    /// A tangent, and the points where it touches both borders.
    struct Touch {
        /// The angle of the tangent's outward normal, in radians from the x axis towards the y axis.
        let angle: Double
        /// The point on the ring, in canvas pixels.
        let source: Point
        /// The point on the loupe's border, in canvas pixels.
        let loupe: Point
    }

    private let source: ExactBorder
    private let ringWidth: Double
    private let loupe: ExactBorder

    init(_ source: ExactBorder, ringWidth: Double, _ loupe: ExactBorder) {
        self.source = source
        self.ringWidth = ringWidth
        self.loupe = loupe
    }

    /// How many angles of the full circle are tried before a tangent is narrowed down.
    private static let steps = 3600
    /// Lengths that differ by less are equal, in pixels.
    private static let tolerance = 1e-6
    /// How far the two ends of a straight side are looked for beside the tangent's angle, in radians.
    private static let sideAngle = 1e-9

    /// Two tangents, or none if one border contains the other, crosses it more than twice, or overlaps it along a straight
    /// side.
    var touches: [Touch] {
        let circle = (0..<Self.steps).map { 2 * .pi * Double($0) / Double(Self.steps) }
        let clear = circle.filter { abs(lead($0)) > Self.tolerance }
        let next = clear.dropFirst() + clear.prefix(1).map { $0 + 2 * .pi }
        let changes = zip(clear, next).filter { (lead($0) > 0) != (lead($1) > 0) }
        guard changes.count == 2 else { return [] }
        let found = changes.compactMap { touch(level($0, $1)) }
        return found.count == 2 ? found : []
    }

    /// How much farther the loupe reaches than the source in the direction of an angle, in pixels.
    private func lead(_ angle: Double) -> Double {
        let offset = loupe.touch(angle, growth: 0) - source.touch(angle, growth: ringWidth)
        return offset.dx * cos(angle) + offset.dy * sin(angle)
    }

    /// The angle between `start` and `end` at which both reach equally far, found by bisection.
    private func level(_ start: Double, _ end: Double) -> Double {
        var (start, end) = (start, end)
        let isAhead = lead(start) > 0
        while true {
            let middle = start + (end - start) / 2
            guard middle > start, middle < end else { return middle }
            if (lead(middle) > 0) == isAhead { start = middle } else { end = middle }
        }
    }

    /// The points that a tangent touches. On a straight side it is the end nearest to the other border; nil if two
    /// straight sides overlap.
    private func touch(_ angle: Double) -> Touch? {
        let ends = [angle - Self.sideAngle, angle + Self.sideAngle]
        func along(_ offset: Vector) -> Double { offset.dy * cos(angle) - offset.dx * sin(angle) }
        let pairs = ends.flatMap { first in
            ends.map { last in
                Touch(
                    angle: angle, source: source.touch(first, growth: ringWidth),
                    loupe: loupe.touch(last, growth: 0))
            }
        }
        let lengths = pairs.map { along($0.loupe - $0.source) }
        guard lengths.allSatisfy({ $0 > Self.tolerance }) || lengths.allSatisfy({ $0 < -Self.tolerance }) else {
            return nil
        }
        return zip(pairs, lengths).min { abs($0.1) < abs($1.1) }?.0
    }
}
