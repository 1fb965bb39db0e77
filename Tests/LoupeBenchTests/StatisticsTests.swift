import Glibc
import Testing

import enum TestSupport.Sample

@testable import LoupeBench

@Suite struct StatisticsTests {
    @Test("The generator gives the published numbers") func generator() {
        // Seed 1234567, as the reference implementation of SplitMix64 prints them.
        var random = SplitMix64(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test("Median and median absolute deviation of the textbook example") func median() {
        let summary = Summary([1, 1, 2, 2, 4, 6, 9])
        #expect(summary.median == 2)
        #expect(summary.medianAbsoluteDeviation == 1)
        #expect([3.0, 1, 4, 2].median == 2.5)
    }

    @Test("Quantiles are interpolated as R's type 7") func quantiles() {
        let values = (1...10).map(Double.init)
        #expect(values.quantileOfSorted(0.25) == 3.25)
        #expect(values.quantileOfSorted(0.5) == 5.5)
        #expect(values.quantileOfSorted(0) == 1)
        #expect(values.quantileOfSorted(1) == 10)
    }

    @Test("Pairing cancels slowdowns of a whole block") func pairing() {
        // Each block is up to ten times as slow as another; within a block one takes 1.2 times as long.
        let base = (1...15).map { Double($0) * Double($0 % 4 + 1) }
        let ratio = Ratio(paired: base.map { $0 * 1.2 }, to: base)
        #expect(abs(ratio.estimate - 1.2) < 1e-12)
        #expect(abs(ratio.low - 1.2) < 1e-12 && abs(ratio.high - 1.2) < 1e-12)
        #expect(SpeedVerdict(ratio) == .slower)
    }

    @Test("About 95 of 100 intervals hold the true ratio") func coverage() {
        var random = SplitMix64(seed: 5)
        let truth = 0.88
        let hits = (0..<400).count { experiment in
            let base = (0..<15).map { _ in 100 + noise(&random) }
            let times = base.map { $0 * truth * (1 + 0.01 * noise(&random)) }
            let ratio = Ratio(paired: times, to: base, seed: UInt64(experiment))
            return ratio.low <= truth && truth <= ratio.high
        }
        // The percentile bootstrap of a median is somewhat wide or narrow for so few values, but not far off.
        #expect((360...400).contains(hits), "\(hits) of 400")
    }

    /// Eight pairs of processes, of which each differs by a few percent for good, as measured: all of a process's batches
    /// say the same, so an interval from single batches is much too narrow.
    @Test("Intervals of clusters hold the true ratio where whole clusters differ") func clusteredIntervals() {
        var random = SplitMix64(seed: 31)
        let trials = Sample.count(150, whole: 600)
        var (hits, flatHits) = (0, 0)
        for experiment in 0..<trials {
            let clusters = (0..<8).map { _ -> [Double] in
                let offset = 0.03 * noise(&random)
                return (0..<4).map { _ in exp(offset + 0.01 * noise(&random)) }
            }
            let ratio = Ratio(clusters: clusters, seed: UInt64(experiment))
            let all = clusters.flatMap(\.self)
            let flat = Ratio(paired: all, to: all.map { _ in 1 }, seed: UInt64(experiment))
            hits += ratio.low <= 1 && 1 <= ratio.high ? 1 : 0
            flatHits += flat.low <= 1 && 1 <= flat.high ? 1 : 0
        }
        #expect(hits >= trials * 9 / 10, "\(hits) of \(trials)")
        #expect(flatHits < trials * 8 / 10, "\(flatHits) of \(trials)")
    }

    @Test("An interval that leaves out less holds the wider one") func width() {
        let clusters = (0..<8).map { cluster -> [Double] in
            let process = 1.05 + 0.01 * Double(cluster)
            return (0..<4).map { batch -> Double in process + 0.003 * Double(batch) }
        }
        let (usual, strict) = (Ratio(clusters: clusters), Ratio(clusters: clusters, errorRate: 0.002))
        #expect(strict.low < usual.low && strict.high > usual.high && strict.estimate == usual.estimate)
    }

    /// Roughly normal with deviation 1: Irwin and Hall's sum of twelve.
    private func noise(_ random: inout SplitMix64) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }

    @Test(
        "A verdict needs the whole interval",
        arguments: [(0.9, 0.99, SpeedVerdict.faster), (0.95, 1.01, .noDifference), (1.01, 1.2, .slower)])
    func verdicts(low: Double, high: Double, verdict: SpeedVerdict) {
        #expect(SpeedVerdict(Ratio(estimate: (low + high) / 2, low: low, high: high)) == verdict)
    }
}
