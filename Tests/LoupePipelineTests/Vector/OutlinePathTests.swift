import Glibc
import LoupeBase
import LoupePlan
import LoupeScene
import Testing

import func Glibc.hypot
import func Glibc.pow

@testable import LoupePipeline

/// Curves of outlines, against the equation of the superellipse.
@Suite struct OutlinePathTests {
    /// Points of a path's curves, densely.
    private func points(of path: VectorPath, steps: Int = 48) -> [Point] {
        var points: [Point] = []
        var last = Point.zero
        for element in path.elements {
            switch element {
            case .move(let point), .line(let point): last = point
            case .curve(let a, let b, let end):
                for step in 0...steps {
                    let t = Double(step) / Double(steps)
                    func at(_ p: Double, _ q: Double, _ r: Double, _ s: Double) -> Double {
                        let (pq, qr, rs) = (p + t * (q - p), q + t * (r - q), r + t * (s - r))
                        let (left, right) = (pq + t * (qr - pq), qr + t * (rs - qr))
                        return left + t * (right - left)
                    }
                    points.append(Point(x: at(last.x, a.x, b.x, end.x), y: at(last.y, a.y, b.y, end.y)))
                }
                last = end
            case .close: break
            }
        }
        return points
    }

    /// The distance from |u/a|ⁿ + |v/b|ⁿ = 1 to first order, which is exact enough within a hundredth of a pixel.
    private func distance(_ u: Double, _ v: Double, _ radius: CornerRadius, _ n: Double) -> Double {
        let (a, b) = (max(u / radius.x, 0), max(v / radius.y, 0))
        // Along the straight parts the curve is the edge.
        let value = pow(pow(a, n) + pow(b, n), 1 / n) - 1
        let whole = pow(pow(a, n) + pow(b, n), 1 / n - 1)
        let slope = hypot(whole * pow(a, n - 1) / radius.x, whole * pow(b, n - 1) / radius.y)
        return abs(value) / slope
    }

    @Test(
        "Corners lie within a fiftieth of a pixel of the superellipse, at every scale",
        arguments: [1, 1.2, 1.6, 2, 2.5, 3.35, 4, 5, 8, 16, 32])
    func cornersOfOutlines(exponent: Double) {
        for (radius, scale) in [(3.0, 1.0), (24, 1), (180, 1), (24, 8), (400, 4)] {
            let radii = CornerRadii { $0 == .topLeft ? CornerRadius(x: radius, y: radius / 2) : CornerRadius(radius) }
            let rect = Rect(x: 10, y: 20, width: 2.5 * radius, height: 3 * radius)
            let outline = Outline(rect: rect, radii: radii, exponent: exponent)
            let path = OutlinePath.path(of: outline, tolerance: 0.01 / scale)
            var worst = 0.0
            for point in points(of: path) {
                let position: CornerPosition =
                    point.x < rect.center.x
                    ? (point.y < rect.center.y ? .topLeft : .bottomLeft)
                    : (point.y < rect.center.y ? .topRight : .bottomRight)
                let offset = outline.offset(of: point, from: position)
                worst = max(worst, distance(offset.dx, offset.dy, radii[position], exponent))
            }
            #expect(worst * scale <= 0.02, "exponent \(exponent), radius \(radius), scale \(scale)")
            #expect(path.elements.count < 200)
        }
    }

    @Test(
        "Curves outside of an outline keep their distance, and sharp corners become round",
        arguments: [1, 1.5, 2, 4, 12])
    func offsets(exponent: Double) {
        for radius in [0.0, 10, 60] {
            let outline = Outline(
                rect: Rect(x: -70, y: -60, width: 140, height: 120), radius: radius, exponent: exponent)
            let growth = 7.5
            let grown = points(of: OutlinePath.path(of: outline, grownBy: growth, tolerance: 0.01))
            // By comparison with a dense polyline of the outline itself.
            let base = points(of: OutlinePath.path(of: outline, tolerance: 0.0005), steps: 200)
            let corners = [
                Point(x: -70, y: -60), Point(x: 70, y: -60), Point(x: 70, y: 60), Point(x: -70, y: 60),
            ]
            for point in grown.enumerated().filter({ $0.offset % 7 == 0 }).map(\.element) {
                let nearest = (radius == 0 ? corners : base).map { $0.distance(to: point) }.min() ?? 0
                #expect(abs(nearest - growth) < 0.03)
            }
            #expect(!grown.isEmpty)
        }
    }

    @Test("A line with round ends is as wide as it says all around") func roundEnds() {
        let (start, end) = (Point(x: 10, y: 10), Point(x: 40, y: 30))
        let path = VectorPath(lineFrom: start, to: end, width: 8)
        let way = end - start
        for point in points(of: path) {
            let along = min(max((point - start).dot(way) / way.dot(way), 0), 1)
            #expect(abs(point.distance(to: start + along * way) - 4) < 1e-3)
        }
    }
}
