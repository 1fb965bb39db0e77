import Glibc
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// Something that is timed, and the names of all cases that it is.
struct NamedWork {
    let names: [String]
    let work: Sampler.Work
}

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
        let programs = try Self.entries(
            try programs(), "programs", Calibration.processorWork, samples, &sampler
        ) { progress($0 * 0.8) }
        let transfers = try Self.entries(
            try transfers(), "transfers", Calibration.processorWork, samples, &sampler
        ) { progress(0.8 + $0 * 0.1) }
        return try programs + transfers
            + Self.entries(try frames(), "frames", device.calibration(), nil, &sampler) { progress(0.9 + $0 * 0.1) }
    }

    /// The entries of some works that are timed side by side, and of their calibration; none without works.
    private static func entries(
        _ works: [NamedWork], _ name: String, _ calibration: @autoclosure () throws -> Sampler.Work, _ blocks: Int?,
        _ sampler: inout Sampler, progress: (Double) -> Void
    ) throws -> [BenchEntry] {
        guard !works.isEmpty else { return [] }
        let (samples, unit) = try sampler.measure(
            works.map(\.work), calibration: try calibration(), blocks: blocks, progress: progress)
        return zip(works, samples).flatMap { work, samples in work.names.map { BenchEntry($0, samples) } }
            + (unit.map { [BenchEntry("calibration/\(name)", $0)] } ?? [])
    }

    // MARK: - Start

    /// Opening a display, making a context, drawing the first pixel. Must run before any other context exists, which would
    /// keep the display open.
    static func start(_ choice: DeviceChoice) -> NamedWork {
        NamedWork(names: ["start"], work: .single { try timed { _ = try Renderer(device: choice) } })
    }

    /// The entries of ``start(_:)``.
    static func start(_ choice: DeviceChoice, samples: Int, with sampler: inout Sampler) throws -> [BenchEntry] {
        try entries([start(choice)], "start", Calibration.processorWork, samples, &sampler) { _ in }
    }

    /// The time of a call.
    static func timed(_ body: () throws -> Void) rethrows -> Batch {
        let processor = processorTime()
        let start = ContinuousClock.now
        try body()
        let time = (ContinuousClock.now - start) / .nanoseconds(1)
        return Batch(repetitions: 1, time: time, processor: processorTime() - processor)
    }

    // MARK: - Programs

    /// Compiling each program that `pieces` uses with either filter, and its first draw.
    func programs() throws -> [NamedWork] {
        var works: [NamedWork] = []
        var seen = Set<ProgramName>()
        // Drivers keep compiled shaders on disk, so that no run may use the number of another.
        var nonce = Int(time(nil) % 1_000_000) * 1000 + Int(getpid() % 1000)
        func fresh(_ recording: Recording, _ program: ProgramName) throws -> FreshProgram? {
            nonce += 1_000_003
            return try recording.compileAfresh(program, nonce: nonce % 2_000_000_011)
        }
        for filter in [Filter.linear, .lanczos] {
            let recording = try record(filter)
            for program in recording.programs where seen.insert(program).inserted {
                works.append(
                    NamedWork(
                        names: ["compile/\(program)"],
                        work: .single { try Self.timed { _ = try fresh(recording, program) } }))
                works.append(
                    NamedWork(
                        names: ["first-draw/\(program)"],
                        work: .single {
                            let program = try fresh(recording, program)
                            return try Self.timed {
                                program?.draw()
                                try device.renderer.finish()
                            }
                        }))
            }
        }
        return works.filter { $0.names.contains(where: plan.wants) }
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

    func transfers() throws -> [NamedWork] {
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
        return try steps.filter { plan.wants($0.name) }.map { step in
            try step.body()
            return NamedWork(names: [step.name], work: .single { try Self.timed(step.body) })
        }
    }

    // MARK: - Frames

    /// A whole frame of a moving loupe, planning included: with the page drawn, and over a page that is already drawn; the
    /// latter with each filter.
    func frames() throws -> [NamedWork] {
        var frames: [NamedWork] = []
        func add(_ name: String, _ draw: @escaping Sampler.Repeated) {
            if plan.wants(name) { frames.append(NamedWork(names: [name], work: .repeated(draw))) }
        }
        for state in [ClipState.noEdge, .corner] {
            let frame = Frame(
                renderer: device.renderer, scene: try scene(.state(state), filter: .linear), images: try images())
            try frame.drawWhole(times: 1)
            add("frame/base-drawn/\(state.rawValue)", frame.drawWhole)
            add("frame/base-cached/\(state.rawValue)", frame.drawLoupes)
        }
        for filter in Filter.allCases {
            let frame = Frame(
                renderer: device.renderer, scene: try scene(.state(.noEdge), filter: filter), images: try images())
            add("frame/filter/\(filter.rawValue)", frame.drawLoupes)
        }
        return frames
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
