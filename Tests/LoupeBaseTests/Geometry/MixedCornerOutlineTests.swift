import Glibc
import LoupeBase
import Testing

import func Glibc.cos
import func Glibc.pow
import func Glibc.sin

/// Outlines whose corners differ, against formulas and against the densely sampled outline.
@Suite struct MixedCornerOutlineTests {
    private static let rect = Rect(x: -7, y: 3, width: 90, height: 60)
    private static let radii = CornerRadii { place in
        switch place {
        case .topLeft: CornerRadius(x: 50, y: 20)
        case .topRight: CornerRadius(x: 40, y: 12)
        case .bottomRight: CornerRadius(x: 3, y: 48)
        case .bottomLeft: CornerRadius(0)
        }
    }

    @Test(
        "A point's distance is that of the nearest of many points on the outline", arguments: [1, 1.2, 2, 3.35, 8, 32])
    func sampledOutline(exponent: Double) {
        let outline = Outline(rect: Self.rect, radii: Self.radii, exponent: exponent)
        let corners = Self.polygon(exponent)
        for (x, y) in [
            (-7.0, 3.0), (-5, 5), (0, 10), (30, 2.4), (30, 33), (60, 3), (80, 8), (82, 40), (85, 70), (-9, 64),
            (82.9, 60), (38, 60), (75, 50),
        ] {
            let point = Point(x: x, y: y)
            let expected = signedDistance(point, toConvex: corners)
            #expect(abs(outline.signedDistance(to: point) - expected) < 2e-4, "\(point)")
        }
    }

    /// Each corner by its polar angle, clockwise from the top left one's end on the left edge.
    private static func polygon(_ exponent: Double) -> [Point] {
        let angles = (0...4000).map { Double($0) / 4000 * .pi / 2 }
        func arc(_ place: CornerPosition) -> [Point] {
            let radius = radii[place]
            let (sx, sy) = (place.isLeft ? -1.0 : 1.0, place.isTop ? -1.0 : 1.0)
            let center = Point(
                x: place.isLeft ? rect.minX + radius.x : rect.maxX - radius.x,
                y: place.isTop ? rect.minY + radius.y : rect.maxY - radius.y)
            return angles.map { angle in
                let (u, v) = (max(cos(angle), 0), max(sin(angle), 0))
                let norm = pow(pow(u, exponent) + pow(v, exponent), 1 / exponent)
                return Point(x: center.x + sx * radius.x * u / norm, y: center.y + sy * radius.y * v / norm)
            }
        }
        return arc(.topLeft) + arc(.topRight).reversed() + arc(.bottomRight) + arc(.bottomLeft).reversed()
    }

    @Test func alikeCircularCornersHaveTheDistancesOfOneRadius() {
        let uniform = Outline(rect: Self.rect, radius: 20, exponent: 3)
        // A radius that differs by next to nothing takes the other way.
        let mixed = Outline(
            rect: Self.rect, radii: CornerRadii { CornerRadius($0 == .topLeft ? 20.000_000_001 : 20) }, exponent: 3)
        for y in stride(from: -5.0, to: 70, by: 3.7) {
            for x in stride(from: -12.0, to: 90, by: 4.1) {
                let point = Point(x: x, y: y)
                #expect(abs(uniform.signedDistance(to: point) - mixed.signedDistance(to: point)) < 1e-7)
            }
        }
    }

    @Test("An ellipse's distance meets its own equation")
    func ellipse() {
        let outline = Outline(
            rect: Rect(x: -30, y: -10, width: 60, height: 20), radii: CornerRadii(CornerRadius(x: 30, y: 10)),
            exponent: 2)
        for angle in stride(from: 0.05, to: 1.55, by: 0.1) {
            let (x, y) = (30 * cos(angle), 10 * sin(angle))
            let normal = Vector(dx: x / 900, dy: y / 100)
            for distance in [-25.0, -3, -0.2, 0.2, 1.5] {
                // Inwards only as far as the least radius of curvature, 100/30.
                let point = Point(x: x, y: y) - distance / normal.length * normal
                #expect(abs(outline.signedDistance(to: point) - distance) < 1e-8)
            }
        }
    }

    @Test func aBoundIsOnTheRightSideAndNotTooLarge() {
        let outline = Outline(rect: Self.rect, radii: Self.radii, exponent: 2.5)
        for y in stride(from: -20.0, to: 90, by: 2.3) {
            for x in stride(from: -30.0, to: 110, by: 2.9) {
                let point = Point(x: x, y: y)
                let exact = outline.signedDistance(to: point)
                let bound = outline.signedDistance(to: point, within: 2)
                if abs(bound) < 2 {
                    #expect(abs(exact - bound) < 1e-9)
                } else {
                    #expect(exact * bound > 0 && abs(bound) <= abs(exact) + 1e-9)
                }
            }
        }
    }

    @Test func radiiThatDoNotFitShrinkByOneFactorAsInCSS() {
        let radii = CornerRadii { CornerRadius(x: $0.isLeft ? 30 : 10, y: 5) }
        let fitted = radii.fitted(width: 20, height: 100)
        #expect(abs(fitted[.topLeft].x - 15) < 1e-12)
        #expect(abs(fitted[.bottomRight].y - 2.5) < 1e-12)
        #expect(fitted.fitted(width: 20, height: 100) == fitted)
        #expect(CornerRadii(30).fitted(width: 20, height: 100) == CornerRadii(10))
    }
}
