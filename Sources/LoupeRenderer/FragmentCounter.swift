import LoupeGLES
import LoupeGeometry
import LoupeScene
import LoupeShaders

/// Counts how many fragments each program shades in a recording of a renderer.
public final class FragmentCounter {
    public enum Method: String, Sendable, CaseIterable {
        /// Exact, and counts what really runs.
        case atomicCounters = "atomic counters"
        /// Additive blending by a program that stands for the others.
        case blending
    }

    public let method: Method
    private let painter: Painter
    private let counter: AtomicCounter?
    private var programs: [ProgramCache.Key: Program] = [:]
    private var blendingProgram: Program?

    /// - Parameter method: nil takes atomic counters where the device has them.
    public init(_ renderer: Renderer, method: Method? = nil) throws(RenderError) {
        painter = renderer.painter
        counter = try wrapped { () throws(GLError) in
            method == .blending ? nil : try AtomicCounter(renderer.context)
        }
        self.method = counter == nil ? .blending : .atomicCounters
    }

    /// The fragments of one repetition. What is on the canvas afterwards is of no use.
    public func count(_ recording: Recording) throws(RenderError) -> [ProgramName: Int] {
        var counts: [ProgramName: Int] = [:]
        for call in recording.calls {
            let count = try wrapped { () throws(GLError) -> Int in
                guard let counter else { return try countByBlending(call) }
                return try self.count(call, with: counter)
            }
            counts[ProgramName(key: call.key), default: 0] += count
        }
        return counts
    }

    private func count(_ call: DrawCall, with counter: AtomicCounter) throws(GLError) -> Int {
        let program = try countingProgram(call.key)
        counter.reset()
        call.issue(program)
        return try counter.value()
    }

    private func countingProgram(_ key: ProgramCache.Key) throws(GLError) -> Program {
        if let program = programs[key] { return program }
        let replacements = painter.programs.replacements
        let program = try painter.programs.compile(
            vertex: ShaderSource(.mesh, replacements: replacements).countingAtomically,
            fragment: key.source(replacements).countingAtomically, uniforms: key.uniforms)
        programs[key] = program
        return program
    }

    private func countByBlending(_ call: DrawCall) throws(GLError) -> Int {
        let size = call.target.framebuffer
        let framebuffer = try painter.framebuffer(.count, .rgba8, width: size.width, height: size.height)
        framebuffer.bind()
        framebuffer.clear(.zero)
        let program = try programCountingByBlending()
        program.use()
        call.issueTriangles(program, onto: framebuffer, .add)
        var bytes = [UInt8](repeating: 0, count: framebuffer.width * framebuffer.height * 4)
        var failure: GLError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(GLError) {
                try framebuffer.read(PixelRect(width: framebuffer.width, height: framebuffer.height), into: buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return stride(from: 0, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) }
    }

    private func programCountingByBlending() throws(GLError) -> Program {
        if let blendingProgram { return blendingProgram }
        let program = try painter.programs.compile(
            vertex: ShaderSource(.mesh, replacements: painter.programs.replacements), fragment: .countingByBlending,
            uniforms: [])
        blendingProgram = program
        return program
    }
}
