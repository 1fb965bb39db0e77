import Glibc
import LoupeJSON

/// Something that keeps a device from working or from being used, and its fix.
public struct Trouble: Hashable, Sendable {
    /// One clause: what is wrong.
    public let problem: String
    /// One clause: what to do.
    public let fix: String
    /// The command to run.
    public let command: String

    /// Such as `Mesa is not installed. Fix: install it: sudo apt-get install …`.
    public var sentence: String { "\(problem). Fix: \(fix): \(command)" }

    var json: JSONValue { ["problem": .string(problem), "fix": .string(fix), "command": .string(command)] }
}

/// The results of trying every way to a device.
public struct ProbeFindings: Hashable, Sendable {
    /// Whether the chosen device draws on the CPU; nil if no device works.
    public let chosenIsSoftware: Bool?
    /// Whether EGL can enumerate devices.
    public let enumeratesDevices: Bool
    /// The versions of candidates that are older than OpenGL ES 3.0, as they name themselves.
    public let oldVersions: [String]

    /// The results of a probe.
    public init(chosenIsSoftware: Bool?, enumeratesDevices: Bool, oldVersions: [String]) {
        self.chosenIsSoftware = chosenIsSoftware
        self.enumeratesDevices = enumeratesDevices
        self.oldVersions = oldVersions
    }
}

/// A family of Linux distributions, for the names of its packages and its commands.
enum Distribution: Int {
    case debian, fedora, arch

    /// The family by `/etc/os-release`, whose `ID_LIKE` names relatives; Debian's if nothing is known.
    init(of machine: Machine) {
        let lines = machine.lines(of: "/etc/os-release").filter { $0.hasPrefix("ID=") || $0.hasPrefix("ID_LIKE=") }
        let names = lines.flatMap { $0.split { "= \"'".contains($0) } }
        self = names.contains("fedora") || names.contains("rhel") ? .fedora : names.contains("arch") ? .arch : .debian
    }

    /// A line for each package or command, a column for each family.
    private static let words = [
        "libEGL.so.1": ["libegl1", "libglvnd-egl", "libglvnd"],
        "libGLESv2.so.2": ["libgles2", "libglvnd-gles", "libglvnd"],
        "libgbm.so.1": ["libgbm1", "mesa-libgbm", "mesa"],
        Examination.mesa: ["libegl-mesa0", "mesa-libEGL", "mesa"],
        "drivers": ["libgl1-mesa-dri", "mesa-dri-drivers", "mesa"],
        "install": ["sudo apt-get install -y", "sudo dnf install -y", "sudo pacman -S"],
        "reinstall": ["sudo apt-get install --reinstall -y", "sudo dnf reinstall -y", "sudo pacman -S"],
        "owner of": ["dpkg --search", "rpm --query --file", "pacman -Qo"],
        "search": [
            "apt-cache search '^libnvidia-(egl|gl)'", "dnf provides '*/libEGL_nvidia.so.0'",
            "pacman -F libEGL_nvidia.so.0",
        ],
    ]

    /// A command with packages, each once, or with a file.
    func command(_ words: String...) -> String {
        words.reduce(into: [String]()) { command, word in
            let own = Self.words[word]?[rawValue] ?? word
            if !command.contains(own) { command.append(own) }
        }.joined(separator: " ")
    }

    var installingMesa: String { command("install", "libEGL.so.1", "libGLESv2.so.2", Examination.mesa, "drivers") }
}

extension Examination {
    /// What keeps a device from working or from being used, the gravest first.
    public func troubles(_ probe: ProbeFindings) -> [Trouble] {
        var checks = Checks(machine: self, probe: probe)
        checks.libraries()
        checks.vendorFiles()
        checks.mesa()
        checks.deviceFiles()
        checks.nvidia()
        checks.openGLES()
        return checks.found
    }
}

/// The checks: a condition, what it means, the fix and its command.
private struct Checks {
    let machine: Examination
    let probe: ProbeFindings
    private(set) var found: [Trouble] = []

    private var works: Bool { probe.chosenIsSoftware != nil }
    /// A device works, but a GPU is left unused.
    private var wastesGPU: Bool { machine.files.contains(where: \.isNeeded) && probe.chosenIsSoftware == true }
    private var hasNVIDIA: Bool { machine.files.contains(where: \.isNVIDIA) }
    private var distribution: Distribution { machine.distribution }

    init(machine: Examination, probe: ProbeFindings) { (self.machine, self.probe) = (machine, probe) }

    private mutating func check(_ isFound: Bool, _ problem: String, fix: String, _ command: String) {
        if isFound { found.append(Trouble(problem: problem, fix: fix, command: command)) }
    }

    mutating func libraries() {
        for library in machine.libraries {
            guard let reason = library.reason else { continue }
            // A missing GBM matters only where it may hide a GPU, or where Mesa's EGL may fail because of it.
            check(
                library.name != "libgbm.so.1" || !works || wastesGPU, "\(library.name) can't be loaded: \(reason)",
                fix: "install it", distribution.command("install", library.name))
        }
    }

