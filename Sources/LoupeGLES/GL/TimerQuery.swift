import CGLES

/// Asks the device how long it worked on what is drawn between `begin` and `end` (GL_EXT_disjoint_timer_query).
public final class TimerQuery {
    private let name: GLuint
    private let context: Context

    /// Nil where the device has no timer queries. That it has them does not mean that they are right.
    public init?(_ context: Context) {
        guard context.hasExtension("GL_EXT_disjoint_timer_query") else { return nil }
        self.context = context
        name = context.make(.query, glGenQueries)
    }

    deinit {
        context.delete(.query, name, glDeleteQueries)
    }

    /// Starts timing, and forgets that the clock was disjoint before.
    public func begin() {
        _ = isDisjoint
        glBeginQuery(GLenum(GL_TIME_ELAPSED_EXT), name)
    }

    public func end() {
        glEndQuery(GLenum(GL_TIME_ELAPSED_EXT))
    }

    /// Waits for the result: nanoseconds, up to 4.29 seconds; nil where the clock was disjoint in between,
    /// as when the device changed its frequency or was put to sleep.
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
