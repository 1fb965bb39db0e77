import CGLES
import Glibc

/// A candidate that has passed: its context, which is current, and what it says of itself.
struct OpenDevice {
    let context: NativeContext
    let info: DeviceInfo

    /// Goes all the way: display, context, version, one pixel read back.
    init(_ target: DeviceTarget, client: EGLClient, requiresSoftware: Bool) throws(EGLError) {
        let display =
            requiresSoftware && !target.isSoftwareDevice
            ? try Self.softwareDisplay(target, client: client) : try Display(target, client: client)
        context = try NativeContext(on: display)
        try context.makeCurrent()
        info = DeviceInfo(
            current: display, platform: target.platform, onSoftwareDevice: target.isSoftwareDevice)
        var majorVersion: GLint = 0
        glGetIntegerv(GLenum(GL_MAJOR_VERSION), &majorVersion)
        guard majorVersion >= 3 else { throw .versionTooLow(info.version) }
        guard info.isSoftware || !requiresSoftware else { throw .notSoftware(renderer: info.renderer) }
        try ReadBackCheck.run()
    }

    /// A display for which Mesa is told to leave the GPU alone, as it has no software device to ask for.
    private static func softwareDisplay(
        _ target: DeviceTarget, client: EGLClient
    ) throws(EGLError) -> Display {
        let name = "LIBGL_ALWAYS_SOFTWARE"
        let before = getenv(name).map { String(cString: $0) }
        setenv(name, "1", 1)
        defer {
            if let before { setenv(name, before, 1) } else { unsetenv(name) }
        }
        return try Display(target, client: client)
    }
}
