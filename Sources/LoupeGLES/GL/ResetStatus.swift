import CGLES

/// Asks whether the device was reset (GL_KHR_robustness, GL_EXT_robustness).
struct ResetStatus {
    private let function: PFNGLGETGRAPHICSRESETSTATUSKHRPROC

    /// Nil where the device can't say.
    init?(extensions: Set<String>) {
        let suffix = ["KHR", "EXT"].first { extensions.contains("GL_\($0)_robustness") }
        guard let suffix, let function = eglGetProcAddress("glGetGraphicsResetStatus" + suffix) else { return nil }
        self.function = unsafeBitCast(function, to: PFNGLGETGRAPHICSRESETSTATUSKHRPROC.self)
    }

    /// - Precondition: the context is current.
    var isReset: Bool { function() != GLenum(GL_NO_ERROR) }
}
