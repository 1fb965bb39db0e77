import Glibc
import LoupeBase
import LoupeSystem

/// Something that keeps a device from working or from being used, and its fix.
struct Trouble: Hashable, Sendable {
    /// One clause: what is wrong.
    let problem: String
    /// One clause: what to do, and mostly the command to run.
    let fix: String

    /// Such as `Mesa is not installed. Fix: install it: sudo apt-get install …`.
    var sentence: String { "\(problem). Fix: \(fix)" }
}

/// The support of a machine for OpenGL ES without a display, and what is wrong with it.
package struct Examination {
    /// A part of the examination.
    private enum Kind: String, CaseIterable {
        case libraries, vendorFiles, variables, deviceFiles

        /// The title, and the line where there is nothing.
        var text: (title: String, none: String) {
            switch self {
            case .libraries: ("libraries that lead to every driver", "none")
            case .vendorFiles: ("vendor files that libglvnd reads", "none")
            case .variables: ("variables", "none that affects OpenGL ES")
            case .deviceFiles: ("device files", "none: there is no GPU, or this container has no access to it")
            }
        }
    }

    /// A line for each library, file or variable.
    private var found: [Kind: [String]] = [:]
    /// What keeps a device from working or from being used, the gravest first.
    private(set) var troubles: [Trouble] = []
    private let machine: Machine
    /// Whether no device works.
    private let fails: Bool

    private static let (mesa, nvidia) = ("libEGL_mesa.so.0", "libEGL_nvidia.so.0")

    /// Examines a machine on which every way to a device has been tried.
    /// - Parameters:
    ///   - chosenIsSoftware: whether the chosen device draws on the CPU; nil if no device works.
    ///   - oldVersions: of candidates that are older than OpenGL ES 3.0, as they name themselves.
    package init(of machine: Machine, chosenIsSoftware: Bool?, oldVersions: [String] = []) {
        (self.machine, fails) = (machine, chosenIsSoftware == nil)
        let files = DeviceFile.all(on: machine)
        let isGPUUnused = chosenIsSoftware == true && files.contains(where: \.isNeeded)
        checkLibraries(isGBMMissed: fails || isGPUUnused)
        let vendors = checkVendorFiles()
        checkMesa(isNamed: vendors.contains { $0.hasPrefix("libEGL_mesa") })
        if files.contains(where: \.isNVIDIA) {
            checkNVIDIA(isNamed: vendors.contains { $0.hasPrefix("libEGL_nvidia") })
        }
        check(files)
        checkVariables(isGPUUnused: isGPUUnused)
        for version in Set(oldVersions).sorted() {
            check(
                fails, "OpenGL ES 3.0 is needed, but a driver has only \(version)",
                "install a newer driver, or Mesa to draw on the CPU with --device cpu: \(Package.installingMesa)")
        }
    }

    private func loads(_ library: String) -> Bool { machine.loadingFailure(library) == nil }

    private mutating func check(_ isFound: Bool, _ problem: String, _ fix: String) {
        if isFound { troubles.append(Trouble(problem: problem, fix: fix)) }
    }

    // MARK: - Libraries

    /// - Parameter isGBMMissed: whether GBM, which leads only to GPUs with device files, may hide one.
    private mutating func checkLibraries(isGBMMissed: Bool) {
        for name in ["libEGL.so.1", "libGLESv2.so.2", "libgbm.so.1"] {
            let reason = machine.loadingFailure(name)
            found[.libraries, default: []].append("\(name): " + (reason.map { "can't be loaded: \($0)" } ?? "loads"))
            check(
                reason != nil && (name != "libgbm.so.1" || isGBMMissed), "\(name) can't be loaded: \(reason ?? "")",
                "install it: \(Package.installing(name))")
        }
    }

    /// - Returns: the libraries that the files name, without folders.
    private mutating func checkVendorFiles() -> [String] {
        machine.vendorFiles.compactMap { path in
            var (library, reason): (String?, String?)
            do {
                library = try Self.library(in: machine.bytes(of: path))
                reason = library.flatMap(machine.loadingFailure)
            } catch {
                reason = (error as? Machine.Unreadable)?.reason ?? "\(error)"
            }
            let text = library.map { "\($0), which " + (reason.map { "can't be loaded: \($0)" } ?? "loads") }
            found[.vendorFiles, default: []].append("\(path): \(text ?? "can't be used: \(reason ?? "")")")
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

    private mutating func checkMesa(isNamed: Bool) {
        if !isNamed, let variable = Machine.vendorVariables.first(where: { machine.variable($0) != nil }) {
            check(
                fails, "\(variable) leads to no vendor file that names Mesa's \(Self.mesa)",
                "unset it: unset \(variable)")
        } else {
            check(
                fails && !(isNamed && loads(Self.mesa) && machine.hasMesaDrivers),
                "Mesa, which draws on any machine, is not installed, or not all of it",
                "install it: \(Package.installingMesa)")
        }
    }

    /// NVIDIA's EGL: whether it is there, and a vendor file names it. Its container runtime leaves out EGL unless it is
    /// requested.
    private mutating func checkNVIDIA(isNamed: Bool) {
        let isMissing = !loads(Self.nvidia)
        let file = #"{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}"#
        check(
            !isMissing && !isNamed,
            "NVIDIA's \(Self.nvidia) is installed, but no vendor file that libglvnd reads names it",
            "write a vendor file: echo '\(file)' | sudo tee \(Machine.vendorFolders[1])/10_nvidia.json")
        let problem = "there is an NVIDIA GPU, but \(Self.nvidia) can't be loaded"
        let capabilities = machine.variable("NVIDIA_DRIVER_CAPABILITIES")?.description ?? "all"
        let isLeftOut = !capabilities.split(separator: ",").contains { $0 == "graphics" || $0 == "all" }
        check(
            isMissing && isLeftOut,
            "\(problem): NVIDIA_DRIVER_CAPABILITIES=\(capabilities) leaves it out of this container",
            "start the container with: docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all …")
        check(
            isMissing && !isLeftOut, problem,
            "install the part of the driver that contains it, in the same version as the rest: apt-cache search '^libnvidia-(egl|gl)', or dnf provides '*/\(Self.nvidia)'"
        )
    }

    // MARK: - Files and variables

    private mutating func check(_ files: [DeviceFile]) {
        for file in files {
            found[.deviceFiles, default: []].append(
                "\(file.path): group \(file.group): " + (file.reason ?? "this user can open it"))
            check(
                file.isNeeded && file.reason != nil,
                "\(file.path) can't be opened by this user: \(file.reason ?? "")", file.fix)
        }
    }

    private mutating func checkVariables(isGPUUnused: Bool) {
        for (name, effect, software) in Self.known {
            guard let value = machine.variable(name)?.description else { continue }
            found[.variables, default: []].append("\(name)=\(value): \(effect)")
            check(
                isGPUUnused && software.contains(value.lowercased()),
                "\(name)=\(value) makes Mesa draw on the CPU, though there is a GPU", "unset it: unset \(name)")
            check(
                fails && Self.mayFail.contains(name), "no device works, and \(name)=\(value) may be why",
                "unset it: unset \(name)")
        }
    }

    /// The variables that are listed, what each does, and the values that make Mesa draw on the CPU.
    private static let known: [(name: String, effect: String, software: [String])] = [
        ("LIBGL_ALWAYS_SOFTWARE", "Mesa draws on the CPU if it is 1 or true", ["1", "true", "yes", "y", "t"]),
        (
            "GALLIUM_DRIVER",
            "which driver Mesa uses if it draws without a GPU's own driver: llvmpipe, softpipe or zink",
            renderers
        ),
        ("MESA_LOADER_DRIVER_OVERRIDE", "Mesa loads this driver for any GPU", renderers),
        ("DRI_PRIME", "which of several GPUs Mesa draws on", []),
        ("LIBGL_DRIVERS_PATH", "Mesa looks for its drivers in these folders and no others", []),
        ("MESA_GL_VERSION_OVERRIDE", "Mesa reports this version of OpenGL, supported or not", []),
        ("MESA_GLES_VERSION_OVERRIDE", "Mesa reports this version of OpenGL ES, supported or not", []),
        (Machine.vendorVariables[0], "libglvnd reads these vendor files and no others", []),
        (Machine.vendorVariables[1], "libglvnd looks for vendor files in these folders and no others", []),
        ("EGL_PLATFORM", "what the default display is: surfaceless, x11, wayland, drm or device", []),
        ("LD_LIBRARY_PATH", "libraries, also libEGL and drivers, are looked for in these folders first", []),
        ("CUDA_VISIBLE_DEVICES", "which GPUs CUDA shows; EGL shows all of them, so choose with --device N", []),
        (
            "NVIDIA_DRIVER_CAPABILITIES",
            "which parts of the driver NVIDIA's container runtime puts into this container; EGL needs graphics or all",
            []
        ),
    ]
    /// The variables that can keep every driver from working.
    private static let mayFail: Set = [
        "GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE", "LIBGL_DRIVERS_PATH", "MESA_GL_VERSION_OVERRIDE",
        "MESA_GLES_VERSION_OVERRIDE", "EGL_PLATFORM", "LD_LIBRARY_PATH",
    ]
    private static let renderers = ["llvmpipe", "softpipe", "swrast", "kms_swrast"]

    // MARK: - Results

    /// The line that says that nothing is wrong.
    package static let noProblems = "no problems found"

    /// What the machine has and what is wrong with it, as lines for a person.
    package var lines: [String] {
        func section(_ title: String, _ lines: [String]) -> [String] { ["", "\(title):"] + lines.map { "  " + $0 } }
        return Kind.allCases.flatMap { section($0.text.title, found[$0] ?? [$0.text.none]) }
            + (!troubles.isEmpty
                ? section("what to fix", troubles.map(\.sentence)) : fails ? [] : ["", Self.noProblems])
    }

    /// The same as members of a JSON object.
    package var json: [(String, JSONValue?)] {
        let sections = Kind.allCases.map { ($0.rawValue, JSONValue.array((found[$0] ?? []).map(JSONValue.string))) }
        let troubles = troubles.map { ["problem": .string($0.problem), "fix": .string($0.fix)] as JSONValue }
        return sections + [("troubles", .array(troubles))]
    }
}

/// The packages that hold what a driver needs.
private enum Package {
    private static let drivers = "drivers"

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
