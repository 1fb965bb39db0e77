import CGLES

/// A mark in the stream of commands that the device passes when everything before it is done.
public final class Fence {
    private let sync: GLsync
    private let context: Context

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

    /// Waits until the device says that it has passed the mark.
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
