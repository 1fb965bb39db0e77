import LoupeSystem

/// A GPU whose compiler can be had without it: a driver of Mesa, and what mesa-drm-shim pretends that the machine has.
package struct Architecture: Hashable, Sendable, CaseIterable {
    /// The drivers whose compilers say what a shader needs.
    package enum Driver: String, Hashable, Sendable {
        /// AMD's, compiled by LLVM or ACO.
        case radeonsi
        /// NVIDIA's, compiled by nouveau's own compiler.
        case nouveau
    }

    /// Mesa's driver.
    package let driver: Driver
    /// What the shim calls the GPU.
    package let name: String
    /// The name of its architecture.
    package let title: String

    /// All that are asked, the oldest of each maker first.
    package static let allCases = [
        Architecture(driver: .radeonsi, name: "polaris10", title: "AMD GCN 4"),
        Architecture(driver: .radeonsi, name: "navi21", title: "AMD RDNA 2"),
        Architecture(driver: .radeonsi, name: "navi31", title: "AMD RDNA 3"),
        Architecture(driver: .nouveau, name: "0xe0", title: "NVIDIA Kepler"),
        Architecture(driver: .nouveau, name: "0x110", title: "NVIDIA Maxwell"),
        Architecture(driver: .nouveau, name: "0x130", title: "NVIDIA Pascal"),
        Architecture(driver: .nouveau, name: "0x162", title: "NVIDIA Turing"),
    ]

    /// The library that stands in for the kernel's driver.
    var library: String { driver == .radeonsi ? "libamdgpu_noop_drm_shim.so" : "libnouveau_noop_drm_shim.so" }

    /// The environment of the process that compiles for it.
    func variables(library path: Path) -> [String: String] {
        var variables = [
            "LD_PRELOAD": "\(path)", "MESA_SHADER_CACHE_DISABLE": "true", "LIBGL_ALWAYS_SOFTWARE": "false",
            CostServer.variable: "1",
        ]
        switch driver {
        case .radeonsi:
            variables["AMDGPU_GPU_ID"] = name
            // Pixel shaders, without the intermediate forms.
            variables["AMD_DEBUG"] = "ps,nonir,noir"
        case .nouveau: variables["NOUVEAU_CHIPSET"] = name
        }
        return variables
    }

    /// The folder in which libraries of the shim lie; nil where none is installed.
    ///
    /// `tools/measure/setup-cost` puts it under the cache folder. Debian's package puts it beside the other libraries.
    /// - Parameters:
    ///   - named: the value of `LOUPE_DRM_SHIM`, a folder that is looked at alone.
    ///   - cache: `XDG_CACHE_HOME` or `~/.cache`.
    package static func shimFolder(named: Path?, cache: Path?) -> Path? {
        var folders = [Path("/usr/lib/x86_64-linux-gnu"), "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        if let cache { folders.insert(cache.child("loupe").child("mesa-drm-shim"), at: 0) }
        return (named.map { [$0] } ?? folders).first { folder in
            allCases.contains { folder.child(Path($0.library)).exists }
        }
    }
}
