import LoupeGeometry
import LoupeScene

/// A straight part of a stroke in output pixels; a dot has no length.
struct InkSegment {
    let start: Point
    /// Of length 1, or zero for a dot.
    let direction: Vector
    package let length: Double

    init(from start: Point, to end: Point) {
        let way = end - start
        self.start = start
        length = way.length
        direction = length > 0 ? (1 / length) * way : .zero
    }

    /// The square of the distance from a point.
    func squaredDistance(to point: Point) -> Double {
        let offset = point - start
        let nearest = offset - min(max(along(offset), 0), length) * direction
        return nearest.dx * nearest.dx + nearest.dy * nearest.dy
    }

    /// Which x the part between two heights takes; nil where there is none.
    func columns(between top: Double, and bottom: Double) -> ClosedRange<Double>? {
        var (low, high) = (0.0, length)
        if direction.dy != 0 {
            let crossings = [(top - start.y) / direction.dy, (bottom - start.y) / direction.dy]
            low = max(low, min(crossings[0], crossings[1]))
            high = min(high, max(crossings[0], crossings[1]))
            guard low <= high else { return nil }
        }
        let ends = (start.x + low * direction.dx, start.x + high * direction.dx)
        return min(ends.0, ends.1)...max(ends.0, ends.1)
    }

    /// Its start and the way to its end as seen from a point, cut to what lies within `reach` of it along the segment.
    func part(near point: Point, within reach: Double) -> SIMD4<Float> {
        let middle = along(point - start)
        let low = min(max(middle - reach, 0), length)
        let high = min(max(middle + reach, 0), length)
        let from = (start - point) + low * direction
        let way = (high - low) * direction
        return SIMD4(Float(from.dx), Float(from.dy), Float(way.dx), Float(way.dy))
    }

    private func along(_ offset: Vector) -> Double { offset.dx * direction.dx + offset.dy * direction.dy }
}
