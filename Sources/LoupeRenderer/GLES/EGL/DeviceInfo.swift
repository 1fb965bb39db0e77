import CEGL
import CGLES

/// The facts that a working device reports about itself.
public struct DeviceInfo: Hashable, Sendable {
    /// How its display was opened.
    let platform: DevicePlatform
    /// EGL_VENDOR.
    public let eglVendor: String
    /// EGL_VERSION: EGL's version and what the vendor adds to it, such as `1.5`.
    public let eglVersion: String
    /// GL_VENDOR, unchanged.
    public let vendor: String
    /// GL_RENDERER, unchanged.
    public let renderer: String
    /// GL_VERSION, unchanged.
    public let version: String
    /// GL_SHADING_LANGUAGE_VERSION, unchanged.
    public let shadingLanguageVersion: String
    /// Whether it draws on the CPU.
    public let isSoftware: Bool
    /// The names of its OpenGL ES extensions.
    public let extensions: Set<String>
    /// The largest sizes that it can draw.
    package let limits: DeviceLimits
}

extension DeviceInfo {
    /// Whether a renderer of this name draws on the CPU.
    ///
    /// The name takes precedence over what the EGL device reports: zink may run the software device on a GPU, and a
    /// GPU's driver may hand its work to llvmpipe.
    static func isSoftware(renderer: String, onSoftwareDevice: Bool) -> Bool {
        let name = renderer.lowercased()
        let cpuRenderers = [
            "llvmpipe", "softpipe", "lavapipe", "swiftshader", "software rasterizer", "swrast", "basic render driver",
        ]
        if cpuRenderers.contains(where: { name.contains($0) }) { return true }
        return onSoftwareDevice && !name.hasPrefix("zink")
    }
}

/// The limits of one device, as its OpenGL ES implementation reports them.
package struct DeviceLimits: Hashable, Sendable {
    /// Longest side of a texture, in texels (GL_MAX_TEXTURE_SIZE).
    let textureSize: Int
    /// Width of the largest viewport, in pixels (GL_MAX_VIEWPORT_DIMS).
    let viewportWidth: Int
    /// Height of the largest viewport, in pixels (GL_MAX_VIEWPORT_DIMS).
    let viewportHeight: Int
    /// Binary digits after the point in a vertex's window position (GL_SUBPIXEL_BITS).
    let subpixelBits: Int
}

/// The ways to a display without a window, in the order in which `auto` tries them.
enum DevicePlatform: String, Hashable, Sendable, CaseIterable {
    /// A device that EGL enumerates (EGL_EXT_platform_device).
    case device
    /// Mesa without any window system (EGL_MESA_platform_surfaceless).
    case surfaceless
    /// A render node opened through GBM (EGL_KHR_platform_gbm).
    case gbm
    /// EGL's default display.
    case `default`
}

// MARK: - Reading a DeviceInfo from the current OpenGL ES context

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
            viewportWidth: viewport[0],
            viewportHeight: viewport[1],
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
