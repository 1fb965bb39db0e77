// The strokes on the page, and what an eraser leaves of them.

import LoupeBase
import LoupeScene

/// The path of a tool on the page: ink, or what an eraser went over.
struct ToolPath: Hashable, Sendable {
    /// An eraser's colour has no meaning.
    var stroke: Stroke
    let erases: Bool

    /// The path up to a number of its points.
    func upTo(_ count: Int) -> ToolPath {
        var path = self
        path.stroke.points.removeLast(stroke.points.count - count)
        return path
    }
}

/// The strokes that paths of tools leave on a page, bottom to top. Each eraser removes from the strokes before it.
struct PageInk {
    private(set) var strokes: [Stroke] = []

    mutating func add(_ path: ToolPath) {
        guard path.erases else { return strokes.append(path.stroke) }
        let eraser = StrokeEraser(path.stroke)
        strokes = strokes.flatMap { eraser.parts(of: $0) }
    }
}

/// Removes the parts of strokes that a round eraser touches along its path.
///
/// A stroke is cut where its centre line is nearer to the path than half of both widths, so that the round cap of what
/// is left just touches what was erased. The parts are polylines again and as crisp at every zoom.
struct StrokeEraser {
    private let path: [Point]
    private let radius: Double
    private let bounds: Rect

    init(_ eraser: Stroke) {
        path = eraser.points
        radius = eraser.width / 2
        bounds = Self.bounds(of: eraser.points)
    }

    /// What is left of a stroke: the stroke itself if the eraser does not touch it, and nothing if it touches all.
    func parts(of stroke: Stroke) -> [Stroke] {
        let reach = radius + stroke.width / 2
        let near = Self.bounds(of: stroke.points).inset(by: -reach)
        guard near.minX <= bounds.maxX, bounds.minX <= near.maxX, near.minY <= bounds.maxY, bounds.minY <= near.maxY
        else { return [stroke] }
        // A dot is a segment without length.
        let ends = stroke.points.count == 1 ? stroke.points : Array(stroke.points.dropFirst())
        let kept = zip(stroke.points, ends).map { self.kept(from: $0, to: $1, within: reach) }
        if kept.allSatisfy({ $0 == [0...1] }) { return [stroke] }
        return polylines(of: stroke.points, kept).map { Stroke(points: $0, width: stroke.width, color: stroke.color) }
    }

    /// Joins what is kept of consecutive segments.
    private func polylines(of points: [Point], _ kept: [[ClosedRange<Double>]]) -> [[Point]] {
        var lines: [[Point]] = []
        var line: [Point] = []
        func end() {
            if line.contains(where: { $0 != line[0] }) { lines.append(line) }
            line = []
        }
        for (index, ranges) in kept.enumerated() where index + 1 < points.count {
            let (start, step) = (points[index], points[index + 1] - points[index])
            if ranges.first?.lowerBound != 0 { end() }
            for range in ranges {
                if line.isEmpty { line = [start + range.lowerBound * step] }
                line.append(range.upperBound == 1 ? points[index + 1] : start + range.upperBound * step)
                if range.upperBound < 1 { end() }
            }
        }
        end()
        return lines
    }

    /// The parts of a segment, from 0 at its start to 1 at its end, that lie farther from the path than `reach`.
    private func kept(from start: Point, to end: Point, within reach: Double) -> [ClosedRange<Double>] {
        let ends = path.count == 1 ? path : Array(path.dropFirst())
        let gaps = zip(path, ends).compactMap { Self.covered(start, end - start, $0, $1, reach) }
        var kept: [ClosedRange<Double>] = []
        var position = 0.0
        for gap in gaps.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if gap.lowerBound > position { kept.append(position...gap.lowerBound) }
            position = max(position, gap.upperBound)
        }
        if position < 1 { kept.append(position...1) }
        return kept
    }

    // MARK: - A segment and a capsule

    /// The part of the segment from `start` along `step` that is no farther than `reach` from the segment from `a` to
    /// `b`. A capsule is convex, so it is one part: from the first to the last point in its discs and its body.
    private static func covered(
        _ start: Point, _ step: Vector, _ a: Point, _ b: Point, _ reach: Double
    ) -> ClosedRange<Double>? {
        let parts = [
            inDisc(start - a, step, reach), inDisc(start - b, step, reach), inBody(start - a, step, b - a, reach),
        ].compactMap { $0 }
        guard let from = parts.map({ $0.lowerBound }).min(), let to = parts.map({ $0.upperBound }).max(), from < 1,
            to > 0
        else { return nil }
        return max(0, from)...min(1, to)
    }

    /// Where a line is in a disc around the origin.
    private static func inDisc(_ start: Vector, _ step: Vector, _ radius: Double) -> ClosedRange<Double>? {
        let (square, half) = (step.dot(step), start.dot(step))
        let rest = start.dot(start) - radius * radius
        guard square > 0 else { return rest <= 0 ? everywhere : nil }
        let discriminant = half * half - square * rest
        guard discriminant >= 0 else { return nil }
        let root = discriminant.squareRoot()
        return (-half - root) / square...(-half + root) / square
    }

    /// Where a line is beside an axis from the origin, between its ends and no farther than `radius` from it.
    private static func inBody(
        _ start: Vector, _ step: Vector, _ axis: Vector, _ radius: Double
    ) -> ClosedRange<Double>? {
        let length = axis.length
        guard length > 0 else { return nil }
        let along = 1 / length * axis
        let across = Vector(dx: -along.dy, dy: along.dx)
        guard let beside = inStrip(start.dot(along), step.dot(along), 0...length),
            let near = inStrip(start.dot(across), step.dot(across), -radius...radius), beside.overlaps(near)
        else { return nil }
        return beside.clamped(to: near)
    }

    /// Where `start + t · step` is in a range.
    private static func inStrip(
        _ start: Double, _ step: Double, _ range: ClosedRange<Double>
    ) -> ClosedRange<Double>? {
        guard step != 0 else { return range.contains(start) ? everywhere : nil }
        let ends = ((range.lowerBound - start) / step, (range.upperBound - start) / step)
        return min(ends.0, ends.1)...max(ends.0, ends.1)
    }

    private static let everywhere = -Double.infinity...Double.infinity

    private static func bounds(of points: [Point]) -> Rect {
        points.dropFirst().reduce(Rect(x: points[0].x, y: points[0].y, width: 0, height: 0)) {
            $0.union(Rect(x: $1.x, y: $1.y, width: 0, height: 0))
        }
    }
}
