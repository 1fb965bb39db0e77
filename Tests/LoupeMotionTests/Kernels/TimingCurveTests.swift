import TestSupport
import Testing

@testable import LoupeMotion

@Suite struct TimingCurveTests {
    /// Chromium's `cubic_bezier_unittest`, to its tolerance.
    @Test(arguments: [
        (0.05, 0.01136), (0.1, 0.03978), (0.25, 0.18235), (0.5, 0.5), (0.75, 0.81764), (0.9, 0.96021),
    ])
    func measuredCurve(time: Double, expected: Double) {
        #expect(near(TimingCurve(x1: 0.25, y1: 0, x2: 0.75, y2: 1).progress(at: time), expected, 1.5e-4))
    }

    /// Values measured from Core Animation's named curves.
    @Test(arguments: [
        (TimingCurve.easeIn, [0.017026613, 0.09346466, 0.31535682, 0.6218605, 0.83942777]),
        (TimingCurve.easeOut, [0.16057223, 0.37813953, 0.6846432, 0.9065353, 0.9829734]),
    ])
    func namedCurves(curve: TimingCurve, expected: [Double]) {
        for (time, value) in zip([0.1, 0.25, 0.5, 0.75, 0.9], expected) {
            #expect(near(curve.progress(at: time), value, 1e-4))
        }
    }

    @Test func endsAreExactAndBeyondThemNothingMoves() {
        for curve in [TimingCurve.linear, .easeIn, .easeOut, .easeInOut, .standard] {
            #expect(curve.progress(at: 0) == 0 && curve.progress(at: -3) == 0)
            #expect(curve.progress(at: 1) == 1 && curve.progress(at: 3) == 1)
        }
    }

    /// The points of the curve, computed from its parameter, which the solver must find again; also on hard curves,
    /// flat at the ends and vertical in the middle.
    @Test func findsThePointsOfRandomCurves() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let x1 = Double.random(in: 0...1, using: &generator)
            let x2 = Double.random(in: 0...1, using: &generator)
            let y1 = Double.random(in: -1...2, using: &generator)
            let y2 = Double.random(in: -1...2, using: &generator)
            let curve = TimingCurve(x1: x1, y1: y1, x2: x2, y2: y2)
            for s in stride(from: 0.0, through: 1, by: 0.05) {
                func axis(_ a: Double, _ b: Double, _ s: Double) -> Double {
                    3 * (1 - s) * (1 - s) * s * a + 3 * (1 - s) * s * s * b + s * s * s
                }
                let x = axis(x1, x2, s)
                // Where the curve is nearly vertical, the rounding of the time is a large step in value.
                let slope = (axis(x1, x2, min(1, s + 1e-6)) - axis(x1, x2, max(0, s - 1e-6))) / 2e-6
                #expect(near(curve.progress(at: x), axis(y1, y2, s), max(1e-6, 1e-6 / max(slope, 1e-3))))
            }
        }
    }

    @Test func steepestCurveStillRises() {
        let curve = TimingCurve(x1: 1, y1: 0, x2: 0, y2: 1)
        let values = stride(from: 0.0, through: 1, by: 0.001).map { curve.progress(at: $0) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(near(curve.progress(at: 0.5), 0.5, 1e-4))
    }
}
