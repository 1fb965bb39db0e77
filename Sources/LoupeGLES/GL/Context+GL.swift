import CGLES

extension Context {
    /// Throws what the driver has complained of since the last look.
    func check(_ call: String) throws(GLError) {
        let code = glGetError()
        guard code != GLenum(GL_NO_ERROR) else { return }
        throw code == GLenum(GL_CONTEXT_LOST) || isLost ? .contextLost : .call(call, code: code)
    }

    /// As `check`, after what waited for the device: a reset may be all that tells that nothing was drawn.
    func checkWaiting(_ call: String) throws(GLError) {
        try check(call)
        if isLost { throw .contextLost }
    }

    /// Waits until everything drawn so far is done, and throws what went wrong on the way.
    public func finish() throws(GLError) {
        glFinish()
        try checkWaiting("glFinish")
    }

    /// For a deinit, which can't throw. Where it is false nothing may be deleted: the objects are lost with their context,
    /// and another one, whose objects have the same names, may be current.
    func makeCurrentForDeletion() -> Bool {
        (try? makeCurrent()) != nil
    }

    /// The format with more than 8 bits a channel that this device can draw into and blend: 32-bit floats where they
    /// are asked for and can be had, else half floats, else bytes after all.
    public func blendableFormat(floats: Bool) -> Texture.Format {
        let hasFloats = hasExtension("GL_EXT_color_buffer_float")
        if floats && hasFloats && hasExtension("GL_EXT_float_blend") { return .rgba32F }
        return hasFloats || hasExtension("GL_EXT_color_buffer_half_float") ? .rgba16F : .rgba8
    }
}
