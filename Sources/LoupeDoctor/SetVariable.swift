import LoupeFiles

/// An environment variable that is set and affects OpenGL ES.
public struct SetVariable: Hashable, Sendable {
    /// The variable's name.
    public let name: String
    /// Its value.
    public let value: String
    /// What the variable does, in words.
    public let effect: String

    /// The known variables of an environment, in the order of the table below.
    static func all(in environment: [String: Path]) -> [SetVariable] {
        known.compactMap { name, effect in
            environment[name].map { SetVariable(name: name, value: $0.description, effect: effect) }
        }
    }

    private static let known: [(name: String, effect: String)] = [
        ("LIBGL_ALWAYS_SOFTWARE", "Mesa draws on the CPU if it is 1 or true"),
        (
            "GALLIUM_DRIVER",
            "which driver Mesa uses if it draws without a GPU's own driver: llvmpipe, softpipe or zink"
        ),
        ("MESA_LOADER_DRIVER_OVERRIDE", "Mesa loads this driver for any GPU"),
        ("DRI_PRIME", "which of several GPUs Mesa draws on"),
        ("LIBGL_DRIVERS_PATH", "Mesa looks for its drivers in these folders and no others"),
        ("GBM_BACKENDS_PATH", "GBM looks for its backends in these folders and no others"),
        ("MESA_GL_VERSION_OVERRIDE", "Mesa reports this version of OpenGL, supported or not"),
        ("MESA_GLES_VERSION_OVERRIDE", "Mesa reports this version of OpenGL ES, supported or not"),
        ("MESA_EXTENSION_OVERRIDE", "Mesa reports these extensions, or all but these"),
        (VendorSearch.filesVariable, "libglvnd reads these vendor files and no others"),
        (VendorSearch.foldersVariable, "libglvnd looks for vendor files in these folders and no others"),
        ("EGL_PLATFORM", "what the default display is: surfaceless, x11, wayland, drm or device"),
        ("DISPLAY", "the X server that the default display may lead to"),
        ("WAYLAND_DISPLAY", "the Wayland compositor that the default display may lead to"),
        ("VK_ICD_FILENAMES", "the Vulkan drivers that zink may draw with"),
        ("VK_DRIVER_FILES", "the Vulkan drivers that zink may draw with"),
        ("LD_LIBRARY_PATH", "libraries, also libEGL and drivers, are looked for in these folders first"),
        ("LD_PRELOAD", "these libraries are loaded first and may replace libEGL and drivers"),
        (
            "CUDA_VISIBLE_DEVICES",
            "which GPUs CUDA shows; EGL shows all of them, so choose with --device N"
        ),
        ("NVIDIA_VISIBLE_DEVICES", "which GPUs NVIDIA's container runtime puts into this container"),
        (
            "NVIDIA_DRIVER_CAPABILITIES",
            "which parts of the driver NVIDIA's container runtime puts into this container; EGL needs graphics or all"
        ),
    ]
}
