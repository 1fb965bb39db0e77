import LoupeGLES
import LoupeShaders

/// Triangles, the program that draws them and everything that it reads.
struct DrawCall {
    let key: ProgramCache.Key
    let program: Program
    let vertices: VertexBuffer
    let target: Target
    let blend: Blend
    /// Sets every uniform but the viewport.
    let bind: (Program) -> Void

    func issue() { issue(program) }

    /// The same by another program that reads the same, or blended otherwise.
    func issue(_ program: Program, blend: Blend? = nil) {
        program.use()
        bind(program)
        issueTriangles(program, onto: target.framebuffer, blend ?? self.blend)
    }

    /// Only the triangles, by the program in use, with whatever it reads set.
    func issueTriangles(_ program: Program, onto framebuffer: Framebuffer, _ blend: Blend) {
        let viewport = target.framebuffer.viewport
        program.set(
            Uniform.viewport.rawValue,
            SIMD3(Float(viewport.centerX), Float(viewport.centerY), Float(viewport.reach)))
        framebuffer.bind()
        blend.apply()
        vertices.drawTriangles()
    }
}

/// Keeps draw calls in their order.
final class DrawRecorder {
    var calls: [DrawCall] = []
}