    mutating func vendorFiles() {
        for file in machine.vendors {
            guard let reason = file.reason else { continue }
            if let library = file.library {
                check(
                    true, "\(file.path) names \(library), which can't be loaded, so libglvnd ignores it: \(reason)",
                    fix: "install what is missing, or remove the file", "ldconfig -p | grep \(library)")
            } else {
                check(
                    true, "\(file.path) can't be used, so libglvnd ignores it: \(reason)",
                    fix: "correct it, or reinstall the package that it belongs to",
                    distribution.command("owner of", "\(file.path)"))
            }
        }
        let file = #"{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}"#
        unnamed(
            "Mesa", Examination.mesa, isMissed: !works, fix: "reinstall it",
            distribution.command("reinstall", Examination.mesa))
        unnamed(
            "NVIDIA", Examination.nvidia, isMissed: hasNVIDIA, fix: "write a vendor file",
            "echo '\(file)' | sudo tee \(Examination.vendorFolders[1])/10_nvidia.json")
    }

    /// A vendor's EGL that is installed, but that no vendor file names.
    private mutating func unnamed(
        _ vendor: String, _ library: String, isMissed: Bool, fix: String, _ command: String
    ) {
        let unset = Examination.vendorVariables.first { machine.value(of: $0) != nil }.map { "unset \($0)" }
        check(
            isMissed && machine.loadable.contains(library) && !machine.isNamed(library),
            "\(vendor)'s \(library) is installed, but no vendor file that libglvnd reads names it", fix: unset ?? fix,
            unset ?? command)
    }

    mutating func mesa() {
        let loads = machine.loadable.contains(Examination.mesa)
        check(
            !works && !loads && !machine.isNamed(Examination.mesa),
            "Mesa, which draws on any machine, is not installed", fix: "install it", distribution.installingMesa)
        let lacksDrivers = !works && loads && !machine.hasMesaDrivers
        if let path = machine.value(of: "LIBGL_DRIVERS_PATH") {
            check(
                lacksDrivers, "LIBGL_DRIVERS_PATH makes Mesa look in \(path), where there is no driver",
                fix: "unset it", "unset LIBGL_DRIVERS_PATH")
        } else {
            check(
                lacksDrivers, "Mesa's EGL is installed, but none of its drivers", fix: "install them",
                distribution.command("install", "drivers"))
        }
    }

    mutating func deviceFiles() {
        for file in machine.files where file.isNeeded && file.failure != 0 {
            let (fix, command) = file.fix
            check(true, "\(file.path) can't be opened by this user: \(file.reason ?? "")", fix: fix, command)
        }
        if let variable = machine.variables.first(where: \.forcesSoftware) {
            check(
                wastesGPU, "\(variable.name)=\(variable.value) makes Mesa draw on the CPU, though there is a GPU",
                fix: "unset it", "unset \(variable.name)")
        }
    }

    /// NVIDIA's container runtime leaves out EGL unless it is requested.
    mutating func nvidia() {
        guard hasNVIDIA, !machine.loadable.contains(Examination.nvidia) else { return }
        let problem = "there is an NVIDIA GPU, but \(Examination.nvidia) can't be loaded"
        let capabilities = machine.value(of: "NVIDIA_DRIVER_CAPABILITIES") ?? "all"
        let isLeftOut = !capabilities.split(separator: ",").contains { $0 == "graphics" || $0 == "all" }
        check(
            isLeftOut, "\(problem): NVIDIA_DRIVER_CAPABILITIES=\(capabilities) leaves it out of this container",
            fix: "start the container with", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all …")
        check(
            !isLeftOut, problem,
            fix: "install the part of the driver that contains it, in the same version as the rest",
            distribution.command("search"))
    }

    mutating func openGLES() {
        let isOverridden = machine.value(of: "MESA_GLES_VERSION_OVERRIDE") != nil
        for version in Set(probe.oldVersions).sorted() {
            check(
                !works, "OpenGL ES 3.0 is needed, but a driver has only \(version)",
                fix: isOverridden
                    ? "unset MESA_GLES_VERSION_OVERRIDE"
                    : "install a newer driver, or install Mesa and draw on the CPU with --device cpu",
                isOverridden ? "unset MESA_GLES_VERSION_OVERRIDE" : distribution.installingMesa)
        }
        // Without EGL itself, or without a vendor, that is the trouble.
        let hasEGL = machine.libraries.allSatisfy { $0.name == "libgbm.so.1" || $0.reason == nil }
        check(
            !probe.enumeratesDevices && hasEGL && machine.vendors.contains { $0.reason == nil }
                && (!works || wastesGPU),
            "EGL can't enumerate devices (no EGL_EXT_device_base), so GPUs without Mesa's driver can't be reached "
                + "without a display",
            fix: "install libglvnd's EGL, and a driver that has the extension",
            distribution.command("install", "libEGL.so.1", Examination.mesa))
    }
}

extension DeviceFile {
    /// The fix for a file that this user can't open.
    fileprivate var fix: (fix: String, command: String) {
        switch failure {
        case EPERM:
            return (
                "give the container access; start it with",
                "docker run \(isNVIDIA ? "--gpus all" : "--device /dev/dri") …"
            )
        case EACCES where isOpenToGroup && group != "root":
            return ("join the group \(group), and log in again", "sudo usermod -aG \(group) $USER")
        case EACCES:
            return (
                "give it to a group that may use GPUs, and join that group",
                "sudo chgrp render \(path) && sudo chmod g+rw \(path) && sudo usermod -aG render $USER"
            )
        default: return ("read the driver's messages", "sudo dmesg | tail -40")
        }
    }
}
