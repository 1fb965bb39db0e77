import CEGL
import LoupeSystem

/// The features that EGL offers before any display is open: the client extensions and their functions.
///
/// The functions are looked up by name, since a libEGL without them must still load.
struct EGLClient {
    let extensions: Set<String>
    /// Nil where EGL_EXT_platform_base isn't there.
    let getPlatformDisplay: PFNEGLGETPLATFORMDISPLAYEXTPROC?
    private let queryDevices: PFNEGLQUERYDEVICESEXTPROC?
    private let queryDeviceString: PFNEGLQUERYDEVICESTRINGEXTPROC?

    /// - Throws: ``EGLError/noLibrary(_:)``.
    init() throws(EGLError) {
        try DriverLibrary.requireEGL()
        let extensions = extensionNames(eglQueryString(nil, EGL_EXTENSIONS).map { String(cString: $0) } ?? "")
        // Some NVIDIA stacks name only EGL_EXT_device_base, which stands for both of the others.
        let hasDevices =
            extensions.contains("EGL_EXT_device_base")
            || extensions.isSuperset(of: ["EGL_EXT_device_enumeration", "EGL_EXT_device_query"])
        self.extensions = extensions
        getPlatformDisplay =
            extensions.contains("EGL_EXT_platform_base") ? function("eglGetPlatformDisplayEXT") : nil
        queryDevices = hasDevices ? function("eglQueryDevicesEXT") : nil
        queryDeviceString = hasDevices ? function("eglQueryDeviceStringEXT") : nil
    }

    /// EGL's devices in its own order; none where it can't enumerate them.
    var devices: [EGLDevice] {
        guard let queryDevices, let queryDeviceString else { return [] }
        var count: EGLint = 0
        guard queryDevices(0, nil, &count) == EGLBoolean(EGL_TRUE), count > 0 else { return [] }
        var handles = [EGLDeviceEXT?](repeating: nil, count: Int(count))
        guard queryDevices(count, &handles, &count) == EGLBoolean(EGL_TRUE) else { return [] }
        return handles.prefix(Int(count)).compactMap { handle in
            handle.map { EGLDevice(handle: $0, queryString: queryDeviceString) }
        }
    }

    /// - Throws: ``EGLError/unusable(_:)`` when none of `names` is a client extension.
    func require(oneOf names: String...) throws(EGLError) {
        if extensions.isDisjoint(with: names) { throw .unusable("EGL offers no \(names[0])") }
    }
}

/// The EGL function of this name as a C function of the type that is wanted, which must be the right one.
private func function<Function>(_ name: String) -> Function? {
    eglGetProcAddress(name).map { unsafeBitCast($0, to: Function.self) }
}

/// A device that EGL enumerates. EGL owns its handle until the process ends.
struct EGLDevice {
    let handle: EGLDeviceEXT
    /// Mesa's software renderer (EGL_MESA_device_software).
    let isSoftware: Bool
    /// Its render node, or else its primary node; nil for software and where EGL doesn't say.
    let path: Path?

    init(handle: EGLDeviceEXT, queryString: PFNEGLQUERYDEVICESTRINGEXTPROC) {
        func string(_ name: Int32) -> String? {
            queryString(handle, name).map { String(cString: $0) }
        }
        let extensions = extensionNames(string(EGL_EXTENSIONS) ?? "")
        let renderNode =
            extensions.contains("EGL_EXT_device_drm_render_node") ? string(EGL_DRM_RENDER_NODE_FILE_EXT) : nil
        let primaryNode = extensions.contains("EGL_EXT_device_drm") ? string(EGL_DRM_DEVICE_FILE_EXT) : nil
        self.handle = handle
        self.isSoftware = extensions.contains("EGL_MESA_device_software")
        self.path = (renderNode ?? primaryNode).map { Path($0) }
    }
}

// MARK: - The status of EGL calls as errors, and EGL's strings

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
    // From 0x3000 on.
    let names = [
        "EGL_SUCCESS", "EGL_NOT_INITIALIZED", "EGL_BAD_ACCESS", "EGL_BAD_ALLOC", "EGL_BAD_ATTRIBUTE", "EGL_BAD_CONFIG",
        "EGL_BAD_CONTEXT", "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY", "EGL_BAD_MATCH", "EGL_BAD_NATIVE_PIXMAP",
        "EGL_BAD_NATIVE_WINDOW", "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE", "EGL_CONTEXT_LOST",
    ]
    let index = Int(code - EGL_SUCCESS)
    return names.indices.contains(index) ? names[index] : "EGL error 0x\(String(code, radix: 16))"
}
