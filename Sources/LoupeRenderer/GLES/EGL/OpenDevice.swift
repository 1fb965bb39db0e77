import CGLES

/// A candidate that works: its context, which is current, and its information.
struct OpenDevice {
    let context: NativeContext
    let info: DeviceInfo

    /// Opens the display, makes a context, and checks its version and one pixel that it draws.
    /// - Parameter onlyCompiles: whether what it draws does not matter; then the driver says what it compiles.
    init(
        _ target: DeviceTarget, client: EGLClient, requiresSoftware: Bool, onlyCompiles: Bool = false
    ) throws(EGLError) {
        let display = try Display(target, client: client)
        context = try NativeContext(on: display, isDebug: onlyCompiles)
        try context.makeCurrent()
        info = DeviceInfo(
            current: display, platform: target.traits.platform, onSoftwareDevice: target.traits.isSoftwareDevice)
        var majorVersion: GLint = 0
        glGetIntegerv(GLenum(GL_MAJOR_VERSION), &majorVersion)
        guard majorVersion >= 3 else { throw .versionTooLow(info.version) }
        guard info.isSoftware || !requiresSoftware else { throw .unusable("\(info.renderer) is no software renderer") }
        if !onlyCompiles { try ReadBackCheck.run() }
    }
}

/// Clears one RGBA8 pixel in the current context and reads it back.
///
/// A driver may load and give a context and yet draw nothing. This is the cheapest check that it draws.
enum ReadBackCheck {
    /// Four different bytes, so that swapped channels show.
    private static let color: [UInt8] = [0x33, 0x66, 0x99, 0xcc]

    /// Leaves no object and no binding behind, and the clear colour at its default.
    ///
    /// - Throws: ``EGLError/unusable(_:)``.
    static func run() throws(EGLError) {
        var framebuffer: GLuint = 0
        var renderbuffer: GLuint = 0
        glGenFramebuffers(1, &framebuffer)
        glGenRenderbuffers(1, &renderbuffer)
        defer {
            glDeleteFramebuffers(1, &framebuffer)
            glDeleteRenderbuffers(1, &renderbuffer)
        }
        glBindRenderbuffer(GLenum(GL_RENDERBUFFER), renderbuffer)
        glRenderbufferStorage(GLenum(GL_RENDERBUFFER), GLenum(GL_RGBA8), 1, 1)
        glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer)
        glFramebufferRenderbuffer(
            GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_RENDERBUFFER), renderbuffer)
        try verify(clearAndRead())
    }

    /// Passes a pixel whose every byte is right or, as rounding to 8 bits may differ, the one next to it.
    static func verify(_ pixel: [UInt8]) throws(EGLError) {
        let isRight = zip(pixel, color).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        if !isRight { throw .unusable("a pixel cleared to \(color) was read back as \(pixel)") }
    }

    private static func clearAndRead() -> [UInt8] {
        let channels = color.map { GLfloat($0) / 255 }
        glClearColor(channels[0], channels[1], channels[2], channels[3])
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        glClearColor(0, 0, 0, 0)
        var pixel = [UInt8](repeating: 0, count: 4)
        glReadPixels(0, 0, 1, 1, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), &pixel)
        return pixel
    }
}
