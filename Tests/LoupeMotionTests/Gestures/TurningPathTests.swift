import Glibc
import LoupeBase
import Testing

import func Glibc.cos
import func Glibc.sin

@testable import LoupeMotion

@Suite struct TurningPathTests {
    private func circle(
        _ degrees: ClosedRange<Double>, radius: Double, into path: inout TurningPath, back: Bool = false
    ) {
        let angles = stride(from: degrees.lowerBound, through: degrees.upperBound, by: 1)
        for angle in back ? Array(angles.reversed()) : Array(angles) {
            let radians = angle * .pi / 180
            path.add(Point(x: radius * cos(radians), y: radius * sin(radians)))
        }
    }

    @Test func circleTurnsByItsAngle() {
        var path = TurningPath(from: Point(x: 60, y: 0))
        circle(0...360, radius: 60, into: &path)
        // From the first stride's middle to the last one's: a stride of 12° is missing.
        #expect(near(path.turning.degrees, 348, 1))
        var other = TurningPath(from: Point(x: 60, y: 0))
        circle(0...360, radius: 60, into: &other, back: true)
        #expect(near(other.turning, -path.turning, 0.02))
    }

    @Test func wayBackTakesTheTurningBack() {
        var path = TurningPath(from: Point(x: 60, y: 0))
        circle(0...200, radius: 60, into: &path)
        circle(0...200, radius: 60, into: &path, back: true)
        #expect(abs(path.turning.degrees) < 15)
    }

    @Test func straightLineDoesNotTurnAndACornerDoes() {
        var path = TurningPath(from: .zero)
        for x in 0...10 { path.add(Point(x: 8 * Double(x), y: 0)) }
        #expect(path.turning == 0)
        for y in 0...10 { path.add(Point(x: 80, y: 8 * Double(y))) }
        #expect(near(path.turning.degrees, 90))
    }
}
