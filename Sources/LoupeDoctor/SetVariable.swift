/// A variable of the environment that bears on OpenGL ES, is set, and what it does.
public struct SetVariable: Hashable, Sendable {
    public let name: String
    public let value: String
    public let effect: String

    /// Those of an environment, in the order of the table below.
    static func all(in environment: [String: String]) -> [SetVariable] {
        known.compactMap { name, effect in
            environment[name].map { SetVariable(name: name, value: $0, effect: effect) }
        }
    }

    private static let known: [(name: String, effect: String)] = [
        ("LIBGL_ALWAYS_SOFTWARE", "Mesa draws on the CPU where it is 1 or true"),
        (
            "GALLIUM_DRIVER",
            "which of Mesa's drivers draws where it draws without a GPU's own: llvmpipe, softpipe or zink"
        ),
        ("MESA_LOADER_DRIVER_OVERRIDE", "Mesa loads this driver, whatever the GPU is"),
        ("DRI_PRIME", "which of several GPUs Mesa draws on"),
        ("LIBGL_DRIVERS_PATH", "Mesa looks for its drivers in these folders and no others"),
        ("GBM_BACKENDS_PATH", "GBM looks for its backends in these folders and no others"),
        ("MESA_GL_VERSION_OVERRIDE", "Mesa calls itself this version of OpenGL, whether it is or not"),
        ("MESA_GLES_VERSION_OVERRIDE", "Mesa calls itself this version of OpenGL ES, whether it is or not"),
        ("MESA_EXTENSION_OVERRIDE", "Mesa tells of these extensions, or of all but these"),
        (VendorSearch.filesVariable, "libglvnd reads these vendor files and no others"),
        (VendorSearch.foldersVariable, "libglvnd looks for vendor files in these folders and no others"),
        ("EGL_PLATFORM", "what the default display is: surfaceless, x11, wayland, drm or device"),
        ("DISPLAY", "the X server that the default display may lead to"),
        ("WAYLAND_DISPLAY", "the Wayland compositor that the default display may lead to"),
        ("VK_ICD_FILENAMES", "the Vulkan drivers that zink may draw with"),
        ("VK_DRIVER_FILES", "the Vulkan drivers that zink may draw with"),
        ("LD_LIBRARY_PATH", "libraries are looked for in these folders first, libEGL and drivers among them"),
        ("LD_PRELOAD", "these libraries are loaded first, and may stand in for libEGL and drivers"),
        (
            "CUDA_VISIBLE_DEVICES",
            "which GPUs CUDA shows; EGL shows them all the same, so --device N is the way to choose"
        ),
        ("NVIDIA_VISIBLE_DEVICES", "which GPUs NVIDIA's container runtime puts into this container"),
        (
            "NVIDIA_DRIVER_CAPABILITIES",
            "which of the driver's parts NVIDIA's container runtime puts into this container; EGL needs graphics or all"
        ),
    ]
}
