import Glibc
import LoupeBase
import LoupeSystem

/// The parts that a machine has for OpenGL ES without a display.
package struct Examination: Hashable, Sendable {
    /// The libraries that lead to every driver, each with the reason why it can't be loaded. GBM leads only to GPUs with
    /// device files.
    let libraries: [Library]
    /// The vendor files, in the order in which libglvnd reads them.
    package let vendors: [VendorFile]
    /// The variables that are set and affect OpenGL ES.
    let variables: [SetVariable]
    /// The device files of GPUs.
    let files: [DeviceFile]
    /// The vendors' EGL libraries that can be loaded, named by a vendor file or not.
    let loadable: Set<String>
    /// Whether there is a driver where Mesa looks for them.
    let hasMesaDrivers: Bool

    static let (mesa, nvidia) = ("libEGL_mesa.so.0", "libEGL_nvidia.so.0")
    /// The variables that list vendor files, and folders of them.
    static let vendorVariables = ["__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS"]
    /// The folders that libglvnd reads if no variable is set (`libeglvendor.c`).
    static let vendorFolders: [Path] = ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"]

    /// Examines a machine.
    package init(of machine: Machine) {
        libraries = ["libEGL.so.1", "libGLESv2.so.2", "libgbm.so.1"].map {
            Library(name: $0, reason: machine.loadingFailure($0))
        }
        vendors = Self.vendorPaths(machine).map { VendorFile($0, on: machine) }
        variables = SetVariable.known.compactMap { name, effect in
            machine.variable(name).map { SetVariable(name: name, value: $0.description, effect: effect) }
        }
        files = DeviceFile.all(on: machine)
        loadable = Set([Self.mesa, Self.nvidia].filter { machine.loadingFailure($0) == nil })
        hasMesaDrivers = Self.driverFolders(machine).contains { folder in
            // Before Mesa 24.2 each driver is a file `…_dri.so`; later all are one file `libgallium-….so`.
            machine.names(in: folder).contains { $0.hasEnding("_dri.so") || $0.starts(with: "libgallium-") }
        }
    }

    private static func vendorPaths(_ machine: Machine) -> [Path] {
        if let files = machine.variable(vendorVariables[0]) { return files.parts(between: ":") }
        let folders = machine.variable(vendorVariables[1])?.parts(between: ":") ?? vendorFolders
        return folders.flatMap { folder in
            machine.names(in: folder).filter { $0.hasEnding(".json") }.map(folder.child)
        }
    }

    private static func driverFolders(_ machine: Machine) -> [Path] {
        if let list = machine.variable("LIBGL_DRIVERS_PATH") { return list.parts(between: ":") }
        let libraries: [Path] = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        return libraries.flatMap { lib in
            [lib] + machine.names(in: lib).filter { $0.hasEnding("-linux-gnu") }.map(lib.child)
        }.flatMap { [$0, $0.child("dri")] }
    }

    /// Whether a vendor file names a vendor's library, of any version.
    func isNamed(_ library: String) -> Bool {
        vendors.contains { $0.library?.split(separator: "/").last?.hasPrefix(library.dropLast(".so.0".count)) == true }
    }

    /// The value of a variable; nil if it is not set.
    func value(of name: String) -> String? { variables.first { $0.name == name }?.value }

    /// The line that says that nothing is wrong.
    package static let noProblems = "no problems found"

    /// What the machine has and what is wrong with it, as lines for a person.
    package func lines(_ probe: ProbeFindings) -> [String] {
        func section(_ title: String, _ lines: [String], none: String = "none") -> [String] {
            ["", "\(title):"] + (lines.isEmpty ? [none] : lines).map { "  " + $0 }
        }
        let troubles = troubles(probe)
        return section("libraries that lead to every driver", libraries.map(\.line))
            + section("vendor files that libglvnd reads", vendors.map(\.line))
            + section(
                "variables", variables.map { "\($0.name)=\($0.value): \($0.effect)" },
                none: "none that affects OpenGL ES")
            + section(
                "device files", files.map(\.line), none: "none: there is no GPU, or this container has no access to it")
            + (troubles.isEmpty ? ["", Self.noProblems] : section("what to fix", troubles.map(\.sentence)))
    }

    /// The same as members of a JSON object.
    package func json(_ probe: ProbeFindings) -> [(key: String, value: JSONValue)] {
        [
            ("libraries", .array(libraries.map(\.json))), ("vendorFiles", .array(vendors.map(\.json))),
            (
                "variables",
                .array(
                    variables.map {
                        ["name": .string($0.name), "value": .string($0.value), "effect": .string($0.effect)]
                    })
            ),
            ("deviceFiles", .array(files.map(\.json))), ("troubles", .array(troubles(probe).map(\.json))),
        ]
    }
}

