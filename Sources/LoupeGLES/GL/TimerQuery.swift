import CEGL
import CGLES

/// A mark in the stream of commands. The device reaches it when everything before it is done.
public final class Fence {
    private let sync: GLsync
    private let context: Context

    /// Puts the mark after everything that has been drawn on the context.
    public init(_ context: Context) throws(GLError) {
        guard let sync = glFenceSync(GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE), 0) else {
            try context.check("glFenceSync")
            throw .call("glFenceSync", code: 0)
        }
        self.sync = sync
        self.context = context
        context.objects.made(.fence)
    }

    deinit {
        guard context.makeCurrentForDeletion() else { return }
        glDeleteSync(sync)
        context.objects.deleted(.fence)
    }

    /// Waits until the device has reached the mark.
    public func wait() throws(GLError) {
        let second: GLuint64 = 1_000_000_000
        var status = GLenum(GL_TIMEOUT_EXPIRED)
        while status == GLenum(GL_TIMEOUT_EXPIRED) {
            status = glClientWaitSync(sync, GLbitfield(GL_SYNC_FLUSH_COMMANDS_BIT), second)
        }
        if status == GLenum(GL_WAIT_FAILED) {
            try context.check("glClientWaitSync")
            throw .call("glClientWaitSync", code: 0)
        }
    }
}

/// Measures how long the device works on what is drawn between `begin` and `end` (GL_EXT_disjoint_timer_query).
public final class TimerQuery {
    private let name: GLuint
    private let context: Context

    /// Nil where the device has no timer queries. Devices that have them may report wrong times.
    public init?(_ context: Context) {
        guard context.hasExtension("GL_EXT_disjoint_timer_query") else { return nil }
        self.context = context
        name = context.make(.query, glGenQueries)
    }

    deinit {
        context.delete(.query, name, glDeleteQueries)
    }

    /// Starts timing, and clears an earlier disjoint state of the clock.
    public func begin() {
        _ = isDisjoint
        glBeginQuery(GLenum(GL_TIME_ELAPSED_EXT), name)
    }

    /// Ends timing.
    public func end() {
        glEndQuery(GLenum(GL_TIME_ELAPSED_EXT))
    }

    /// Waits for the result: nanoseconds, up to 4.29 seconds; nil where the clock was disjoint in between, for example
    /// because the device changed its frequency or slept.
    public func result() throws(GLError) -> Int? {
        var nanoseconds: GLuint = 0
        glGetQueryObjectuiv(name, GLenum(GL_QUERY_RESULT), &nanoseconds)
        try context.check("glGetQueryObjectuiv")
        return isDisjoint ? nil : Int(nanoseconds)
    }

    /// Reading it clears it.
    private var isDisjoint: Bool {
        var value: GLint = 0
        glGetIntegerv(GLenum(GL_GPU_DISJOINT_EXT), &value)
        return value != 0
    }
}

/// A counter on the device that fragment shaders increment: `layout(binding = 0, offset = 0) uniform atomic_uint`.
public final class AtomicCounter {
    private let name: GLuint
    private let context: Context
    // Looked up by name, since a libGLESv2 of version 3.0 must still load.
    private let memoryBarrier: PFNGLMEMORYBARRIERPROC

    /// Nil where fragment shaders have no atomic counters: before OpenGL ES 3.1, and on some drivers after it.
    public init?(_ context: Context) throws(GLError) {
        guard Self.isAvailable(context), let function = eglGetProcAddress("glMemoryBarrier") else { return nil }
        self.context = context
        memoryBarrier = unsafeBitCast(function, to: PFNGLMEMORYBARRIERPROC.self)
        name = context.make(.buffer, glGenBuffers)
        glBindBuffer(GLenum(GL_ATOMIC_COUNTER_BUFFER), name)
        var zero: GLuint = 0
        glBufferData(GLenum(GL_ATOMIC_COUNTER_BUFFER), MemoryLayout<GLuint>.size, &zero, GLenum(GL_DYNAMIC_READ))
        try context.check("glBufferData")
    }

    deinit {
        context.delete(.buffer, name, glDeleteBuffers)
    }

    private static func isAvailable(_ context: Context) -> Bool {
        let version = context.info.version.split(separator: " ").lazy.compactMap { Double($0) }.first ?? 3
        guard version >= 3.1 else { return false }
        var count: GLint = 0
        glGetIntegerv(GLenum(GL_MAX_FRAGMENT_ATOMIC_COUNTERS), &count)
        return count > 0
    }

    /// Sets it to 0 and makes it the counter of the next draws.
    public func reset() {
        var zero: GLuint = 0
        glBindBufferBase(GLenum(GL_ATOMIC_COUNTER_BUFFER), 0, name)
        glBufferSubData(GLenum(GL_ATOMIC_COUNTER_BUFFER), 0, MemoryLayout<GLuint>.size, &zero)
    }

    /// Waits for what has been drawn. Returns how often it was incremented since `reset`.
    public func value() throws(GLError) -> Int {
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
