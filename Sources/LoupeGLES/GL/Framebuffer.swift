import CGLES

/// A texture to draw into; deleted with its last owner.
public final class Framebuffer {
    public let texture: Texture
    private let name: GLuint
    private let context: Context

    public init(_ context: Context, format: Texture.Format, width: Int, height: Int) throws(GLError) {
        self.context = context
        texture = try Texture(context, format: format, width: width, height: height)
        var name: GLuint = 0
        glGenFramebuffers(1, &name)
        self.name = name
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture.name, 0)
        let status = glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        guard status == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            throw .incompleteFramebuffer(status: status, width: width, height: height)
        }
    }

    deinit {
        context.makeCurrentForDeletion()
        var name = name
        glDeleteFramebuffers(1, &name)
    }

    public var width: Int { texture.width }
    public var height: Int { texture.height }

    /// Makes this the target of what is drawn next.
    public func bind() {
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glViewport(0, 0, GLsizei(width), GLsizei(height))
        // On by default everywhere, and it adds noise to 8-bit targets.
        glDisable(GLenum(GL_DITHER))
    }

    /// Fills the whole target; red, green, blue and alpha as they shall stand in it.
    public func clear(_ color: SIMD4<Float>) {
        glDisable(GLenum(GL_SCISSOR_TEST))
        glClearColor(color.x, color.y, color.z, color.w)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
    }

    /// Reads 8-bit RGBA rows, row 0 first, into `bytes`, which holds `width * rows.count * 4` of them.
    public func read(rows: Range<Int>, into bytes: UnsafeMutableRawBufferPointer) throws(GLError) {
        precondition(bytes.count >= width * rows.count * 4)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glReadPixels(
            0, GLint(rows.lowerBound), GLsizei(width), GLsizei(rows.count), GLenum(GL_RGBA),
            GLenum(GL_UNSIGNED_BYTE), bytes.baseAddress)
        try context.check("glReadPixels")
    }

    /// Reads the pixel (0, 0) and forgets it, which waits for everything drawn into this.
    public func readPixel() throws(GLError) {
        var pixel: UInt32 = 0
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glReadPixels(0, 0, 1, 1, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), &pixel)
        try context.check("glReadPixels")
    }
}
