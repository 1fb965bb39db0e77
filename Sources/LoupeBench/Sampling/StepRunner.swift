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

/// Steps that are timed side by side.
enum StepGroup: String, CaseIterable {
    case programs, transfers, encoding, frames
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
        let parts: [(group: StepGroup, from: Double, to: Double)] = [
            (.programs, 0, 0.8), (.transfers, 0.8, 0.85), (.encoding, 0.85, 0.9), (.frames, 0.9, 1),
        ]
        return try parts.flatMap { group, from, to in
            let works = try works(group)
            guard !works.isEmpty else { return [BenchEntry]() }
            return try Self.entries(works, group == .frames ? nil : samples, &sampler) {
                progress(from + $0 * (to - from))
            }
        }
    }

    /// The steps of a group that the plan asks for.
    func works(_ group: StepGroup) throws -> [NamedWork] {
        switch group {
        case .programs: try programs()
        case .transfers: try transfers()
        case .encoding: try encoding()
        case .frames: try frames()
        }
    }

    /// The entries of some works that are timed side by side.
    private static func entries(
        _ works: [NamedWork], _ blocks: Int?, _ sampler: inout Sampler, progress: (Double) -> Void
    ) throws -> [BenchEntry] {
        let samples = try sampler.measure(works.map(\.work), blocks: blocks, progress: progress)
        return zip(works, samples).flatMap { work, samples in work.names.map { BenchEntry($0, samples) } }
    }

    // MARK: - Start

    /// The name of the step, of its group and in progress lines.
    static let startName = "start"

    /// Opening a display, making a context, drawing the first pixel. Must run before any other context exists, which would
    /// keep the display open.
    static func start(_ choice: DeviceChoice) -> NamedWork {
        NamedWork(names: [startName], work: .single { try batch { try timed { _ = try Renderer(device: choice) } } })
    }

    /// The entries of ``start(_:)``.
    static func start(_ choice: DeviceChoice, samples: Int, with sampler: inout Sampler) throws -> [BenchEntry] {
        try entries([start(choice)], samples, &sampler) { _ in }
    }

    /// A call that times itself, repeated until there are 20 ms: single calls of a millisecond scatter too much.
    static func batch(_ once: () throws -> Batch) rethrows -> Batch {
        var batch = try once()
        while batch.time < 20e6 { batch = batch + (try once()) }
        return batch
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
    private func programs() throws -> [NamedWork] {
        var works: [NamedWork] = []
        var seen = Set<ProgramName>()
        var nonces = Nonces()
        func fresh(_ recording: Recording, _ program: ProgramName) throws -> FreshProgram? {
            try recording.compileAfresh(program, nonce: nonces.next())
        }
        for filter in [Filter.linear, .lanczos] {
            let recording = try record(filter)
            for program in recording.programs where seen.insert(program).inserted {
                works.append(
                    NamedWork(
                        names: ["compile/\(program)"],
                        work: .single { try Self.batch { try Self.timed { _ = try fresh(recording, program) } } }))
                works.append(
                    NamedWork(
                        names: ["first-draw/\(program)"],
                        work: .single {
                            try Self.batch {
                                let program = try fresh(recording, program)
                                return try Self.timed {
                                    program?.draw()
                                    try device.renderer.finish()
                                }
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

    private func transfers() throws -> [NamedWork] {
        let stage = try stage(filter: .linear)
        let image = try picture(stage)
        let renderer = device.renderer
        let page = device.pageImage(stage.pageSize)
        return try [
            step("upload/\(page.size.caseName)") {
                try renderer.load([BenchPage.path: page])
                try renderer.finish()
            },
            step("read-back/\(image.size.caseName)") { _ = try renderer.readCanvas() },
        ].compactMap(\.self)
    }

    private func encoding() throws -> [NamedWork] {
        let image = try picture(try stage(filter: .linear))
        return try [step("encode/\(image.size.caseName)") { _ = try? PNG.encode(image) }].compactMap(\.self)
    }

    /// The picture of the sweeps' loupe in the middle of the page.
    private func picture(_ stage: Stage) throws -> Image {
        try device.renderer.render(DrawPlan(stage.scene(.state(.noEdge)), images: try images()))
    }

    /// A step that was done once; nil where the plan does not ask for it.
    private func step(_ name: String, _ body: @escaping () throws -> Void) throws -> NamedWork? {
        guard plan.wants(name) else { return nil }
        try body()
        return NamedWork(names: [name], work: .single { try Self.batch { try Self.timed(body) } })
    }

    // MARK: - Frames

    /// A whole frame of a moving loupe, planning included: with the page drawn, and over a page that is already drawn; the
    /// latter with each filter.
    private func frames() throws -> [NamedWork] {
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
