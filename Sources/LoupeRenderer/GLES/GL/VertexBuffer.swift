import CGLES
import LoupePlan

/// Positions of triangles, two floats each; deleted with its last owner.
final class VertexBuffer {
    private let buffer: GLuint
    private let array: GLuint
    private let context: Context
    private var count = 0

    /// An empty buffer.
    init(_ context: Context) throws(GLError) {
        self.context = context
        buffer = context.make(glGenBuffers)
        array = context.make(glGenVertexArrays)
        glBindVertexArray(array)
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffer)
        glVertexAttribPointer(0, 2, GLenum(GL_FLOAT), GLboolean(GL_FALSE), 0, nil)
        glEnableVertexAttribArray(0)
        try context.check("glVertexAttribPointer")
    }

    deinit {
        context.delete(buffer, glDeleteBuffers)
        context.delete(array, glDeleteVertexArrays)
    }

    /// Replaces everything in the buffer.
    func upload(_ positions: [SIMD2<Float>]) throws(GLError) {
        glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffer)
        positions.withUnsafeBytes { bytes in
            glBufferData(GLenum(GL_ARRAY_BUFFER), bytes.count, bytes.baseAddress, GLenum(GL_STREAM_DRAW))
        }
        try context.check("glBufferData")
        count = positions.count
    }

    /// Draws the triangles that were uploaded last, with the program and target in use.
    func drawTriangles(_ blend: BlendMode) {
        blend.apply()
        glBindVertexArray(array)
        glDrawArrays(GLenum(GL_TRIANGLES), 0, GLsizei(count))
    }
}
