import LoupeBase
import Testing

@testable import LoupeMotion

@Suite struct VelocityTrackerTests {
    private func velocity(_ samples: [(Double, Double, Double)], after pause: Double = 0) -> Vector {
        var tracker = VelocityTracker()
        for (time, x, y) in samples { tracker.add(Point(x: x, y: y), at: time) }
        return tracker.velocity(at: (samples.last?.0 ?? 0) + pause)
    }

    /// Samples at a rate in Hz, whose x and y are functions of the time.
    private func drag(
        _ steps: ClosedRange<Int>, rate: Double, x: (Double) -> Double, y: (Double) -> Double = { _ in 0 }
    ) -> [(Double, Double, Double)] {
        steps.map { step in
            let time = Double(step) / rate
            return (time, x(time), y(time))
        }
    }

    /// Drags recorded for Flutter's velocity tracker tests, in milliseconds, and the velocities given there.
    @Test func recordedDrags() {
        let first = velocity(
            [
                (216_691_222, 257.4285583496094, 428.5714416503906), (216_691_230, 256.28570556640625, 436),
                (216_691_238, 255.7142791748047, 442), (216_691_245, 255.14285278320312, 447.71429443359375),
                (216_691_253, 254.85714721679688, 453.1428527832031),
                (216_691_261, 254.57142639160156, 458.5714416503906),
                (216_691_268, 254.2857208251953, 463.71429443359375),
                (216_691_276, 254.2857208251953, 470.28570556640625),
                (216_691_284, 254.2857208251953, 477.71429443359375),
                (216_691_292, 255.7142791748047, 487.1428527832031),
                (216_691_300, 256.8571472167969, 498.5714416503906),
                (216_691_307, 258.28570556640625, 507.71429443359375), (216_691_315, 259.4285583496094, 516),
                (216_691_323, 260.28570556640625, 521.7142944335938),
            ].map { ($0.0 / 1000, $0.1, $0.2) }, after: 0.015)
        #expect(near(first.dx, 219.5762939453125, 0.2) && near(first.dy, 1304.6705322265625, 1.3))
        let second = velocity(
            [
                (216_691_588, 266, 327.4285583496094), (216_691_626, 261.1428527832031, 337.1428527832031),
                (216_691_634, 258.28570556640625, 343.1428527832031), (216_691_642, 254.57142639160156, 354),
                (216_691_650, 250.2857208251953, 368.28570556640625),
                (216_691_657, 247.42857360839844, 382.8571472167969),
                (216_691_665, 245.14285278320312, 397.4285583496094),
                (216_691_673, 243.14285278320312, 411.71429443359375),
                (216_691_680, 242.2857208251953, 426.28570556640625),
                (216_691_688, 241.7142791748047, 440.5714416503906),
                (216_691_696, 241.7142791748047, 454.5714416503906),
                (216_691_703, 242.57142639160156, 467.71429443359375),
                (216_691_712, 243.42857360839844, 477.4285583496094),
                (216_691_720, 244.85714721679688, 485.71429443359375),
                (216_691_727, 246.2857208251953, 493.1428527832031), (216_691_735, 248, 499.71429443359375),
            ].map { ($0.0 / 1000, $0.1, $0.2) }, after: 0.015)
        #expect(near(second.dx, 355.6900939941406, 0.36) && near(second.dy, 967.1700439453125, 1))
    }

    @Test func uniformAndAcceleratedMotionAreExact() {
        let steady = velocity(drag(0...20, rate: 60, x: { 300 * $0 }, y: { -90 * $0 }))
        #expect(near(steady.dx, 300, 1e-7) && near(steady.dy, -90, 1e-7))
        let falling = velocity(drag(0...20, rate: 120, x: { _ in 0 }, y: { 5 * $0 * $0 }))
        #expect(near(falling.dy, 10.0 * 20 / 120, 1e-7))
    }

    @Test func restIsNoVelocity() {
        let moving = drag(0...5, rate: 100, x: { 1000 * $0 })
        #expect(near(velocity(moving, after: 0.04).dx, 1000, 1e-6))
        #expect(velocity(moving, after: 0.041) == .zero)
        #expect(velocity(moving + [(0.1, 50, 0)]) == .zero)
        #expect(velocity([]) == .zero && velocity([(0, 5, 5)]) == .zero)
    }

    @Test func twoSamplesGiveTheirLineAndEqualTimesNothing() {
        #expect(near(velocity([(0, 0, 0), (0.01, 5, 0)]).dx, 500, 1e-9))
        #expect(velocity([(0, 0, 0), (0, 5, 0)]) == .zero)
    }

    @Test func onlyTheLastTenthOfASecondCounts() {
        let before = drag(0...49, rate: 100, x: { 1e6 * $0 * $0 * $0 })
        #expect(near(velocity(before + drag(50...70, rate: 100, x: { 100 * $0 })).dx, 100, 1e-6))
    }

    /// A million samples a second, in whole pixels: few of them are kept, and fewer are fitted.
    @Test func aSampleTakesNoLongerTheMoreThereAre() {
        var tracker = VelocityTracker()
        for step in 0...500_000 {
            let time = Double(step) * 1e-6
            tracker.add(Point(x: (3000 * time).rounded(), y: (-3000 * time * time).rounded()), at: time)
            if step % 1000 == 999 {
                #expect(tracker.samples.count <= 200_010 && tracker.heldSamples.count <= VelocityTracker.heldCount)
            }
        }
        for velocity in [tracker.velocity(at: 0.5), tracker.heldVelocity(at: 0.5)] {
            #expect(near(velocity.dx, 3000, 3) && near(velocity.dy, -3000, 3))
        }
    }

    @Test func tenThousandSamplesASecondAllCountWhileATouchGoesOn() {
        var tracker = VelocityTracker()
        for (time, x, y) in drag(0...5000, rate: 10_000, x: { (3000 * $0 * $0).rounded() }) {
            tracker.add(Point(x: x, y: y), at: time)
            #expect(tracker.heldVelocity(at: time) == tracker.velocity(at: time))
        }
    }

    /// 300 points in 0.4 s with the least jerk, at 60 Hz, in whole pixels: the slope of the parabola is −125 at the end.
    @Test func aDragThatSlowsDownDoesNotRunBackwards() {
        func way(_ time: Double) -> Double {
            let part = min(time / 0.4, 1)
            return (300 * part * part * part * (10 - 15 * part + 6 * part * part)).rounded()
        }
        #expect(velocity(drag(0...24, rate: 60, x: way, y: { -way($0) })) == .zero)
        // A finger that turns back takes the content with it.
        let turned = velocity(drag(0...24, rate: 60, x: { 3000 * $0 * (0.3 - $0) }))
        #expect(near(turned.dx, -1500, 1e-6))
    }
}
