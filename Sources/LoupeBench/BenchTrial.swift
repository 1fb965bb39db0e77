import LoupeRenderer
import LoupeScene
public enum BenchTrial {
    public static func run(_ choice: DeviceChoice) throws {
        let renderer = try Renderer(device: choice)
        let device = try BenchDevice(renderer, replacements: .none, page: nil)
        let stage = Stage(Setting(radius: 300, zoom: 4, filter: .linear))!
        let traits = try device.loadPage(stage.pageSize)
        let plan = DrawPlan(stage.scene(.state(.noEdge)), images: [BenchPage.path: traits])
        _ = try device.picture(of: plan, variant: .pieces)
        let recording = try device.record(plan, variant: .pieces)
        let rd = RendererDevice(renderer)
        let check = try ClockCheck(rd) { times throws(RenderError) in for _ in 0..<times { recording.draw() } }
        print(check.kind, check.findings)
        for n in [1, 2, 4, 8, 16, 32, 64, 128, 256] {
            var ts: [Double] = []
            for _ in 0..<15 {
                try rd.finish()
                let t = rd.now
                for _ in 0..<n { recording.draw() }
                try rd.finish()
                ts.append((rd.now - t) / Double(n))
            }
            print(n, ts.median / 1e6)
        }
        for group in [Group(.grid, on: stage, variants: [.init(.pieces), .init(.wholeDisc), .init(.general)], steps: 0),
            Group(.sweep(.edge), on: stage, variants: [.init(.pieces), .init(.general)], steps: 41),
            Group(.sweep(.corner), on: stage, variants: [.init(.pieces), .init(.general)], steps: 41)] {
            var sampler = Sampler(clock: DeviceClock(check.kind, on: rd), effort: .init(batch: 50e6), seed: 7)
            let t = rd.now
            let results = try GroupRunner(device: device, group: group).run(with: &sampler, progress: { _ in })
            print((rd.now - t) / 1e9)
            let base = results[0]
            for r in results {
                let q = Ratio(paired: r.times, to: base.times)
                print(r.benchCase.name, r.summary.median / 1e6, r.summary.medianAbsoluteDeviation / 1e6, q.estimate.rounded(toPlaces: 3), q.low.rounded(toPlaces: 3), q.high.rounded(toPlaces: 3), r.pixelsOverTolerance, r.fragments.map { "\($0.key) \($0.value)" }.sorted(), r.planned.map { "\($0.key.rawValue) \($0.value)" }.sorted())
            }
        }
    }
}
