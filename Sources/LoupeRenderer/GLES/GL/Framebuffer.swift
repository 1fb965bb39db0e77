import CGLES

/// A texture to draw into; deleted with its last owner.
package final class Framebuffer {
    /// What it draws into.
    package let texture: Texture
    private let name: GLuint
    private let context: Context

    /// A framebuffer with a new texture; sides in texels.
    /// - Throws: as `Texture.init`, and `incompleteFramebuffer` where the device can't draw into the format.
    package convenience init(
        _ context: Context, format: Texture.Format, width: Int, height: Int
    ) throws(GLError) {
        try self.init(context, texture: try Texture(context, format: format, width: width, height: height))
    }

    /// A framebuffer that draws into an existing texture, or copies from it.
    /// - Throws: `incompleteFramebuffer` where the device can't draw into the format.
    package init(_ context: Context, texture: Texture) throws(GLError) {
        self.context = context
        self.texture = texture
        name = context.make(glGenFramebuffers)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glFramebufferTexture2D(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture.name, 0)
        let status = glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER))
        guard status == GLenum(GL_FRAMEBUFFER_COMPLETE) else {
            try context.check("glCheckFramebufferStatus")
            throw .incompleteFramebuffer(status: status, width: texture.width, height: texture.height)
        }
    }

    deinit {
        context.delete(name, glDeleteFramebuffers)
    }

    /// In pixels.
    package var width: Int { texture.width }
    /// In pixels.
    package var height: Int { texture.height }

    /// The square of window coordinates that is drawn through.
    package var viewport: Viewport {
        let limits = context.info.limits
        return Viewport(ofWidth: width, height: height, limit: min(limits.viewportWidth, limits.viewportHeight))
    }

    /// Makes this the target of what is drawn next.
    package func bind() {
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        viewport.apply()
        // On by default everywhere, and it adds noise to 8-bit targets.
        glDisable(GLenum(GL_DITHER))
    }

    /// Makes this the target of what is drawn next, with clip space on the whole of it and nothing beyond.
    package func bindWhole() {
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glViewport(0, 0, GLsizei(width), GLsizei(height))
        glDisable(GLenum(GL_SCISSOR_TEST))
        glDisable(GLenum(GL_DITHER))
    }

    /// Fills the whole target with red, green, blue and alpha, unchanged.
    package func clear(_ color: SIMD4<Float>) {
        glDisable(GLenum(GL_SCISSOR_TEST))
        glClearColor(color.x, color.y, color.z, color.w)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
    }

    /// Reads a block of 8-bit RGBA, row 0 first.
    /// - Parameters:
    ///   - pixels: where the block's first pixel goes.
    ///   - rowLength: how many pixels lie between the beginnings of two rows there.
    /// - Precondition: the block lies in the target, and `pixels` holds all of it.
    package func read(
        x: Int, y: Int, width blockWidth: Int, height blockHeight: Int, into pixels: UnsafeMutableRawBufferPointer,
        rowLength: Int
    ) throws(GLError) {
        guard blockWidth > 0, blockHeight > 0 else { return }
        precondition(x + blockWidth <= width && y + blockHeight <= height && blockWidth <= rowLength)
        precondition(pixels.count >= ((blockHeight - 1) * rowLength + blockWidth) * 4)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(rowLength))
        glReadPixels(
            GLint(x), GLint(y), GLsizei(blockWidth), GLsizei(blockHeight), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
            pixels.baseAddress)
        try context.checkWaiting("glReadPixels")
    }

    /// Reads all of a target of floats, row 0 first.
    /// - Precondition: `floats` holds four a pixel.
    package func read(into floats: UnsafeMutableBufferPointer<Float>) throws(GLError) {
        precondition(floats.count >= width * height * 4)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
        glReadPixels(0, 0, GLsizei(width), GLsizei(height), GLenum(GL_RGBA), GLenum(GL_FLOAT), floats.baseAddress)
        try context.checkWaiting("glReadPixels")
    }

    /// Copies a block from another target of the same format; x and y are its first pixel here.
    /// - Parameters:
    ///   - dx: how many pixels further right the block lies in `source`.
    ///   - dy: how many pixels further down it lies there.
    package func copy(
        x: Int, y: Int, width blockWidth: Int, height blockHeight: Int, from source: Framebuffer, dx: Int = 0,
        dy: Int = 0
    ) throws(GLError) {
        guard blockWidth > 0, blockHeight > 0 else { return }
        let (left, top) = (GLint(x), GLint(y))
        let (right, bottom) = (GLint(x + blockWidth), GLint(y + blockHeight))
        glDisable(GLenum(GL_SCISSOR_TEST))
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), source.name)
        glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), name)
        glBlitFramebuffer(
            left + GLint(dx), top + GLint(dy), right + GLint(dx), bottom + GLint(dy), left, top, right, bottom,
            GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        try context.check("glBlitFramebuffer")
    }

    /// Reads the pixel (0, 0) and drops it, which waits for everything drawn into this target.
    package func readPixel() throws(GLError) {
        var pixel: UInt32 = 0
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glReadPixels(0, 0, 1, 1, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), &pixel)
        try context.check("glReadPixels")
    }
}

extension Viewport {
    func apply() {
        glViewport(GLint(centerX - reach), GLint(centerY - reach), GLsizei(2 * reach), GLsizei(2 * reach))
    }
}

/// The rule that combines a fragment with the pixel it is drawn over. Both are premultiplied.
package enum Blend: Hashable, Sendable {
    /// The fragment replaces the pixel.
    case replace
    /// Source over destination.
    case over
    /// Only removes: destination times (1 − source alpha).
    case erase
    /// The sum.
    case add
}

extension Blend {
    /// Sets the device's blending for the next draws.
    func apply() {
        switch self {
        case .replace: return glDisable(GLenum(GL_BLEND))
        case .over: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        case .erase: glBlendFunc(GLenum(GL_ZERO), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        case .add: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE))
        }
        glEnable(GLenum(GL_BLEND))
    }
}
