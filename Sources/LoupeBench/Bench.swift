import LoupeGeometry
import LoupePlan
import LoupeRenderer
import LoupeScene

/// Runs a benchmark: opens the device, checks its clocks, and times every case of a plan.
public struct Bench {
    /// What is measured.
    public var plan: BenchPlan
    /// The device to draw on.
    public var choice: DeviceChoice
    /// The user's shaders, timed beside the embedded ones; nil if there are none.
    public var replacements: ShaderReplacements?
    /// Called with the name of the current step and the part of the whole run that is done, 0…1.
    public var progress: (_ what: String, _ part: Double) -> Void = { _, _ in }

    /// The length of a batch in nanoseconds; nil takes the usual one.
    var batch: Double?

    /// A benchmark of a plan. With replacements, every variant of the plan is also drawn with the user's shaders.
    public init(_ plan: BenchPlan, on choice: DeviceChoice, replacements: ShaderReplacements? = nil) {
        self.plan = plan
        self.choice = choice
        self.replacements = replacements
        if replacements != nil {
            self.plan.variants = plan.variants.flatMap { [$0, Variant($0.policy, isOwn: true)] }
        }
    }

    /// Whether this code was built without optimisation. The times of such a build are meaningless.
    public static var isDebugBuild: Bool {
        var isDebug = false
        assert({ isDebug = true }() == ())
        return isDebug
    }

    /// The length of a batch in nanoseconds. Beside it, the cost of starting and waiting is negligible.
    static func leastBatch(isSoftware: Bool) -> Double { isSoftware ? 50e6 : 5e6 }

    /// Times everything that the plan asks for.
    /// - Throws: `BenchError`, `ShaderFailure` for a shader of the user's, or a renderer's error.
    public func run() throws -> BenchRun {
        let groups = try plan.groups()
        var done = RunProgress(groups: groups, isWhole: plan.only == nil)
        var entries: [BenchEntry] = []
        let loadBefore = HostDescription.loadAverage
        progress(StepRunner.startName, 0)
        let starts = plan.fragments == nil && plan.wants(StepRunner.startName)
        // It must come before any other context exists.
        if starts {
            var sampler = Sampler(clock: nil, effort: .init(batch: 0), seed: 2025)
            entries += try StepRunner.start(choice, samples: BenchPlan.leastBlocks, with: &sampler)
        }
        let renderer = try Renderer(device: choice)
        try renderer.holdContext()
        let device = try BenchDevice(renderer, replacements: replacements, page: plan.page)
        // What is wrong with a shader is said before anything takes time.
        let fragments = try plan.fragments.map { try FragmentRunner(device: device, plan: $0) }
        let differing = try device.differingPictures()
        progress("checking the clocks", 0)
        let check = try check(device)
        let effort = Sampler.Effort(
            blocks: plan.blocks, batch: batch ?? Self.leastBatch(isSoftware: renderer.device.isSoftware))
        var sampler = Sampler(clock: DeviceClock(check.kind, on: RendererDevice(renderer)), effort: effort, seed: 2026)
        if let fragments {
            entries += try fragments.run(with: &sampler, plan.wants) {
                progress(FragmentPlan.title, $0)
            }
        } else {
            entries += try StepRunner(device: device, plan: plan, samples: BenchPlan.leastBlocks)
                .run(with: &sampler) { progress("programs, transfers, frames", done.part(ofSteps: $0)) }
        }
        for group in groups {
            entries += try GroupRunner(device: device, group: group).run(with: &sampler) { part in
                progress(group.title, done.part(of: group, part))
            }
            done.finish(group)
        }
        guard !entries.isEmpty else { throw BenchError.nothingToRun(plan.only ?? "") }
        let context = BenchContext(
            renderer.device, clock: check, counting: device.countingMethod, effort: effort,
            disjointResults: sampler.disjointCount, loadAverage: [loadBefore, HostDescription.loadAverage])
        return BenchRun(context: context, entries: entries, differingPictures: differing, notes: notes(entries))
    }

