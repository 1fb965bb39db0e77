import CEGL

/// A device that EGL enumerates. EGL owns its handle for as long as the process lives.
struct EGLDevice {
    let handle: EGLDeviceEXT
    /// Mesa's software renderer (EGL_MESA_device_software).
    let isSoftware: Bool
    /// Its render node, or else its primary node; nil for software and where EGL doesn't say.
    let path: String?

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
        self.path = renderNode ?? primaryNode
    }
}
