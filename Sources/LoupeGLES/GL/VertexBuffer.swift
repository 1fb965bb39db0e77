import CGLES

/// Positions of triangles, two floats each, drawn in ranges; deleted with its last owner.
public final class VertexBuffer {
    private let buffer: GLuint
    private let array: GLuint
    private let context: Context

    public init(_ context: Context) throws(GLError) {
        self.context = context
        var buffer: GLuint = 0
        var array: GLuint = 0
        glGenBuffers(1, &buffer)
        glGenVertexArrays(1, &array)
        self.buffer = buffer
        self.array = array
        glBindVertexArray(array)
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffer)
        glVertexAttribPointer(0, 2, GLenum(GL_FLOAT), GLboolean(GL_FALSE), 0, nil)
        glEnableVertexAttribArray(0)
        try context.check("glVertexAttribPointer")
    }

    deinit {
        guard context.makeCurrentForDeletion() else { return }
        var buffer = buffer
        var array = array
        glDeleteBuffers(1, &buffer)
        glDeleteVertexArrays(1, &array)
    }

    /// Replaces everything in the buffer.
    public func upload(_ positions: [SIMD2<Float>]) throws(GLError) {
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffer)
        positions.withUnsafeBytes { bytes in
            glBufferData(GLenum(GL_ARRAY_BUFFER), bytes.count, bytes.baseAddress, GLenum(GL_STREAM_DRAW))
        }
        try context.check("glBufferData")
    }

    /// Draws the triangles of these vertices with the program and target in use.
    /// - Parameter scissor: x, y, width and height in pixels of the target; nil draws everywhere.
    public func drawTriangles(_ vertices: Range<Int>, scissor: (x: Int, y: Int, width: Int, height: Int)? = nil) {
        glBindVertexArray(array)
        if let scissor {
            glEnable(GLenum(GL_SCISSOR_TEST))
            glScissor(GLint(scissor.x), GLint(scissor.y), GLsizei(scissor.width), GLsizei(scissor.height))
        } else {
            glDisable(GLenum(GL_SCISSOR_TEST))
        }
        glDrawArrays(GLenum(GL_TRIANGLES), GLint(vertices.lowerBound), GLsizei(vertices.count))
    }
}