/// A library, and why it can't be loaded; the reason is nil if it loads.
struct Library: Hashable, Sendable {
    let name: String
    let reason: String?

    var line: String { "\(name): " + (reason.map { "can't be loaded: \($0)" } ?? "loads") }

    var json: JSONValue {
        ["name": .string(name), "loads": .bool(reason == nil), "reason": reason.map(JSONValue.string)]
    }
}

/// A file that names a vendor's EGL library for libglvnd, which ignores it silently if it can't use the file or the library.
package struct VendorFile: Hashable, Sendable {
    /// The absolute path.
    package let path: Path
    /// The library that the file names; nil if the file can't be read or is malformed.
    let library: String?
    /// Why the file or its library can't be used; nil if the library loads.
    let reason: String?

    init(_ path: Path, on machine: Machine) {
        self.path = path
        do {
            let library = try Self.library(in: machine.bytes(of: path))
            (self.library, reason) = (library, machine.loadingFailure(library))
        } catch {
            (library, reason) = (nil, (error as? Machine.Unreadable)?.reason ?? "\(error)")
        }
    }

    /// `{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_mesa.so.0"}}`; libglvnd ignores other keys.
    private static func library(in bytes: [UInt8]) throws(DocumentError) -> String {
        var file = try JSONReader(parsing: bytes)
        let version = try file.required("file_format_version")
        guard try version.string().split(separator: ".").first == "1" else {
            throw version.error("\(version.value.line) is not a version that libglvnd reads; 1.x.x is allowed")
        }
        var driver = try file.required("ICD")
        return try driver.required("library_path").string()
    }

    fileprivate var line: String {
        guard let library else { return "\(path): can't be used: \(reason ?? "")" }
        return "\(path): \(library), which " + (reason.map { "can't be loaded: \($0)" } ?? "loads")
    }

    fileprivate var json: JSONValue {
        [
            "path": .string(path.description), "library": library.map(JSONValue.string),
            "outcome": .string(reason == nil ? "loads" : library == nil ? "unusable" : "unloadable"),
            "reason": reason.map(JSONValue.string),
        ]
    }
}

/// An environment variable that is set and affects OpenGL ES.
struct SetVariable: Hashable, Sendable {
    let name: String
    let value: String
    /// What the variable does, in words.
    let effect: String

    /// Whether it makes Mesa draw on the CPU.
    var forcesSoftware: Bool {
        switch name {
        case "LIBGL_ALWAYS_SOFTWARE": ["1", "true", "yes", "y", "t"].contains(value.lowercased())
        case "GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE":
            ["llvmpipe", "softpipe", "swrast", "kms_swrast"].contains(value)
        default: false
        }
    }

