import CEGL

/// What is current on this thread, to be made current again after other contexts have been.
struct CurrentContext {
    private let display = eglGetCurrentDisplay()
    private let draw = eglGetCurrentSurface(EGL_DRAW)
    private let read = eglGetCurrentSurface(EGL_READ)
    private let context = eglGetCurrentContext()

    func restore() {
        if let display, let context { _ = eglMakeCurrent(display, draw, read, context) }
    }
}
