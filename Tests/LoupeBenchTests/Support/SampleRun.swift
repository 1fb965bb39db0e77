import LoupePlan
import LoupeScene

@testable import LoupeBench

/// A run without a device.
enum SampleRun {
    static func context(renderer: String = "llvmpipe", version: String = "OpenGL ES 3.2") -> BenchContext {
        BenchContext(
            date: "2026-01-02T03:04:05Z", processor: "A processor", processorCount: 2, vendor: "Mesa",
            renderer: renderer, version: version, eglVendor: "Mesa Project", isSoftware: true, blocks: 15,
            batchMilliseconds: 50)
    }

    /// Times about `median`, with a hundredth of scatter.
    private static func samples(about median: Double) -> Samples {
        let times = (0..<15).map { (block: Int) -> Double in
            let place = Double((block * 7) % 15 - 7) / 7
            return median * (1 + 0.01 * place)
        }
        return Samples(iterations: 375, times: times, processorTimes: [2 * median])
    }

    /// The entries of cases of one loupe, each timed alone.
    static func entries(_ setting: Setting, _ cases: [(ShaderPolicy, ClipState, time: Double)], over: Int = 0)
        -> [BenchEntry]
    {
        let things = cases.map { variant, state, _ in
            let benchCase = BenchCase(variant, state, setting)
            return TimedThing(
                cases: [
                    .init(
                        name: benchCase.name, base: benchCase.base?.name,
                        fragments: ["no-edge/linear": 1000, "rim": 24],
                        pixelsOverTolerance: variant == .pieces ? 0 : over)
                ]
            ) { _ in }
        }
        return BenchEntry.entries(of: things, cases.map { samples(about: $0.time) }, in: setting.name)
    }

    static func run(over: Int = 0) -> BenchRun {
        let upload = TimedThing(cases: [.init(name: "upload/2048x1536")]) { _ in }
        let frames = BenchEntry.entries(of: [upload], [samples(about: 1e6)], in: BenchGroup.frames.title)
        let setting = Setting(radius: 300, zoom: 4, filter: .linear)
        let states = entries(
            setting,
            [(.pieces, .noEdge, 2e6), (.pieces, .corner, 1.5e6), (.general, .corner, 6e6)], over: over)
        return BenchRun(context: context(), entries: frames + states)
    }
}
