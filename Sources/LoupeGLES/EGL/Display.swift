import CEGL

/// One use of an initialised EGL display, with the GBM device under it where it has one.
final class Display {
    let handle: EGLDisplay
    let extensions: Set<String>
    /// Held so that it is closed only after the display has ended.
    private let gbm: GBMDevice?

    init(_ target: DeviceTarget, client: EGLClient) throws(EGLError) {
        gbm = if case .gbm(let path) = target { try GBMDevice(path: path) } else { nil }
        handle = try Self.find(target, gbm: gbm, client: client)
        try DisplayRegistry.retain(handle)
        extensions = extensionNames(eglQueryString(handle, EGL_EXTENSIONS).map { String(cString: $0) } ?? "")
    }

    deinit {
        DisplayRegistry.release(handle)
    }

    /// One of the display's strings; empty when it has none of that name.
    func string(_ name: Int32) -> String {
        eglQueryString(handle, name).map { String(cString: $0) } ?? ""
    }

    private static func find(
        _ target: DeviceTarget, gbm: GBMDevice?, client: EGLClient
    ) throws(EGLError) -> EGLDisplay {
        switch target {
        case .device(let device):
            try client.require(oneOf: "EGL_EXT_platform_device")
            return try find(EGL_PLATFORM_DEVICE_EXT, native: device.handle, client: client)
        case .surfaceless:
            try client.require(oneOf: "EGL_MESA_platform_surfaceless")
            return try find(EGL_PLATFORM_SURFACELESS_MESA, native: nil, client: client)
        case .gbm:
            try client.require(oneOf: "EGL_KHR_platform_gbm", "EGL_MESA_platform_gbm")
            let native = gbm.map { UnsafeMutableRawPointer($0.handle) }
            return try find(EGL_PLATFORM_GBM_KHR, native: native, client: client)
        case .defaultDisplay:
            guard let display = eglGetDisplay(nil) else { throw lastEGLError(of: "eglGetDisplay") }
            return display
        }
    }

    private static func find(
        _ platform: Int32, native: UnsafeMutableRawPointer?, client: EGLClient
    ) throws(EGLError) -> EGLDisplay {
        guard let getPlatformDisplay = client.getPlatformDisplay else { throw .missing("EGL_EXT_platform_base") }
        guard let display = getPlatformDisplay(EGLenum(platform), native, nil) else {
            throw lastEGLError(of: "eglGetPlatformDisplayEXT")
        }
        return display
    }
}
