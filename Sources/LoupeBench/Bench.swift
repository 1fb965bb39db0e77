import LoupePlan
import LoupeRenderer
import LoupeScene

/// Runs a benchmark from the first context to the last case.
public struct Bench {
    public var plan: BenchPlan
    public var choice: DeviceChoice
    /// Somebody's own shaders, timed beside the embedded ones.
    public var replacements: ShaderReplacements?
    /// Told what is being done and which part of it is done, 0…1.
    public var progress: (_ what: String, _ part: Double) -> Void = { _, _ in }

    public init(_ plan: BenchPlan, on choice: DeviceChoice, replacements: ShaderReplacements? = nil) {
        self.plan = plan
        self.choice = choice
        self.replacements = replacements
        if replacements != nil {
            self.plan.variants = plan.variants.flatMap { [$0, Variant($0.policy, isOwn: true)] }
        }
    }

    /// Whether this code was built without optimisation: its times say nothing.
    public static var isDebugBuild: Bool {
        var isDebug = false
        assert({ isDebug = true }() == ())
        return isDebug
    }

    /// Batches this long drown out the cost of starting and waiting: nanoseconds.
    static func leastBatch(isSoftware: Bool) -> Double { isSoftware ? 50e6 : 5e6 }

    public func run() throws(BenchError) -> BenchRun {
        let groups = try plan.groups()
        var entries: [BenchEntry] = []
        let loadBefore = Machine.loadAverage
        ShaderCache.disable()
        progress("start", 0)
        if plan.wants("start") { entries.append(try StepRunner.start(choice, samples: Sampler.leastBlocks)) }
        let renderer = try rendering { () throws(RenderError) in try Renderer(device: choice) }
        try rendering { () throws(RenderError) in try renderer.holdContext() }
        let device = try BenchDevice(renderer, replacements: replacements, page: plan.page)
        progress("checking the clocks", 0)
        let check = try check(device)
        let effort = Sampler.Effort(
            blocks: plan.blocks, batch: Self.leastBatch(isSoftware: renderer.device.isSoftware))
        var sampler = Sampler(
            clock: DeviceClock(check.kind, on: RendererDevice(renderer)), effort: effort, seed: 2026)
        progress("programs, transfers, frames", 0)
        entries += try StepRunner(device: device, plan: plan, samples: Sampler.leastBlocks).run(with: &sampler)
        for (index, group) in groups.enumerated() {
            let title = "\(group.title) (\(index + 1) of \(groups.count))"
            entries += try GroupRunner(device: device, group: group).run(with: &sampler) { part in
                progress(title, part)
            }
        }
        guard !entries.isEmpty else { throw .nothingToRun(plan.only ?? "") }
        let context = BenchContext(
            renderer.device, clock: check, counting: device.countingMethod, effort: effort,
            disjointResults: sampler.clock.disjointCount, loadAverage: [loadBefore, Machine.loadAverage])
        return BenchRun(context: context, entries: entries)
    }

    /// On a loupe's frames, which change their target, and on one layer drawn onto one target.
    private func check(_ device: BenchDevice) throws(BenchError) -> ClockCheck {
        let stage = try plan.stage(plan.checkSetting)
        let traits = try device.loadPage(stage.pageSize)
        let drawPlan = DrawPlan(
            stage.scene(.state(.noEdge)), images: [BenchPage.path: traits], policy: .general)
        _ = try device.picture(of: drawPlan, variant: .pieces)
        let recording = try device.record(drawPlan, variant: .pieces)
        let works: [ClockCheck.Draw] = [
            { times in
                for _ in 0..<times { recording.draw() }
            },
            { times in recording.drawOneLayer(times: times) },
        ]
        let timed = RendererDevice(device.renderer)
        return try rendering { () throws(RenderError) in
            try WarmUp.run(timed, works[0])
            return try ClockCheck(timed, works: works)
        }
    }
}