    static let known: [(name: String, effect: String)] = [
        ("LIBGL_ALWAYS_SOFTWARE", "Mesa draws on the CPU if it is 1 or true"),
        ("GALLIUM_DRIVER", "which driver Mesa uses if it draws without a GPU's own driver: llvmpipe, softpipe or zink"),
        ("MESA_LOADER_DRIVER_OVERRIDE", "Mesa loads this driver for any GPU"),
        ("DRI_PRIME", "which of several GPUs Mesa draws on"),
        ("LIBGL_DRIVERS_PATH", "Mesa looks for its drivers in these folders and no others"),
        ("GBM_BACKENDS_PATH", "GBM looks for its backends in these folders and no others"),
        ("MESA_GL_VERSION_OVERRIDE", "Mesa reports this version of OpenGL, supported or not"),
        ("MESA_GLES_VERSION_OVERRIDE", "Mesa reports this version of OpenGL ES, supported or not"),
        ("MESA_EXTENSION_OVERRIDE", "Mesa reports these extensions, or all but these"),
        (Examination.vendorVariables[0], "libglvnd reads these vendor files and no others"),
        (Examination.vendorVariables[1], "libglvnd looks for vendor files in these folders and no others"),
        ("EGL_PLATFORM", "what the default display is: surfaceless, x11, wayland, drm or device"),
        ("DISPLAY", "the X server that the default display may lead to"),
        ("WAYLAND_DISPLAY", "the Wayland compositor that the default display may lead to"),
        ("VK_ICD_FILENAMES", "the Vulkan drivers that zink may draw with"),
        ("VK_DRIVER_FILES", "the Vulkan drivers that zink may draw with"),
        ("LD_LIBRARY_PATH", "libraries, also libEGL and drivers, are looked for in these folders first"),
        ("LD_PRELOAD", "these libraries are loaded first and may replace libEGL and drivers"),
        ("CUDA_VISIBLE_DEVICES", "which GPUs CUDA shows; EGL shows all of them, so choose with --device N"),
        ("NVIDIA_VISIBLE_DEVICES", "which GPUs NVIDIA's container runtime puts into this container"),
        (
            "NVIDIA_DRIVER_CAPABILITIES",
            "which parts of the driver NVIDIA's container runtime puts into this container; EGL needs graphics or all"
        ),
    ]
}

/// A device file of a GPU, and whether this user can open it.
struct DeviceFile: Hashable, Sendable {
    let path: Path
    /// The group's name, or number without a name.
    let group: String
    /// Whether members of the group may read and write it.
    let isOpenToGroup: Bool
    /// The system's `errno` of opening it; 0 if it opened.
    let failure: Int32

    /// Why this user can't open it, in the system's words; nil if it opened.
    var reason: String? { failure == 0 ? nil : String(cString: strerror(failure)) }
    /// Whether a renderer needs it. Other device files serve screens or computations only.
    var isNeeded: Bool { path.starts(with: "/dev/dri/renderD") || isNVIDIA }
    /// Whether it belongs to NVIDIA's driver: a GPU's file or `nvidiactl`.
    var isNVIDIA: Bool {
        path == "/dev/nvidiactl"
            || path.starts(with: "/dev/nvidia") && path.bytes.dropFirst(11).allSatisfy { 48...57 ~= $0 }
    }

    /// All device files of GPUs: `/dev/dri/card*`, `/dev/dri/renderD*` and `/dev/nvidia*`.
    static func all(on machine: Machine) -> [DeviceFile] {
        let nodes = machine.names(in: "/dev/dri").filter { $0.starts(with: "card") || $0.starts(with: "renderD") }
        let others = machine.names(in: "/dev").filter { $0.starts(with: "nvidia") }
        // Lines such as `render:x:105:`.
        let groups = machine.lines(of: "/etc/group").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        return (nodes.map(("/dev/dri" as Path).child) + others.map(("/dev" as Path).child)).compactMap { path in
            guard let status = machine.status(of: path), status.st_mode & S_IFMT != S_IFDIR else { return nil }
            let name = groups.first { $0.count > 2 && $0[2] == "\(status.st_gid)" }?.first
            return DeviceFile(
                path: path, group: name.map { String($0) } ?? String(status.st_gid),
                isOpenToGroup: status.st_mode & 0o060 == 0o060, failure: machine.openingFailure(path))
        }
    }

    fileprivate var line: String {
        "\(path): group \(group): " + (reason ?? "this user can open it")
    }

    fileprivate var json: JSONValue {
        [
            "path": .string(path.description), "group": .string(group), "opens": .bool(reason == nil),
            "reason": reason.map(JSONValue.string),
        ]
    }
}

extension Path {
    fileprivate func starts(with start: String) -> Bool { bytes.starts(with: start.utf8) }

    fileprivate func parts(between separator: Unicode.Scalar) -> [Path] {
        bytes.split(separator: UInt8(ascii: separator)).map { Path(bytes: $0) }
    }
}
