import CGLES

/// An OpenGL ES 3.0 context, or a later one, that needs no window and no display server.
///
/// A context is current on one thread at a time and isn't `Sendable`: make it current before using it, and release it
/// before another thread uses it. Several can exist at once, on one thread or on several.
/// The display is terminated with its last context.
///
/// The first context of a process sets the environment variable `EGL_LOG_LEVEL` to `fatal` unless it is set. It also
/// sets the variables by which drivers cache compiled shaders in `~/.cache/loupe/shaders`, or nowhere if that folder
/// can't be used. No other thread may read the environment at that moment.
final class Context {
    /// What the device reports about itself.
    let info: DeviceInfo
    /// The choice that it was made with, so that another like it can be made.
    let choice: DeviceChoice
    private let native: NativeContext
    private let resetStatus: ResetStatus?

    /// Makes a context on the device that `choice` leads to, and makes it current on this thread.
    ///
    /// Before it returns, the device has drawn one pixel and read it back correctly.
    ///
    /// - Throws: ``EGLError/noDevice(_:candidates:)``, with every candidate and its result.
    convenience init(_ choice: DeviceChoice = .auto) throws(EGLError) {
        self.init(try DeviceProbe.open(choice), choice)
    }

    init(_ device: OpenDevice, _ choice: DeviceChoice) {
        info = device.info
        self.choice = choice
        native = device.context
        resetStatus = ResetStatus(extensions: info.extensions)
    }

    /// Makes this the current context of this thread. Costs next to nothing where it already is.
    ///
    /// - Throws: ``EGLError/callFailed(_:code:)``: `EGL_BAD_ACCESS` when it is current on another thread,
    ///   `EGL_CONTEXT_LOST` when the device was reset.
    func makeCurrent() throws(EGLError) {
        try native.makeCurrent()
    }

    /// Whether the device reports a reset since the context was made; false too where it can't report one.
    var isLost: Bool { resetStatus?.isReset ?? false }

    /// Releases the context from this thread, so that another thread can make it current. Does nothing while it is held.
    func release() {
        if !isHeld { native.release() }
    }

    /// Whether `release` leaves the context current, for measuring on one thread what each call costs.
    var isHeld = false

    /// Whether a fragment shader can read the pixel that it draws over.
    var readsBelow: Bool { hasExtension("GL_EXT_shader_framebuffer_fetch") }

    /// Whether many frames will be drawn, from then on. On llvmpipe, programs that are made from then on draw faster and take longer to
    /// compile; see `FlatUniforms`.
    var drawsManyFrames = false

    var handsOnUniforms: Bool { drawsManyFrames && info.renderer.hasPrefix("llvmpipe") }

    /// Whether textures can hold 16 bits a channel, read as 0…1.
    var has16BitTextures: Bool { hasExtension("GL_EXT_texture_norm16") }

    /// Whether the OpenGL ES extension of this name, such as `GL_EXT_texture_norm16`, is there.
    func hasExtension(_ name: String) -> Bool {
        info.extensions.contains(name)
    }
}

extension Context {
    /// Throws the error that the driver has recorded since the last check.
    func check(_ call: String) throws(GLError) {
        let code = glGetError()
        guard code != GLenum(GL_NO_ERROR) else { return }
        throw code == GLenum(GL_CONTEXT_LOST) || isLost ? .contextLost : .call(call, code: code)
    }

    /// As `check`, after a call that waited for the device. A reset may be the only sign that nothing was drawn.
    func checkWaiting(_ call: String) throws(GLError) {
        try check(call)
        if isLost { throw .contextLost }
    }

    /// Waits until everything drawn so far is done, and throws what went wrong on the way.
    func finish() throws(GLError) {
        glFinish()
        try checkWaiting("glFinish")
    }

    /// Makes the context current for a deinit, which can't throw. Where it returns false nothing may be deleted: the objects
    /// are lost with their context, and another context, whose objects have the same names, may be current.
    func makeCurrentForDeletion() -> Bool {
        (try? makeCurrent()) != nil
    }

    /// The format with more than 8 bits a channel that this device can draw into and blend.
    /// - Parameter floats: whether 32-bit floats are wanted.
    /// - Returns: 32-bit floats where they are wanted and supported, otherwise half floats, otherwise bytes.
    func blendableFormat(floats: Bool) -> Texture.Format {
        let hasFloats = hasExtension("GL_EXT_color_buffer_float")
        if floats && hasFloats && hasExtension("GL_EXT_float_blend") { return .rgba32F }
        return hasFloats || hasExtension("GL_EXT_color_buffer_half_float") ? .rgba16F : .rgba8
    }
}

/// Makes and deletes the objects that have a name.
extension Context {
    /// A new object's name.
    /// - Parameter generate: `glGenTextures` or another function like it.
    func make(_ generate: (GLsizei, UnsafeMutablePointer<GLuint>?) -> Void) -> GLuint {
        var name: GLuint = 0
        generate(1, &name)
        return name
    }

    /// - Parameter remove: `glDeleteTextures` or another function like it.
    func delete(_ name: GLuint, _ remove: (GLsizei, UnsafePointer<GLuint>?) -> Void) {
        var name = name
        if makeCurrentForDeletion() { remove(1, &name) }
    }
}

/// Queries whether the device was reset (GL_KHR_robustness, GL_EXT_robustness).
struct ResetStatus {
    private let function: PFNGLGETGRAPHICSRESETSTATUSKHRPROC

    /// Nil where the device can't report it.
    init?(extensions: Set<String>) {
        let suffix = ["KHR", "EXT"].first { extensions.contains("GL_\($0)_robustness") }
        guard let suffix, let function = eglGetProcAddress("glGetGraphicsResetStatus" + suffix) else { return nil }
        self.function = unsafeBitCast(function, to: PFNGLGETGRAPHICSRESETSTATUSKHRPROC.self)
    }

    /// - Precondition: the context is current.
    var isReset: Bool { function() != GLenum(GL_NO_ERROR) }
}
