import CEGL
import CGLES

/// A counter on the device that fragment shaders increment: `layout(binding = 0, offset = 0) uniform atomic_uint`.
package final class AtomicCounter {
    private let name: GLuint
    private let context: Context
    // Looked up by name, since a libGLESv2 of version 3.0 must still load.
    private let memoryBarrier: PFNGLMEMORYBARRIERPROC

    /// Nil where fragment shaders have no atomic counters: before OpenGL ES 3.1, and on some drivers after it.
    package init?(_ context: Context) throws(GLError) {
        guard Self.isAvailable(context), let function = eglGetProcAddress("glMemoryBarrier") else { return nil }
        self.context = context
        memoryBarrier = unsafeBitCast(function, to: PFNGLMEMORYBARRIERPROC.self)
        name = context.make(glGenBuffers)
        glBindBuffer(GLenum(GL_ATOMIC_COUNTER_BUFFER), name)
        var zero: GLuint = 0
        glBufferData(GLenum(GL_ATOMIC_COUNTER_BUFFER), MemoryLayout<GLuint>.size, &zero, GLenum(GL_DYNAMIC_READ))
        try context.check("glBufferData")
    }

    deinit {
        context.delete(name, glDeleteBuffers)
    }

    private static func isAvailable(_ context: Context) -> Bool {
        let version = context.info.version.split(separator: " ").lazy.compactMap { Double($0) }.first ?? 3
        guard version >= 3.1 else { return false }
        var count: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_FRAGMENT_ATOMIC_COUNTERS), &count)
        return count > 0
    }

    /// Sets it to 0 and makes it the counter of the next draws.
    package func reset() {
        var zero: GLuint = 0
        glBindBufferBase(GLenum(GL_ATOMIC_COUNTER_BUFFER), 0, name)
        glBufferSubData(GLenum(GL_ATOMIC_COUNTER_BUFFER), 0, MemoryLayout<GLuint>.size, &zero)
    }

    /// Waits for what has been drawn. Returns how often it was incremented since `reset`.
    package func value() throws(GLError) -> Int {
        memoryBarrier(GLbitfield(GL_ATOMIC_COUNTER_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT))
        glBindBuffer(GLenum(GL_ATOMIC_COUNTER_BUFFER), name)
        let size = MemoryLayout<GLuint>.size
        let pointer = glMapBufferRange(GLenum(GL_ATOMIC_COUNTER_BUFFER), 0, size, GLbitfield(GL_MAP_READ_BIT))
        let count = pointer?.load(as: GLuint.self) ?? 0
        _ = glUnmapBuffer(GLenum(GL_ATOMIC_COUNTER_BUFFER))
        try context.check("glMapBufferRange")
        return Int(count)
    }
}
