import Glibc
import LoupeBase
import TestSupport
import Testing

import func Glibc.hypot

@Suite("The signed distance to an outline")
struct OutlineTests {
    static let rects = [
        Rect(x: 0, y: 0, width: 10, height: 10), Rect(x: -31.25, y: 12.5, width: 90, height: 40),
        Rect(x: 1000.5, y: 0.25, width: 3, height: 700),
    ]
    static let exponents: [Double] = [
        1, 1.000001, 1.001, 1.05, 1.3, 1.7, 1.99, 2, 2.01, 2.5, 3.35, 4, 5, 8, 16, 31.5, 32,
    ]

    /// Points all over a rect and around it, some of them on its lines of symmetry.
    static func points(around rect: Rect, count: Int) -> [Point] {
        var random = SplitMix64(seed: 7)
        return (0..<count).map { index in
            let (x, y) = (Double.random(in: -0.8...0.8, using: &random), Double.random(in: -0.8...0.8, using: &random))
            return Point(
                x: rect.center.x + (index % 11 == 0 ? 0 : x) * rect.width,
                y: rect.center.y + (index % 13 == 0 ? 0 : y) * rect.height)
        }
    }

    @Test("For n = 2 it is the rounded rect's closed form", arguments: rects)
    func circle(rect: Rect) {
        for share in [1e-4, 0.1, 0.35, 0.5] {
            let radius = rect.shorterSide * share
            let outline = Outline(rect: rect, radius: radius, exponent: 2)
            for point in Self.points(around: rect, count: 500) {
                let u = abs(point.x - rect.center.x) - rect.width / 2 + radius
                let v = abs(point.y - rect.center.y) - rect.height / 2 + radius
                let expected = radius - hypot(max(u, 0), max(v, 0)) - min(max(u, v), 0)
                #expect(abs(outline.signedDistance(to: point) - expected) < 1e-9)
            }
        }
    }

    @Test("For n = 1 it is the distance to the bevelled polygon", arguments: rects)
    func bevel(rect: Rect) {
        for share in [1e-4, 0.1, 0.35, 0.5] {
            let r = rect.shorterSide * share
            let polygon = [
                Point(x: rect.minX + r, y: rect.minY), Point(x: rect.maxX - r, y: rect.minY),
                Point(x: rect.maxX, y: rect.minY + r), Point(x: rect.maxX, y: rect.maxY - r),
                Point(x: rect.maxX - r, y: rect.maxY), Point(x: rect.minX + r, y: rect.maxY),
                Point(x: rect.minX, y: rect.maxY - r), Point(x: rect.minX, y: rect.minY + r),
            ]
            let outline = Outline(rect: rect, radius: r, exponent: 1)
            for point in Self.points(around: rect, count: 500) {
                let expected = LoupeBaseTests.signedDistance(point, toConvex: polygon)
                #expect(abs(outline.signedDistance(to: point) - expected) < 1e-9, "\(point), radius \(r)")
            }
        }
    }

    @Test("For r = 0 the outside of a corner is measured to the corner point", arguments: rects)
    func sharp(rect: Rect) {
        let polygon = [
            Point(x: rect.minX, y: rect.minY), Point(x: rect.maxX, y: rect.minY), Point(x: rect.maxX, y: rect.maxY),
            Point(x: rect.minX, y: rect.maxY),
        ]
        for exponent in [1.0, 1.5, 4, 32] {
            let outline = Outline(rect: rect, radius: 0, exponent: exponent)
            for point in Self.points(around: rect, count: 300) {
                let expected = LoupeBaseTests.signedDistance(point, toConvex: polygon)
                #expect(abs(outline.signedDistance(to: point) - expected) < 1e-9)
            }
        }
    }

