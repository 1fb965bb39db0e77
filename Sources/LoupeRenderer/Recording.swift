import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeShaders

// What a benchmark needs of a renderer beyond pictures: repeating draws, timing them and counting fragments.

/// Shader files that replace the embedded ones of the same name.
public typealias ShaderReplacements = LoupeShaders.ShaderReplacements
/// Why files can't replace shaders.
public typealias ShaderReplacementError = LoupeShaders.ShaderReplacementError

extension Renderer {
    /// A renderer on the context of another one, with some shaders replaced. Images are not shared.
    public convenience init(
        beside other: Renderer, replacements: ShaderReplacements = .embedded
    ) throws {
        try self.init(other.context, replacements: replacements)
    }

    /// Keeps the context current on this thread from now on, so that no later call has to make it current.
    ///
    /// Call it before anything else here. From then on this renderer, and each one beside it, belongs to this thread.
    public func holdContext() throws {
        context.isHeld = true
        try withContext {}
    }

    /// Draws the plan's loupes and records the draw calls, which can then be repeated over the same canvas.
    /// - Precondition: as `drawLoupes(of:)`.
    public func record(_ plan: DrawPlan) throws -> Recording {
        let device = executor.device
        device.recorded = []
        defer { device.recorded = nil }
        try drawLoupes(of: plan)
        return Recording(device.recorded ?? [], device: device)
    }

    /// Draws only the plan's loupes, over the canvas as it is.
    /// - Precondition: a plan of the same size has been drawn before, so that the canvas has its size.
    public func drawLoupes(of plan: DrawPlan) throws {
        var frame = loupesAlone(of: plan)
        frame.passes.addLoupes(onto: frame.passes.beginCanvas())
        try frame.run()
    }

    /// Draws the plan and leaves it on the device.
    public func drawWithoutReading(_ plan: DrawPlan) throws {
        _ = try draw(plan)
    }

    /// Reads back the canvas as it is, as premultiplied bytes; nil where none has been drawn.
    public func readCanvas() throws -> Image? {
        guard let canvas = executor.target(.canvas) else { return nil }
        return try read(canvas)
    }

    /// Waits until the device has done everything.
    public func finish() throws {
        try context.finish()
    }

    /// Reads one pixel of the canvas, which waits until everything else is done.
    public func readPixel() throws {
        try executor.target(.canvas)?.readPixel()
    }

    /// Waits for a fence behind everything that has been drawn so far.
    public func waitForFence() throws {
        try Fence(context).wait()
    }

    /// A timer of the device; nil where it has no timer queries.
    public func makeTimer() -> TimerQuery? { TimerQuery(context) }
}

/// Measures time by the device's own clock, which may be wrong.
public typealias TimerQuery = LoupeGLES.TimerQuery

/// The loupes of a plan as recorded draw calls, which can be repeated over what is on the canvas.
///
/// Meshes, tables and textures are on the device already, so a repetition costs only the drawing.
public final class Recording {
    let calls: [RecordedCall]
    let device: GLDevice

    init(_ calls: [RecordedCall], device: GLDevice) { (self.calls, self.device) = (calls, device) }

    /// Draws everything once more.
    public func draw() {
        for call in calls { call.issue() }
    }

    /// Draws one layer many times onto the same target, blended, so that no device can skip a repetition.
    public func drawOneLayer(times: Int) {
        guard let call = calls.last(where: { $0.shader.clip != nil }) else { return }
        for _ in 0..<times { call.issue(call.call.program, .over) }
    }
}

/// A program of a recording that was compiled again.
public struct FreshProgram {
    let program: Program
    let call: RecordedCall

    /// Repeats the recording's first draw call of this program.
    public func draw() { call.issue(program) }
}

