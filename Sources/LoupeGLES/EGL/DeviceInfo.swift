/// What a working device says of itself.
public struct DeviceInfo: Hashable, Sendable {
    /// The way in which its display was reached.
    public let platform: DevicePlatform
    public let eglVendor: String
    /// EGL's version and what the vendor adds to it, such as `1.5`.
    public let eglVersion: String
    /// GL_VENDOR, GL_RENDERER, GL_VERSION and GL_SHADING_LANGUAGE_VERSION, as they stand.
    public let vendor: String
    public let renderer: String
    public let version: String
    public let shadingLanguageVersion: String
    /// Whether it draws on the CPU.
    public let isSoftware: Bool
    /// The names of its OpenGL ES extensions.
    public let extensions: Set<String>
    public let limits: DeviceLimits
}

extension DeviceInfo {
    /// Whether a renderer of this name draws on the CPU.
    ///
    /// The name goes before what the EGL device says of itself, because zink may put the software
    /// device's work on a GPU, and a GPU's driver may give its work to llvmpipe.
    static func isSoftware(renderer: String, onSoftwareDevice: Bool) -> Bool {
        let name = renderer.lowercased()
        let cpuRenderers = [
            "llvmpipe", "softpipe", "lavapipe", "swiftshader", "software rasterizer", "swrast", "basic render driver",
        ]
        if cpuRenderers.contains(where: { name.contains($0) }) { return true }
        return onSoftwareDevice && !name.hasPrefix("zink")
    }
}
