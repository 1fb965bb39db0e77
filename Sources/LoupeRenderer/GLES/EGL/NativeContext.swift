import CEGL

/// The owner of one EGL context.
///
/// Made without a configuration and a surface where the display allows that, otherwise with a 1×1 pbuffer.
final class NativeContext {
    let display: Display
    private let handle: EGLContext
    private let pbuffer: EGLSurface?

    /// - Parameter isDebug: whether the driver shall say what it does (GL_KHR_debug).
    init(on display: Display, isDebug: Bool = false) throws(EGLError) {
        // EGL keeps one API for each thread, and a host program may have bound another.
        try checkEGL("eglBindAPI", eglBindAPI(EGLenum(EGL_OPENGL_ES_API)))
        let isSurfaceless = display.extensions.contains("EGL_KHR_surfaceless_context")
        // SwiftShader crashes on contexts without a configuration, and doesn't name the extension.
        let needsConfig = !isSurfaceless || !display.extensions.contains("EGL_KHR_no_config_context")
        let config = needsConfig ? try Self.chooseConfig(display, forPixelBuffer: !isSurfaceless) : nil
        self.display = display
        pbuffer = isSurfaceless ? nil : try Self.makePixelBuffer(display, config)
        // Drivers give the highest version that is compatible with the one asked for.
        var attributes = [EGL_CONTEXT_CLIENT_VERSION, 3]
        if display.extensions.contains("EGL_EXT_create_context_robustness") {
            attributes += [EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT]
        }
        // EGL_CONTEXT_FLAGS_KHR with EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR.
        if isDebug { attributes += [0x30fc, 1] }
        attributes.append(EGL_NONE)
        guard let handle = eglCreateContext(display.handle, config, nil, attributes) else {
            let error = lastEGLError(of: "eglCreateContext")
            // An object whose init throws is not deinitialised.
            if let pbuffer { _ = eglDestroySurface(display.handle, pbuffer) }
            throw error
        }
        self.handle = handle
    }

    deinit {
        release()
        _ = eglDestroyContext(display.handle, handle)
        if let pbuffer { _ = eglDestroySurface(display.handle, pbuffer) }
    }

    func makeCurrent() throws(EGLError) {
        if eglGetCurrentContext() == handle { return }
        try checkEGL("eglMakeCurrent", eglMakeCurrent(display.handle, pbuffer, pbuffer, handle))
    }

    func release() {
        if eglGetCurrentContext() == handle { _ = eglMakeCurrent(display.handle, nil, nil, nil) }
    }

    private static func makePixelBuffer(_ display: Display, _ config: EGLConfig?) throws(EGLError) -> EGLSurface {
        let attributes = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE]
        guard let surface = eglCreatePbufferSurface(display.handle, config, attributes) else {
            throw lastEGLError(of: "eglCreatePbufferSurface")
        }
        return surface
    }

    private static func chooseConfig(_ display: Display, forPixelBuffer: Bool) throws(EGLError) -> EGLConfig {
        let attributes = [
            EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
            // Left out, this would ask for windows, which headless displays lack.
            EGL_SURFACE_TYPE, forPixelBuffer ? EGL_PBUFFER_BIT : 0,
            EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8,
            EGL_NONE,
        ]
        var config: EGLConfig?
        var count: EGLint = 0
        try checkEGL("eglChooseConfig", eglChooseConfig(display.handle, attributes, &config, 1, &count))
        guard count > 0, let config else { throw .unusable("EGL offers no configuration with OpenGL ES 3 and RGBA8") }
        return config
    }
}
