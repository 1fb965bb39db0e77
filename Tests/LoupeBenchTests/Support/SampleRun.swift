import LoupeScene

@testable import LoupeBench

/// A run without a device.
enum SampleRun {
    static func context(renderer: String = "llvmpipe", version: String = "OpenGL ES 3.2") -> BenchContext {
        BenchContext(
            date: "2026-01-02T03:04:05Z", processor: "A processor", processorCount: 2, vendor: "Mesa",
            renderer: renderer, version: version, eglVendor: "Mesa Project", isSoftware: true, clock: "fence",
            clockFindings: ["timer queries report 1.0 % of the wall time"], counting: "atomic counters",
            revision: "0123abc", blocks: 15, batchMilliseconds: 50, disjointResults: 0, loadAverage: [0.1, 0.9])
    }

    /// Times about `median`, with a hundredth of scatter.
    static func times(about median: Double) -> [Double] {
        (0..<15).map { (block: Int) -> Double in
            let place = Double((block * 7) % 15 - 7) / 7
            return median * (1 + 0.01 * place)
        }
    }

    static func entry(_ benchCase: BenchCase, _ median: Double, over: Int = 0) -> BenchEntry {
        let base = benchCase.bases.first
        let ratio = Ratio(paired: times(about: median), to: times(about: 2e6))
        return BenchEntry(
            name: benchCase.name, iterations: 375, times: times(about: median), processorTime: 2 * median,
            fragments: ["no-edge/linear": 1000, "rim": 24], pixelsOverTolerance: over,
            comparisons: base.map {
                [.init(base: $0.name, ratio: ratio, verdict: over > 0 ? nil : SpeedVerdict(ratio))]
            }
                ?? [],
            benchCase: benchCase, state: .noEdge)
    }

    static func run(context: BenchContext = context()) -> BenchRun {
        let setting = Setting(radius: 300, zoom: 4, filter: .linear)
        var entries = [
            entry(BenchCase(.pieces, .state(.noEdge), setting), 2e6),
            entry(BenchCase(.pieces, .state(.corner), setting), 1.5e6),
            entry(BenchCase(Variant(.general), .state(.corner), setting), 6e6),
        ]
        entries += (0..<5).map {
            entry(BenchCase(.pieces, .sweep(.corner, step: $0, of: 5), setting), 2e6 - 2e5 * Double($0))
        }
        entries.append(
            BenchEntry(
                "upload/2048x1536", Samples(iterations: 1, times: times(about: 1e6), processorTimes: [1e6])))
        return BenchRun(context: context, entries: entries)
    }
}
