import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// Times everything about a frame but the drawing of a loupe: start, shaders, transfers, encoding, whole frames. Errors
/// are the renderer's, or `BenchError.alwaysDisjoint`.
struct StepRunner {
    let device: BenchDevice
    let plan: BenchPlan
    let samples: Int

    /// Times all steps that the plan asks for.
    /// - Parameter progress: called with the part of the steps that is done, 0…1.
    func run(with sampler: inout Sampler, progress: (Double) -> Void) throws -> [BenchEntry] {
        progress(0)
        let programs = try programs { progress($0 * 0.8) }
        let transfers = try transfers()
        progress(0.9)
        return try programs + transfers + frames(with: &sampler)
    }

    // MARK: - Start

    /// Opening a display, making a context, drawing the first pixel. Must run before any other context exists, which would
    /// keep the display open.
    static func start(_ choice: DeviceChoice, samples: Int) throws -> BenchEntry {
        let samples = try timed(samples) { _ = try Renderer(device: choice) }
        return BenchEntry("start", samples)
    }

    /// The wall times of successive calls.
    private static func timed(
        _ count: Int, _ body: () throws -> Void
    ) throws -> Samples {
        var samples = Samples()
        for _ in 0..<count {
            let processor = processorTime()
            let start = ContinuousClock.now
            try body()
            let time = (ContinuousClock.now - start) / .nanoseconds(1)
            samples.append(Batch(repetitions: 1, time: time, processor: processorTime() - processor))
        }
        return samples
    }

    // MARK: - Programs

    /// Compiling each program that `pieces` uses with either filter, and its first draw.
    private func programs(progress: (Double) -> Void) throws -> [BenchEntry] {
        var entries: [BenchEntry] = []
        var seen = Set<ProgramName>()
        var nonce = 0
        let filters = [Filter.linear, .lanczos]
        for (number, filter) in filters.enumerated() {
            let recording = try record(filter)
            for (index, program) in recording.programs.enumerated() where seen.insert(program).inserted {
                progress((Double(number) + Double(index) / Double(recording.programs.count)) / Double(filters.count))
                guard plan.wants("compile/\(program)") || plan.wants("first-draw/\(program)") else { continue }
                var compile = Samples()
                var firstDraw = Samples()
                for _ in 0..<samples {
                    nonce += 1
                    var fresh: FreshProgram?
                    let number = nonce
                    compile.append(
                        try Self.timed(1) {
                            fresh = try recording.compileAfresh(program, nonce: number)
                        })
                    firstDraw.append(
                        try Self.timed(1) {
                            fresh?.draw()
                            try device.renderer.finish()
                        })
                }
                entries += [
                    BenchEntry("compile/\(program)", compile), BenchEntry("first-draw/\(program)", firstDraw),
                ].filter { plan.wants($0.name) }
            }
        }
        return entries
    }

    private func record(_ filter: Filter) throws -> Recording {
        var scene = try scene(.state(.corner), filter: filter)
        scene.loupes[0].shadow = Loupe.Shadow(
            offset: .init(dx: 0, dy: 2), blur: 8, color: Color(red: 0, green: 0, blue: 0, alpha: 128))
        let drawPlan = DrawPlan(scene, images: try images())
        _ = try device.renderer.render(drawPlan)
        return try device.renderer.record(drawPlan)
    }

    private func stage(filter: Filter) throws -> Stage {
        let setting = Setting(
            radius: plan.sweepSetting.radius, zoom: plan.sweepSetting.zoom, filter: filter)
        return try plan.stage(setting)
    }

    private func scene(_ place: Place, filter: Filter) throws -> Scene {
        try stage(filter: filter).scene(place)
    }

    private func images() throws -> [ImagePath: ImageTraits] {
        [BenchPage.path: try device.loadPage(try stage(filter: .linear).pageSize)]
    }

    // MARK: - Transfers

    private func transfers() throws -> [BenchEntry] {
        let stage = try stage(filter: .linear)
        let drawPlan = DrawPlan(stage.scene(.state(.noEdge)), images: try images())
        let image = try device.renderer.render(drawPlan)
        let renderer = device.renderer
        let page = device.pageImage(stage.pageSize)
        let pageName = "\(page.width)x\(page.height)"
        let canvasName = "\(image.width)x\(image.height)"
        let steps: [(name: String, body: () throws -> Void)] = [
            (
                "upload/\(pageName)",
                {
                    try renderer.load([BenchPage.path: page])
                    try renderer.finish()
                }
            ),
            ("read-back/\(canvasName)", { _ = try renderer.readCanvas() }),
            ("encode/\(canvasName)", { _ = try? PNG.encode(image) }),
        ]
        var entries: [BenchEntry] = []
        for step in steps where plan.wants(step.name) {
            _ = try Self.timed(1, step.body)
            entries.append(BenchEntry(step.name, try Self.timed(samples, step.body)))
        }
        return entries
    }

    // MARK: - Frames

    /// A whole frame of a moving loupe, planning included: with the page drawn, and over a page that is already drawn; the
    /// latter with each filter.
    private func frames(with sampler: inout Sampler) throws -> [BenchEntry] {
        var frames: [(name: String, draw: Sampler.Repeated)] = []
        for state in [ClipState.noEdge, .corner] {
            let frame = Frame(
                renderer: device.renderer, scene: try scene(.state(state), filter: .linear), images: try images())
            frames.append(("frame/base-drawn/\(state.rawValue)", frame.drawWhole))
            frames.append(("frame/base-cached/\(state.rawValue)", frame.drawLoupes))
        }
        for filter in Filter.allCases {
            let frame = Frame(
                renderer: device.renderer, scene: try scene(.state(.noEdge), filter: filter), images: try images())
            frames.append(("frame/filter/\(filter.rawValue)", frame.drawLoupes))
        }
        frames = frames.filter { plan.wants($0.name) }
        guard !frames.isEmpty else { return [] }
        let samples = try sampler.measure(frames.map(\.draw))
        return zip(frames, samples).map { BenchEntry($0.name, $1) }
    }
}

/// One frame, planned each time it is drawn.
private struct Frame {
    let renderer: Renderer
    let scene: Scene
    let images: [ImagePath: ImageTraits]

    /// Draws the page and the loupe.
    func drawWhole(times: Int) throws {
        for _ in 0..<times { try renderer.drawWithoutReading(DrawPlan(scene, images: images)) }
    }

    /// Draws the loupe over the page of the previous frame.
    func drawLoupes(times: Int) throws {
        for _ in 0..<times { try renderer.drawLoupes(of: DrawPlan(scene, images: images)) }
    }
}

extension Samples {
    fileprivate mutating func append(_ other: Samples) {
        iterations += other.iterations
        times += other.times
        processorTimes += other.processorTimes
    }
}
