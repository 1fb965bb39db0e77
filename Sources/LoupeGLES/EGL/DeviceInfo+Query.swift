// Reads a DeviceInfo from the OpenGL ES context that is current.

import CEGL
import CGLES

extension DeviceInfo {
    /// - Precondition: a context of `display` is current.
    init(current display: Display, platform: DevicePlatform, onSoftwareDevice: Bool) {
        let renderer = glString(GL_RENDERER)
        self.init(
            platform: platform,
            eglVendor: display.string(EGL_VENDOR),
            eglVersion: display.string(EGL_VERSION),
            vendor: glString(GL_VENDOR),
            renderer: renderer,
            version: glString(GL_VERSION),
            shadingLanguageVersion: glString(GL_SHADING_LANGUAGE_VERSION),
            isSoftware: DeviceInfo.isSoftware(renderer: renderer, onSoftwareDevice: onSoftwareDevice),
            extensions: extensionNames(glString(GL_EXTENSIONS)),
            limits: DeviceLimits.current)
    }
}

extension DeviceLimits {
    fileprivate static var current: DeviceLimits {
        let viewport = glIntegers(GL_MAX_VIEWPORT_DIMS, count: 2)
        return DeviceLimits(
            textureSize: glIntegers(GL_MAX_TEXTURE_SIZE)[0],
            renderbufferSize: glIntegers(GL_MAX_RENDERBUFFER_SIZE)[0],
            viewportWidth: viewport[0],
            viewportHeight: viewport[1],
            drawBuffers: glIntegers(GL_MAX_DRAW_BUFFERS)[0],
            subpixelBits: glIntegers(GL_SUBPIXEL_BITS)[0])
    }
}

/// A string of the current context; empty when it has none of that name.
private func glString(_ name: Int32) -> String {
    glGetString(GLenum(name)).map { String(cString: $0) } ?? ""
}

/// Integers of the current context; zeros when it has none of that name.
private func glIntegers(_ name: Int32, count: Int = 1) -> [Int] {
    var values = [GLint](repeating: 0, count: count)
    glGetIntegerv(GLenum(name), &values)
    return values.map(Int.init)
}
