import CEGL

/// The owner of a 1×1 pbuffer: what a context is made current with where it can't do without a surface.
final class PixelBufferSurface {
    let handle: EGLSurface
    private let display: Display

    init(on display: Display, config: EGLConfig?) throws(EGLError) {
        let attributes = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE]
        guard let handle = eglCreatePbufferSurface(display.handle, config, attributes) else {
            throw lastEGLError(of: "eglCreatePbufferSurface")
        }
        self.handle = handle
        self.display = display
    }

    deinit {
        _ = eglDestroySurface(display.handle, handle)
    }
}