    @Test("A corner's distance is that of a searched dense sampling to 1e-9", arguments: exponents)
    func dense(exponent: Double) {
        var random = SplitMix64(seed: UInt64(exponent * 1000))
        for radius in [1e-3, 1, 60, 1e4] {
            let points = (0..<120).map { index in
                let reach = radius * [0.05, 1, 1.2, 3][index % 4]
                let center = index % 4 == 0 ? radius * Double.random(in: 0.5...1, using: &random) : 0
                let u = center + Double.random(in: -reach...reach, using: &random)
                let v = [0, u, Double.random(in: -reach...reach, using: &random)][min(index % 9, 2)]
                return Vector(dx: u, dy: v)
            }
            let expected = SampledCorner(radius: radius, exponent: exponent).signedDistances(of: points)
            let corner = Superellipse(radius: radius, exponent: exponent)
            for (point, distance) in zip(points, expected) {
                #expect(abs(corner.signedDistance(to: point) - distance) < 1e-9, "\(point), radius \(radius)")
            }
        }
    }

    @Test("The whole outline's distance is that of a polygon of its points", arguments: exponents)
    func wholeOutline(exponent: Double) {
        let rect = Rect(x: 20, y: -10, width: 60, height: 44)
        for radius in [3.0, 14, 22] {
            let quarter = SampledCorner(radius: radius, exponent: exponent)
            let arc = (0...250).map { quarter.point(at: Double($0) / 250 * .pi / 2) }
            func corner(_ x: Double, _ y: Double, _ arc: [Vector]) -> [Point] {
                arc.map { offset in
                    Point(
                        x: rect.center.x + x * (rect.width / 2 - radius + offset.dx),
                        y: rect.center.y + y * (rect.height / 2 - radius + offset.dy))
                }
            }
            let reversed = Array(arc.reversed())
            let polygon = corner(1, 1, arc) + corner(-1, 1, reversed) + corner(-1, -1, arc) + corner(1, -1, reversed)
            let outline = Outline(rect: rect, radius: radius, exponent: exponent)
            for point in Self.points(around: rect, count: 60) {
                // A chord lies at most κ·s²/8 inside the curve: the sharpest bend here, n = 32, has
                // κ < 24/r, with steps s < 0.013·r.
                let expected = LoupeBaseTests.signedDistance(point, toConvex: polygon)
                #expect(abs(outline.signedDistance(to: point) - expected) < 6e-4 * radius, "\(point), radius \(radius)")
            }
        }
    }

    @Test("It runs on without a step where an exponent near 1 leaves the bevel")
    func nearBevel() {
        let rect = Self.rects[1]
        let bevel = Outline(rect: rect, radius: 20, exponent: 1)
        for excess in [1e-15, 1e-12] {
            let nearly = Outline(rect: rect, radius: 20, exponent: 1 + excess)
            for point in Self.points(around: rect, count: 2000) {
                #expect(abs(nearly.signedDistance(to: point) - bevel.signedDistance(to: point)) < 1e-9)
            }
        }
    }

    @Test("Deep inside, a bevel that is not alongside can be nearer than the edges")
    func beyondTheArc() {
        // The diamond |x − 5| + |y − 5| = 5: its middle is 5/√2 from the sides and 5 from the vertices.
        let diamond = Outline(rect: Rect(x: 0, y: 0, width: 10, height: 10), radius: 5, exponent: 1)
        #expect(abs(diamond.signedDistance(to: Point(x: 5, y: 5)) - 5 / 2.0.squareRoot()) < 1e-12)
        // (−0.5, −0.9) lies 10.5 px from the edge u = 10, but (10 + 0.5 + 0.9)/√2 = 8.06 px from the
        // bevel u + v = 10. An exponent of 1.0001 moves that by less than 1e-3.
        let bevel = Superellipse(radius: 10, exponent: 1.0001)
        #expect(abs(bevel.signedDistance(to: Vector(dx: -0.5, dy: -0.9)) - 11.4 / 2.0.squareRoot()) < 1e-3)
    }

    @Test("Coverage is clamp(z·d + ½, 0, 1) at every magnification", arguments: exponents)
    func coverage(exponent: Double) {
        let rect = Self.rects[1]
        let outline = Outline(rect: rect, radius: 18, exponent: exponent)
        for magnification in [1.0, 2.5, 64] {
            for point in Self.points(around: rect, count: 1000) {
                let expected = min(max(magnification * outline.signedDistance(to: point) + 0.5, 0), 1)
                #expect(outline.coverage(at: point, magnification: magnification) == expected)
            }
        }
    }
}
