import CEGL
import Glibc

/// What EGL offers before there is any display: the client extensions and their functions.
///
/// The functions are asked for by name, for a libEGL without them must still load.
struct EGLClient {
    let extensions: Set<String>
    /// Nil where EGL_EXT_platform_base isn't there.
    let getPlatformDisplay: PFNEGLGETPLATFORMDISPLAYEXTPROC?
    private let queryDevices: PFNEGLQUERYDEVICESEXTPROC?
    private let queryDeviceString: PFNEGLQUERYDEVICESTRINGEXTPROC?

    /// - Throws: ``EGLError/noLibrary(_:)``.
    init() throws(EGLError) {
        try DriverLibrary.requireEGL()
        // Mesa warns on standard error of each device that it can't drive; the table of devices tells that.
        setenv("EGL_LOG_LEVEL", "fatal", 0)
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

    var enumeratesDevices: Bool { queryDevices != nil && queryDeviceString != nil }

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

    /// - Throws: ``EGLError/missing(_:)`` when none of `names` is a client extension.
    func require(oneOf names: String...) throws(EGLError) {
        if extensions.isDisjoint(with: names) { throw .missing(names[0]) }
    }
}

/// The EGL function of this name as a C function of the type that is wanted, which must be the right one.
private func function<Function>(_ name: String) -> Function? {
    eglGetProcAddress(name).map { unsafeBitCast($0, to: Function.self) }
}
