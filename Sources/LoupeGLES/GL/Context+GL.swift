import CGLES

extension Context {
    /// Throws what the driver has complained of since the last look.
    func check(_ call: String) throws(GLError) {
        let code = glGetError()
        guard code != GLenum(GL_NO_ERROR) else { return }
        throw code == GLenum(GL_CONTEXT_LOST) ? .contextLost : .call(call, code: code)
    }

    /// Waits until everything drawn so far is done, and throws what went wrong on the way.
    public func finish() throws(GLError) {
        glFinish()
        try check("glFinish")
    }

    /// A deinit can't throw, and a context that can't be made current has lost its objects already.
    func makeCurrentForDeletion() {
        try? makeCurrent()
    }

    /// The format with more than 8 bits a channel that this device can draw into and blend: 32-bit floats where they
    /// are asked for and can be had, else half floats, else bytes after all.
    public func blendableFormat(floats: Bool) -> Texture.Format {
        let hasFloats = hasExtension("GL_EXT_color_buffer_float")
        if floats && hasFloats && hasExtension("GL_EXT_float_blend") { return .rgba32F }
        return hasFloats || hasExtension("GL_EXT_color_buffer_half_float") ? .rgba16F : .rgba8
    }
}