extension Recording {
    /// Compiles a program of the recording as if for the first time.
    ///
    /// - Parameter nonce: a number that no program was compiled with before, so that no cache of the driver answers.
    public func compileAfresh(_ name: ProgramName, nonce: Int) throws -> FreshProgram? {
        guard let call = calls.first(where: { $0.shader == name }) else { return nil }
        let source = ShaderSource(
            name, moreDefinitions: [("COMPILED_AFRESH", nonce)], replacements: device.replacements)
        return FreshProgram(program: try device.compile(source, uniforms: name.uniforms), call: call)
    }
}

/// A program of the renderer; its description is its name in reports.
public typealias ProgramName = LoupePlan.ShaderProgram

extension ProgramName {
    /// Which clip shader it is, where it draws a layer; nil too where it only fills the background.
    public var clip: ClipState? {
        guard let content, content != .fill else { return nil }
        return switch shader {
        case .noEdge: .noEdge
        case .singleEdge: .singleEdge
        case .corner, .mixedCorners: .corner
        default: nil
        }
    }
}

extension Recording {
    /// The programs that it uses, each once, in the order of first use.
    public var programs: [ProgramName] {
        var seen = Set<ProgramName>()
        return calls.map(\.shader).filter { seen.insert($0).inserted }
    }
}

/// Counts how many fragments each program shades in a recording of a renderer.
public final class FragmentCounter {
    /// How fragments are counted.
    public enum Method: String, Sendable, CaseIterable {
        /// Counts in the shaders themselves; exact.
        case atomicCounters = "atomic counters"
        /// Draws the same triangles with a program that adds one to each pixel.
        case blending
    }

    /// How it counts.
    public let method: Method
    private let executor: PassExecutor<GLDevice>
    private var device: GLDevice { executor.device }
    let counter: AtomicCounter?
    private var programs: [ShaderProgram: Program] = [:]
    private var blendingProgram: Program?

    /// - Parameters:
    ///   - renderer: the renderer whose recordings are counted.
    ///   - method: nil takes atomic counters where the device has them.
    public init(_ renderer: Renderer, method: Method? = nil) throws {
        executor = renderer.executor
        counter = method == .blending ? nil : try AtomicCounter(renderer.context)
        self.method = counter == nil ? .blending : .atomicCounters
    }

    /// The fragments of one repetition, by program. The canvas is undefined afterwards.
    public func count(_ recording: Recording) throws -> [ProgramName: Int] {
        var counts: [ProgramName: Int] = [:]
        for call in recording.calls {
            counts[call.shader, default: 0] += try counter.map { try count(call, with: $0) } ?? countByBlending(call)
        }
        return counts
    }

    private func count(_ call: RecordedCall, with counter: AtomicCounter) throws -> Int {
        let program = try countingProgram(call.shader)
        counter.reset()
        call.issue(program)
        return try counter.value()
    }

    func countingProgram(_ shader: ShaderProgram) throws(GLError) -> Program {
        if let program = programs[shader] { return program }
        let replacements = device.replacements
        let program = try device.compile(
            vertex: ShaderSource.mesh(replacements).countingAtomically,
            ShaderSource(shader, replacements: replacements).countingAtomically, uniforms: shader.uniforms)
        programs[shader] = program
        return program
    }

    private func countByBlending(_ call: RecordedCall) throws -> Int {
        let size = call.call.target
        let framebuffer = try executor.begin(.count, .bytes, width: size.width, height: size.height)
        framebuffer.bind()
        framebuffer.clear(.zero)
        let program = try programCountingByBlending()
        program.use()
        call.issueTriangles(program, onto: framebuffer, .add)
        var bytes = [UInt8](repeating: 0, count: framebuffer.width * framebuffer.height * 4)
        try bytes.withUnsafeMutableBytes { buffer in
            try framebuffer.read(PixelRect(width: framebuffer.width, height: framebuffer.height), into: buffer)
        }
        return stride(from: 0, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) }
    }

    private func programCountingByBlending() throws(GLError) -> Program {
        if let blendingProgram { return blendingProgram }
        let program = try device.compile(.countingByBlending, uniforms: [.viewport])
        blendingProgram = program
        return program
    }
}