    /// Where the user's shaders draw other pictures than Loupe's, as `BenchRun.differingPictures`.
    /// - Throws: `ShaderFailure` for a shader that does not compile, or a renderer's error.
    public func differingPictures() throws -> [String] {
        guard replacements != nil else { return [] }
        let renderer = try Renderer(device: choice)
        try renderer.holdContext()
        return try BenchDevice(renderer, replacements: replacements, page: plan.page).differingPictures()
    }

    /// What the reader should know about the selection.
    private func notes(_ entries: [BenchEntry]) -> [String] {
        guard replacements != nil, let only = plan.only,
            !entries.contains(where: { $0.benchCase?.variant.isOwn ?? false })
        else { return [] }
        return [
            "--only \(only) leaves no case with your shaders; their names begin with own-, such as own-pieces/corner"
        ]
    }

    /// Checks the clocks with two kinds of work: a loupe's frames, which change their target, and one layer drawn onto
    /// one target.
    func check(_ device: BenchDevice) throws -> ClockCheck {
        let stage = try plan.stage(plan.sweepSetting)
        let traits = try device.loadPage(stage.pageSize)
        let drawPlan = DrawPlan(
            stage.scene(.state(.noEdge)), images: [BenchPage.path: traits], policy: .general)
        _ = try device.renderer.render(drawPlan)
        let recording = try device.renderer.record(drawPlan)
        let works: [ClockCheck.Draw] = [
            { times in
                for _ in 0..<times { recording.draw() }
            },
            { times in recording.drawOneLayer(times: times) },
        ]
        let timed = RendererDevice(device.renderer)
        try WarmUp.run(timed, works[0])
        return try ClockCheck(timed, works: works)
    }
}

/// Which part of a run is done. A case takes about as long as a step, which is one program's start or one transfer.
private struct RunProgress {
    private let steps: Double
    private let total: Double
    private var finished: Double

    init(groups: [CaseGroup], isWhole: Bool) {
        steps = isWhole ? 25 : 5
        total = steps + Double(groups.reduce(0) { $0 + $1.cases.count })
        finished = steps
    }

    func part(ofSteps part: Double) -> Double { steps * part / total }

    func part(of group: CaseGroup, _ part: Double) -> Double {
        (finished + Double(group.cases.count) * part) / total
    }

    mutating func finish(_ group: CaseGroup) { finished += Double(group.cases.count) }
}

/// Why a benchmark could not be run or compared.
public enum BenchError: Error, CustomStringConvertible {
    /// Every attempt to time a batch gave a disjoint result.
    case alwaysDisjoint(ClockKind, attempts: Int)
    /// The program was built without optimisation.
    case debugBuild
    /// No case has a name that matches the pattern.
    case nothingToRun(String)
    /// No shader of the user's has a uniform of this name.
    case unknownUniform(String, known: [String])
    /// Another build can't be timed beside this one, with the reason.
    case otherBuild(command: String, reason: String)
    /// The canvas, or the page if the canvas is nil, is too small for the loupe.
    case noRoom(Setting, canvas: ImageSize?)
    /// No case is in both builds.
    case nothingInCommon

    /// What is wrong and what to do, in one sentence.
    public var description: String {
        switch self {
        case .alwaysDisjoint(let clock, let attempts):
            "the device's \(clock.rawValue) was disjoint \(attempts) times in a row; leave the device alone while it is timed"
        case .debugBuild:
            "the times of a debug build are meaningless; build with `swift build -c release`"
        case .nothingToRun(let pattern):
            pattern.isEmpty ? "there is no case to time" : "--only \(pattern): no case has such a name"
        case .nothingInCommon: "no case is in both builds, so nothing can be compared"
        case .unknownUniform(let name, let known):
            "--uniform \(name): no shader has it after compiling; there "
                + (known.isEmpty ? "is none" : "are \(known.joined(separator: ", "))")
        case .otherBuild(let command, let reason): "\(command): \(reason)"
        case .noRoom(let setting, let canvas):
            "\(setting.name): \(canvas.map { "a canvas of \($0)" } ?? "the page") is too small for "
                + "this loupe in the middle of the page and beside the page"
        }
    }
}
