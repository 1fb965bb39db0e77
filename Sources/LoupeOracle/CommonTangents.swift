import Glibc
import LoupeGeometry

/// The lines that touch what a loupe shows, its ring included, and the loupe itself, and have both on one side.
///
/// They are looked for by their directions: a line that has both borders behind it and touches the one touches the other too
/// where none of them lies farther out.
struct CommonTangents {
    struct Touch {
        /// Of the direction that the line keeps out, from the x axis towards the y axis.
        let angle: Double
        let source: Point
        let loupe: Point
    }

    private let source: Border
    private let ringWidth: Double
    private let loupe: Border

    init(_ source: Border, ringWidth: Double, _ loupe: Border) {
        self.source = source
        self.ringWidth = ringWidth
        self.loupe = loupe
    }

    private static let steps = 3600
    /// In pixels; what differs by less counts as equal.
    private static let tolerance = 1e-6
    private static let sideAngle = 1e-9

    /// Two, or none: one border may hold the other, or cross it more than twice, or overlap it on a common straight side.
    var touches: [Touch] {
        let circle = (0..<Self.steps).map { 2 * .pi * Double($0) / Double(Self.steps) }
        let clear = circle.filter { abs(lead($0)) > Self.tolerance }
        let next = clear.dropFirst() + clear.prefix(1).map { $0 + 2 * .pi }
        let changes = zip(clear, next).filter { (lead($0) > 0) != (lead($1) > 0) }
        guard changes.count == 2 else { return [] }
        let found = changes.compactMap { touch(level($0, $1)) }
        return found.count == 2 ? found : []
    }

    /// How much farther out the loupe lies than the source.
    private func lead(_ angle: Double) -> Double {
        let way = loupe.touch(angle, growth: 0) - source.touch(angle, growth: ringWidth)
        return way.dx * cos(angle) + way.dy * sin(angle)
    }

    /// The angle at which neither lies farther out, between two of which that is not so.
    private func level(_ start: Double, _ end: Double) -> Double {
        var (start, end) = (start, end)
        let isAhead = lead(start) > 0
        while true {
            let middle = start + (end - start) / 2
            guard middle > start, middle < end else { return middle }
            if (lead(middle) > 0) == isAhead { start = middle } else { end = middle }
        }
    }

    /// Of a straight side, the end nearest to the other border; nil where two sides overlap.
    private func touch(_ angle: Double) -> Touch? {
        let ends = [angle - Self.sideAngle, angle + Self.sideAngle]
        func along(_ way: Vector) -> Double { way.dy * cos(angle) - way.dx * sin(angle) }
        let pairs = ends.flatMap { first in
            ends.map { last in
                Touch(
                    angle: angle, source: source.touch(first, growth: ringWidth),
                    loupe: loupe.touch(last, growth: 0))
            }
        }
        let ways = pairs.map { along($0.loupe - $0.source) }
        guard ways.allSatisfy({ $0 > Self.tolerance }) || ways.allSatisfy({ $0 < -Self.tolerance }) else { return nil }
        return zip(pairs, ways).min { abs($0.1) < abs($1.1) }?.0
    }
}
