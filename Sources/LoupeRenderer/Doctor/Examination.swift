import Glibc
import LoupeBase
import LoupeSystem

/// Something that keeps a device from working or from being used, and its fix.
package struct Trouble: Hashable, Sendable {
    /// One clause: what is wrong.
    package let problem: String
    /// One clause: what to do, and mostly the command to run.
    package let fix: String

    /// Such as `Mesa is not installed. Fix: install it: sudo apt-get install …`.
    package var sentence: String { "\(problem). Fix: \(fix)" }
}

/// The results of trying every way to a device.
package struct ProbeFindings: Hashable, Sendable {
    /// Whether the chosen device draws on the CPU; nil if no device works.
    package let chosenIsSoftware: Bool?
    /// The versions of candidates that are older than OpenGL ES 3.0, as they name themselves.
    package let oldVersions: [String]

    /// The results of a probe.
    package init(chosenIsSoftware: Bool?, oldVersions: [String]) {
        (self.chosenIsSoftware, self.oldVersions) = (chosenIsSoftware, oldVersions)
    }
}

/// What a machine has for OpenGL ES without a display, and what is wrong with it.
package struct Examination {
    /// What there is of one kind, each for a person and for machines.
    private struct Section {
        let key, title: String
        /// The line where there is nothing.
        let none: String
        var rows: [(line: String, json: JSONValue)] = []
    }

    private var libraries = Section(key: "libraries", title: "libraries that lead to every driver", none: "none")
    private var vendorFiles = Section(key: "vendorFiles", title: "vendor files that libglvnd reads", none: "none")
    private var variables = Section(key: "variables", title: "variables", none: "none that affects OpenGL ES")
    private var deviceFiles = Section(
        key: "deviceFiles", title: "device files",
        none: "none: there is no GPU, or this container has no access to it")
    /// What keeps a device from working or from being used, the gravest first.
    package private(set) var troubles: [Trouble] = []
    private let machine: Machine
    private let probe: ProbeFindings

    private static let (mesa, nvidia) = ("libEGL_mesa.so.0", "libEGL_nvidia.so.0")

    /// Examines a machine.
    package init(of machine: Machine, _ probe: ProbeFindings) {
        (self.machine, self.probe) = (machine, probe)
        let files = DeviceFile.all(on: machine)
        let isGPUUnused = files.contains(where: \.isNeeded) && probe.chosenIsSoftware == true
        let hasNVIDIA = files.contains(where: \.isNVIDIA)
        examineLibraries(isGBMMissed: fails || isGPUUnused)
        let named = examineVendorFiles()
        checkVendors(named, hasNVIDIA: hasNVIDIA)
        checkMesa(isNamed: named.contains { $0.hasPrefix("libEGL_mesa") })
        examine(files)
        examineVariables(isGPUUnused: isGPUUnused)
        if hasNVIDIA, !loads(Self.nvidia) { checkNVIDIA() }
        for version in Set(probe.oldVersions).sorted() {
            check(
                fails, "OpenGL ES 3.0 is needed, but a driver has only \(version)",
                machine.variable("MESA_GLES_VERSION_OVERRIDE") == nil
                    ? "install a newer driver, or Mesa to draw on the CPU with --device cpu: \(Package.installingMesa)"
                    : "unset the override: unset MESA_GLES_VERSION_OVERRIDE")
        }
    }

    /// Whether no device works.
    private var fails: Bool { probe.chosenIsSoftware == nil }

    private func loads(_ library: String) -> Bool { machine.loadingFailure(library) == nil }

    private mutating func check(_ isFound: Bool, _ problem: String, _ fix: String) {
        if isFound { troubles.append(Trouble(problem: problem, fix: fix)) }
    }

    // MARK: - Libraries

    /// - Parameter isGBMMissed: whether GBM, which leads only to GPUs with device files, may hide one.
    private mutating func examineLibraries(isGBMMissed: Bool) {
        for name in ["libEGL.so.1", "libGLESv2.so.2", "libgbm.so.1"] {
            let reason = machine.loadingFailure(name)
            libraries.rows.append(
                (
                    "\(name): " + (reason.map { "can't be loaded: \($0)" } ?? "loads"),
                    ["name": .string(name), "loads": .bool(reason == nil), "reason": reason.map(JSONValue.string)]
                ))
            check(
                reason != nil && (name != "libgbm.so.1" || isGBMMissed), "\(name) can't be loaded: \(reason ?? "")",
                "install it: \(Package.installing(name))")
        }
    }

    /// - Returns: the libraries that the files name, without folders.
    private mutating func examineVendorFiles() -> [String] {
        machine.vendorFiles.compactMap { path in
            var (library, reason): (String?, String?)
            do {
                library = try Self.library(in: machine.bytes(of: path))
                reason = library.flatMap(machine.loadingFailure)
            } catch {
                reason = (error as? Machine.Unreadable)?.reason ?? "\(error)"
            }
            let outcome = reason == nil ? "loads" : library == nil ? "unusable" : "unloadable"
            let text = library.map { "\($0), which " + (reason.map { "can't be loaded: \($0)" } ?? "loads") }
            vendorFiles.rows.append(
                (
                    "\(path): \(text ?? "can't be used: \(reason ?? "")")",
                    [
                        "path": .string(path.description), "library": library.map(JSONValue.string),
                        "outcome": .string(outcome), "reason": reason.map(JSONValue.string),
                    ]
                ))
            let problem = library.map { "names \($0), which can't be loaded" } ?? "can't be used"
            check(
                reason != nil, "\(path) \(problem), so libglvnd ignores it: \(reason ?? "")",
                library.map { "install what is missing, or remove the file: ldconfig -p | grep \($0)" }
                    ?? "correct it, or reinstall its package: dpkg --search \(path), or rpm --query --file \(path)")
            return library?.split(separator: "/").last.map { String($0) }
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

    /// A vendor's EGL that is installed, but that no vendor file names.
    private mutating func checkVendors(_ named: [String], hasNVIDIA: Bool) {
        let unset = Machine.vendorVariables.first { machine.variable($0) != nil }.map { "unset it: unset \($0)" }
        let file = #"{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}"#
        let rows = [
            (
                "Mesa", Self.mesa, fails,
                "reinstall it: sudo apt-get install --reinstall -y libegl-mesa0, or sudo dnf reinstall -y mesa-libEGL"
            ),
            (
                "NVIDIA", Self.nvidia, hasNVIDIA,
                "write a vendor file: echo '\(file)' | sudo tee \(Machine.vendorFolders[1])/10_nvidia.json"
            ),
        ]
        for (vendor, library, isMissed, fix) in rows {
            let isNamed = named.contains { $0.hasPrefix(library.dropLast(".so.0".count)) }
            check(
                isMissed && loads(library) && !isNamed,
                "\(vendor)'s \(library) is installed, but no vendor file that libglvnd reads names it", unset ?? fix)
        }
    }

    private mutating func checkMesa(isNamed: Bool) {
        check(
            fails && !loads(Self.mesa) && !isNamed, "Mesa, which draws on any machine, is not installed",
            "install it: \(Package.installingMesa)")
        let folders = machine.variable("LIBGL_DRIVERS_PATH")
        check(
            fails && loads(Self.mesa) && !machine.hasMesaDrivers,
            folders.map { "LIBGL_DRIVERS_PATH makes Mesa look in \($0), where there is no driver" }
                ?? "Mesa's EGL is installed, but none of its drivers",
            folders == nil
                ? "install them: \(Package.installing(Package.drivers))" : "unset it: unset LIBGL_DRIVERS_PATH")
    }

    /// NVIDIA's container runtime leaves out EGL unless it is requested.
    private mutating func checkNVIDIA() {
        let problem = "there is an NVIDIA GPU, but \(Self.nvidia) can't be loaded"
        let capabilities = machine.variable("NVIDIA_DRIVER_CAPABILITIES")?.description ?? "all"
        let isLeftOut = !capabilities.split(separator: ",").contains { $0 == "graphics" || $0 == "all" }
        check(
            isLeftOut, "\(problem): NVIDIA_DRIVER_CAPABILITIES=\(capabilities) leaves it out of this container",
            "start the container with: docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all …")
        check(
            !isLeftOut, problem,
            "install the part of the driver that contains it, in the same version as the rest: apt-cache search '^libnvidia-(egl|gl)', or dnf provides '*/\(Self.nvidia)'"
        )
    }

    // MARK: - Files and variables

    private mutating func examine(_ files: [DeviceFile]) {
        for file in files {
            deviceFiles.rows.append(
                (
                    "\(file.path): group \(file.group): " + (file.reason ?? "this user can open it"),
                    [
                        "path": .string(file.path.description), "group": .string(file.group),
                        "opens": .bool(file.reason == nil), "reason": file.reason.map(JSONValue.string),
                    ]
                ))
            check(
                file.isNeeded && file.reason != nil,
                "\(file.path) can't be opened by this user: \(file.reason ?? "")", file.fix)
        }
    }

    private mutating func examineVariables(isGPUUnused: Bool) {
        var forcing: (name: String, value: String)?
        for (name, effect) in Self.known {
            guard let value = machine.variable(name)?.description else { continue }
            variables.rows.append(
                (
                    "\(name)=\(value): \(effect)",
                    ["name": .string(name), "value": .string(value), "effect": .string(effect)]
                ))
            if forcing == nil, Self.software[name]?.contains(value.lowercased()) == true { forcing = (name, value) }
        }
        if let forcing {
            check(
                isGPUUnused, "\(forcing.name)=\(forcing.value) makes Mesa draw on the CPU, though there is a GPU",
                "unset it: unset \(forcing.name)")
        }
    }

    /// The values of variables that make Mesa draw on the CPU.
    private static let software: [String: [String]] = [
        "LIBGL_ALWAYS_SOFTWARE": ["1", "true", "yes", "y", "t"],
        "GALLIUM_DRIVER": ["llvmpipe", "softpipe", "swrast", "kms_swrast"],
        "MESA_LOADER_DRIVER_OVERRIDE": ["llvmpipe", "softpipe", "swrast", "kms_swrast"],
    ]

    private static let known: [(name: String, effect: String)] = [
        ("LIBGL_ALWAYS_SOFTWARE", "Mesa draws on the CPU if it is 1 or true"),
        ("GALLIUM_DRIVER", "which driver Mesa uses if it draws without a GPU's own driver: llvmpipe, softpipe or zink"),
        ("MESA_LOADER_DRIVER_OVERRIDE", "Mesa loads this driver for any GPU"),
        ("DRI_PRIME", "which of several GPUs Mesa draws on"),
        ("LIBGL_DRIVERS_PATH", "Mesa looks for its drivers in these folders and no others"),
        ("GBM_BACKENDS_PATH", "GBM looks for its backends in these folders and no others"),
        ("MESA_GLES_VERSION_OVERRIDE", "Mesa reports this version of OpenGL ES, supported or not"),
        ("MESA_EXTENSION_OVERRIDE", "Mesa reports these extensions, or all but these"),
        (Machine.vendorVariables[0], "libglvnd reads these vendor files and no others"),
        (Machine.vendorVariables[1], "libglvnd looks for vendor files in these folders and no others"),
        ("EGL_PLATFORM", "what the default display is: surfaceless, x11, wayland, drm or device"),
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

    // MARK: - Results

    private var sections: [Section] { [libraries, vendorFiles, variables, deviceFiles] }

    /// The line that says that nothing is wrong.
    package static let noProblems = "no problems found"

    /// What the machine has and what is wrong with it, as lines for a person.
    package var lines: [String] {
        func section(_ title: String, _ lines: [String]) -> [String] { ["", "\(title):"] + lines.map { "  " + $0 } }
        return sections.flatMap { section($0.title, $0.rows.isEmpty ? [$0.none] : $0.rows.map { $0.line }) }
            + (troubles.isEmpty ? ["", Self.noProblems] : section("what to fix", troubles.map(\.sentence)))
    }

    /// The same as members of a JSON object.
    package var json: [(key: String, value: JSONValue)] {
        sections.map { ($0.key, .array($0.rows.map { $0.json })) } + [
            (
                "troubles",
                .array(troubles.map { ["problem": .string($0.problem), "fix": .string($0.fix)] })
            )
        ]
    }
}

/// The packages that hold what a driver needs.
private enum Package {
    static let drivers = "drivers"

    private static let names: [String: (debian: String, fedora: String)] = [
        "libEGL.so.1": ("libegl1", "libglvnd-egl"),
        "libGLESv2.so.2": ("libgles2", "libglvnd-gles"),
        "libgbm.so.1": ("libgbm1", "mesa-libgbm"),
        "libEGL_mesa.so.0": ("libegl-mesa0", "mesa-libEGL"),
        drivers: ("libgl1-mesa-dri", "mesa-dri-drivers"),
    ]

    /// The command of Debian and its relatives, and that of Fedora and its.
    static func installing(_ contents: String...) -> String {
        let packages = contents.compactMap { names[$0] }
        let (debian, fedora) = (packages.map { $0.debian }, packages.map { $0.fedora })
        return "sudo apt-get install -y \(debian.joined(separator: " ")), or "
            + "sudo dnf install -y \(fedora.joined(separator: " "))"
    }

    static let installingMesa = installing("libEGL.so.1", "libGLESv2.so.2", "libEGL_mesa.so.0", drivers)
}
