// Turns the status of EGL calls into errors, and EGL's strings into Swift's.

import CEGL

/// - Throws: ``EGLError/callFailed(_:code:)`` unless `status` is EGL_TRUE.
func checkEGL(_ call: String, _ status: EGLBoolean) throws(EGLError) {
    if status != EGLBoolean(EGL_TRUE) { throw lastEGLError(of: call) }
}

/// The error of the EGL call that has just failed on this thread.
func lastEGLError(of call: String) -> EGLError {
    .callFailed(call, code: errorName(eglGetError()))
}

/// The names in a space-separated list of extensions.
func extensionNames(_ list: String) -> Set<String> {
    Set(list.split(separator: " ").map(String.init))
}

private func errorName(_ code: EGLint) -> String {
    switch code {
    case EGL_SUCCESS: "EGL_SUCCESS"
    case EGL_NOT_INITIALIZED: "EGL_NOT_INITIALIZED"
    case EGL_BAD_ACCESS: "EGL_BAD_ACCESS"
    case EGL_BAD_ALLOC: "EGL_BAD_ALLOC"
    case EGL_BAD_ATTRIBUTE: "EGL_BAD_ATTRIBUTE"
    case EGL_BAD_CONFIG: "EGL_BAD_CONFIG"
    case EGL_BAD_CONTEXT: "EGL_BAD_CONTEXT"
    case EGL_BAD_CURRENT_SURFACE: "EGL_BAD_CURRENT_SURFACE"
    case EGL_BAD_DISPLAY: "EGL_BAD_DISPLAY"
    case EGL_BAD_MATCH: "EGL_BAD_MATCH"
    case EGL_BAD_NATIVE_PIXMAP: "EGL_BAD_NATIVE_PIXMAP"
    case EGL_BAD_NATIVE_WINDOW: "EGL_BAD_NATIVE_WINDOW"
    case EGL_BAD_PARAMETER: "EGL_BAD_PARAMETER"
    case EGL_BAD_SURFACE: "EGL_BAD_SURFACE"
    case EGL_CONTEXT_LOST: "EGL_CONTEXT_LOST"
    case EGL_BAD_DEVICE_EXT: "EGL_BAD_DEVICE_EXT"
    default: "EGL error 0x\(String(code, radix: 16))"
    }
}
