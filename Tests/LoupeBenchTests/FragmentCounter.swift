import CEGL
import CGLES
import LoupePlan
import LoupeShaders

@testable import LoupeRenderer

private let glBindBufferBase: PFNGLBINDBUFFERBASEPROC = DriverLibrary.function("glBindBufferBase")
private let glMapBufferRange: PFNGLMAPBUFFERRANGEPROC = DriverLibrary.function("glMapBufferRange")
private let glUnmapBuffer: PFNGLUNMAPBUFFERPROC = DriverLibrary.function("glUnmapBuffer")

/// Counts the fragments that are shaded on a device: shaders increment an atomic counter there.
final class FragmentCounter {
    private let renderer: Renderer
    private var buffer: GLuint = 0

    /// Nil where fragment shaders have no atomic counters: before OpenGL ES 3.1, and on some drivers after it.
    init?(_ renderer: Renderer) {
        self.renderer = renderer
        let version = renderer.device.version.split(separator: " ").lazy.compactMap { Double($0) }.first ?? 3
        var count: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_FRAGMENT_ATOMIC_COUNTERS), &count)
        guard version >= 3.1, count > 0 else { return nil }
        glGenBuffers(1, &buffer)
    }

    deinit { glDeleteBuffers(1, &buffer) }

    /// How many fragments are shaded by draws of counting programs.
    func count(_ draw: () throws -> Void) throws -> Int {
        let (counter, size) = (GLenum(GL_ATOMIC_COUNTER_BUFFER), MemoryLayout<GLuint>.size)
        var zero: GLuint = 0
        glBindBufferBase(counter, 0, buffer)
        glBufferData(counter, size, &zero, GLenum(GL_DYNAMIC_READ))
        try draw()
        try renderer.finish()
        glBindBuffer(counter, buffer)
        let value = glMapBufferRange(counter, 0, size, GLbitfield(GL_MAP_READ_BIT))?.load(as: GLuint.self)
        _ = glUnmapBuffer(counter)
        try renderer.context.check("glMapBufferRange")
        return Int(value ?? 0)
    }

    /// A program of the renderer that counts.
    func program(_ program: ShaderProgram) throws -> Program {
        let vertex = "#version 310 es\n" + Self.withoutVersion(ShaderSource.mesh().text)
        return try Program(
            renderer.context, label: "counted", vertex: vertex,
            fragment: Self.counting(ShaderSource(program).text))
    }

    /// A fragment shader of GLSL ES 3.00 that counts.
    static func counting(_ text: String) -> String {
        """
        #version 310 es
        #define main shadedMain
        \(withoutVersion(text))
        #undef main
        layout(binding = 0, offset = 0) uniform highp atomic_uint fragmentsShaded;
        void main() {
            atomicCounterIncrement(fragmentsShaded);
            shadedMain();
        }

        """
    }

    private static func withoutVersion(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
    }
}
