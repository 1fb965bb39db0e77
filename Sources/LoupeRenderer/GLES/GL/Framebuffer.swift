import CGLES
import LoupeBase
import LoupePlan

/// A texture to draw into; deleted with its last owner.
final class Framebuffer {
    /// What it draws into.
    let texture: Texture
    private let name: GLuint
    private let context: Context

    /// A framebuffer with a new texture; sides in texels.
    /// - Throws: as `Texture.init`, and `incompleteFramebuffer` where the device can't draw into the format.
    convenience init(_ context: Context, format: Texture.Format, width: Int, height: Int) throws(GLError) {
        try self.init(context, texture: try Texture(context, format: format, width: width, height: height))
    }

    /// A framebuffer that draws into an existing texture, or copies from it.
    /// - Throws: `incompleteFramebuffer` where the device can't draw into the format.
    init(_ context: Context, texture: Texture) throws(GLError) {
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
    var width: Int { texture.width }
    /// In pixels.
    var height: Int { texture.height }

    /// Makes this the target of what is drawn next, with clip space on the whole of it.
    func bind() {
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glViewport(0, 0, GLsizei(width), GLsizei(height))
        // On by default everywhere, and it adds noise to 8-bit targets.
        glDisable(GLenum(GL_DITHER))
    }

    /// Reads the first pixels of 8-bit RGBA, row 0 first.
    /// - Parameters:
    ///   - size: as many columns and rows as are read.
    ///   - pixels: where the first pixel goes.
    ///   - rowLength: how many pixels lie between the beginnings of two rows there.
    /// - Precondition: the target has so many, and `pixels` holds all of them.
    func read(_ size: ImageSize, into pixels: UnsafeMutableRawBufferPointer, rowLength: Int) throws(GLError) {
        guard size.width > 0, size.height > 0 else { return }
        precondition(size.width <= width && size.height <= height && size.width <= rowLength)
        precondition(pixels.count >= ((size.height - 1) * rowLength + size.width) * 4)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(rowLength))
        glReadPixels(
            0, 0, GLsizei(size.width), GLsizei(size.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
            pixels.baseAddress)
        try context.checkWaiting("glReadPixels")
    }

    /// Reads all of a target of floats, row 0 first.
    /// - Precondition: `floats` holds four a pixel.
    func read(into floats: UnsafeMutableBufferPointer<Float>) throws(GLError) {
        precondition(floats.count >= width * height * 4)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
        glReadPixels(0, 0, GLsizei(width), GLsizei(height), GLenum(GL_RGBA), GLenum(GL_FLOAT), floats.baseAddress)
        try context.checkWaiting("glReadPixels")
    }

    /// Copies a block from another target of the same format, in which it lies `dx` further right and `dy` further down.
    func copy(_ block: PixelRect, from source: Framebuffer, dx: Int, dy: Int) throws(GLError) {
        if block.isEmpty { return }
        let (left, top) = (GLint(block.minX), GLint(block.minY))
        let (right, bottom) = (GLint(block.maxX), GLint(block.maxY))
        glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), source.name)
        glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), name)
        glBlitFramebuffer(
            left + GLint(dx), top + GLint(dy), right + GLint(dx), bottom + GLint(dy), left, top, right, bottom,
            GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        try context.check("glBlitFramebuffer")
    }

    /// Reads the pixel (0, 0) and drops it, which waits for everything drawn into this target.
    func readPixel() throws(GLError) {
        var pixel: UInt32 = 0
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), name)
        glReadPixels(0, 0, 1, 1, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), &pixel)
        try context.check("glReadPixels")
    }
}

extension BlendMode {
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
