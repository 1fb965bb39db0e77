import Testing

@testable import LoupeMotion

@Suite struct OneEuroFilterTests {
    /// The head of the ground truth published with the filter's reference implementations: 120 Hz, minimum cutoff
    /// 1 Hz, β = .1, derivative cutoff 1 Hz.
    private static let groundTruth: [(time: Double, noisy: Double, filtered: Double)] = [
        (0, -0.0385099, -0.0385099), (0.00833333, -0.0280664, -0.0379872), (0.0166667, 0.048622, -0.0334427),
        (0.025, 0.111498, -0.0252696), (0.0333333, 0.053026, -0.0207099), (0.0416667, 0.120548, -0.0119912),
        (0.05, 0.00972308, -0.0106507), (0.0583333, 0.074193, -0.00526521), (0.0666667, -0.0236801, -0.00641239),
        (0.075, 0.0462396, -0.00308863), (0.0833333, 0.0892027, 0.00291027), (0.0916667, 0.158329, 0.0135545),
        (0.1, 0.0423086, 0.01552), (0.108333, 0.0887203, 0.0206024), (0.116667, 0.039102, 0.0218784),
        (0.125, 0.140277, 0.030313), (0.133333, 0.156938, 0.0396331), (0.141667, 0.0961089, 0.0438101),
        (0.15, 0.216881, 0.0572083), (0.158333, 0.067538, 0.057997), (0.166667, 0.0737634, 0.0591871),
        (0.175, 0.0989231, 0.0621793), (0.183333, 0.148209, 0.0687489), (0.191667, 0.0959887, 0.0708137),
    ]

    @Test func matchesThePublishedGroundTruth() {
        var filter = OneEuroFilter(minimumCutoff: 1, speedCoefficient: 0.1, derivativeCutoff: 1, frequency: 120)
        for row in Self.groundTruth {
            #expect(near(filter.filter(row.noisy, at: row.time), row.filtered, 1e-5))
        }
    }

    @Test func equalTimesKeepTheInterval() {
        var filter = OneEuroFilter(frequency: 100)
        _ = filter.filter(0, at: 1)
        #expect(filter.filter(1, at: 1).isFinite)
    }
}
