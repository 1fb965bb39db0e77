// What can keep OpenGL ES from working on a machine, and its fix.

import Glibc

/// Something that keeps a device from working or from being used, and its fix.
public struct Trouble: Hashable, Sendable {
    /// One clause: what is wrong.
    public let problem: String
    /// One clause: what to do.
    public let fix: String
    /// The command to run; nil if there is none.
    public let command: String?

    /// Such as `Mesa is not installed. Fix: install it: sudo apt-get install …`.
    public var sentence: String { "\(problem). Fix: \(fix)" + (command.map { ": \($0)" } ?? "") }
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

    /// Whether any device works.
    var works: Bool { chosenIsSoftware != nil }
}

/// Finds the usual troubles of a machine.
struct TroubleFinder {
    private let machine: Examination
    private let probe: ProbeFindings

    init(_ machine: Examination, _ probe: ProbeFindings) {
        self.machine = machine
        self.probe = probe
    }

    /// All troubles, the gravest first.
    var troubles: [Trouble] {
        libraryTroubles + vendorTroubles + [noDrivers].compactMap(\.self) + fileTroubles
            + [forcedSoftware, missingGraphics].compactMap(\.self)
            + versionTroubles + [noEnumeration].compactMap(\.self)
    }

    private var hasNVIDIA: Bool { machine.files.contains(where: \.isNVIDIA) }
    private var hasGPU: Bool { machine.files.contains(where: \.isNeeded) }
    /// The variable that makes libglvnd read other vendor files than usual; nil if none is set.
    private var narrowingVariable: String? {
        [VendorSearch.filesVariable, VendorSearch.foldersVariable].first { machine.value(of: $0) != nil }
    }

    private var distribution: Distribution { machine.distribution }
    private var installingMesa: String { distribution.install(.egl, .gles, .mesaEGL, .mesaDrivers) }

    // MARK: - Libraries

    private var libraryTroubles: [Trouble] { machine.libraries.compactMap(trouble(of:)) }

    /// A missing GBM is a trouble only if it may hide a GPU, or if Mesa's EGL, which needs it, may fail because of it.
    private func trouble(of library: EntryLibrary) -> Trouble? {
        guard let reason = library.reason else { return nil }
        if library.package == .gbm, probe.works, !(hasGPU && probe.chosenIsSoftware == true) { return nil }
        return Trouble(
            problem: "\(library.name) can't be loaded: \(reason)", fix: "install it",
            command: distribution.install(library.package))
    }

    private var hasEGL: Bool { machine.libraries.allSatisfy { $0.package == .gbm || $0.reason == nil } }

    // MARK: - Vendors

    private var vendorTroubles: [Trouble] {
        machine.vendors.compactMap(trouble(of:)) + Vendor.allCases.compactMap(unnamed)
            + [missingMesa].compactMap(\.self)
    }

    private func trouble(of file: VendorFile) -> Trouble? {
        switch file.outcome {
        case .loads: return nil
        case .unusable(let reason):
            return Trouble(
                problem: "\(file.path) can't be used, so libglvnd ignores it: \(reason)",
                fix: "correct it, or reinstall the package that it belongs to",
                command: distribution.owner(ofFile: file.path)
            )
        case .unloadable(let reason):
            let library = file.library ?? ""
            return Trouble(
                problem: "\(file.path) names \(library), which can't be loaded, so libglvnd ignores it: \(reason)",
                fix: "install what is missing, or remove the file", command: "ldconfig -p | grep \(library)")
        }
    }

    /// A vendor's EGL that is installed, but that no vendor file names.
    private func unnamed(_ vendor: Vendor) -> Trouble? {
        guard machine.loadable.contains(vendor), !machine.vendors.contains(where: vendor.isNamed),
            vendor == .mesa ? !probe.works : hasNVIDIA
        else { return nil }
        let problem = "\(vendor.name)'s \(vendor.library) is installed, but no vendor file that libglvnd reads names it"
        if let variable = narrowingVariable {
            return Trouble(problem: problem, fix: "unset \(variable)", command: "unset \(variable)")
        }
        switch vendor {
        case .mesa:
            return Trouble(
                problem: problem, fix: "reinstall it", command: distribution.reinstall(.mesaEGL))
        case .nvidia:
            let text = #"{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}"#
            let path = "/usr/share/glvnd/egl_vendor.d/10_nvidia.json"
            return Trouble(problem: problem, fix: "write a vendor file", command: "echo '\(text)' | sudo tee \(path)")
        }
    }

    private var missingMesa: Trouble? {
        guard !probe.works, !machine.loadable.contains(.mesa), !machine.vendors.contains(where: Vendor.mesa.isNamed)
        else { return nil }
        return Trouble(
            problem: "Mesa, which draws on any machine, is not installed", fix: "install it",
            command: installingMesa)
    }

    private var noDrivers: Trouble? {
        guard !probe.works, machine.loadable.contains(.mesa), !machine.hasMesaDrivers else { return nil }
        if let path = machine.value(of: "LIBGL_DRIVERS_PATH") {
            return Trouble(
                problem: "LIBGL_DRIVERS_PATH makes Mesa look in \(path), where there is no driver", fix: "unset it",
                command: "unset LIBGL_DRIVERS_PATH")
        }
        return Trouble(
            problem: "Mesa's EGL is installed, but none of its drivers", fix: "install them",
            command: distribution.install(.mesaDrivers))
    }

    // MARK: - Device files

    private var fileTroubles: [Trouble] { machine.files.filter(\.isNeeded).compactMap(trouble(of:)) }

    private func trouble(of file: DeviceFile) -> Trouble? {
        guard let reason = file.reason else { return nil }
        let problem = "\(file.path) can't be opened by this user: \(reason)"
        if file.failure == EPERM {
            let flag = file.isNVIDIA ? "--gpus all" : "--device /dev/dri"
            return Trouble(
                problem: problem, fix: "give the container access; start it with", command: "docker run \(flag) …")
        }
        guard file.failure == EACCES else {
            return Trouble(problem: problem, fix: "read the driver's messages", command: "sudo dmesg | tail -40")
        }
        guard file.isOpenToGroup, file.group != "root" else {
            return Trouble(
                problem: problem, fix: "give it to a group that may use GPUs, and join that group",
                command:
                    "sudo chgrp render \(file.path) && sudo chmod g+rw \(file.path) && sudo usermod -aG render $USER")
        }
        return Trouble(
            problem: problem, fix: "join the group \(file.group), and log in again",
            command: "sudo usermod -aG \(file.group) $USER")
    }

    // MARK: - Variables

    /// Software drawing is a trouble only if there is a GPU.
    private var forcedSoftware: Trouble? {
        guard hasGPU, probe.chosenIsSoftware == true, let variable = softwareVariable else { return nil }
        let value = machine.value(of: variable) ?? ""
        return Trouble(
            problem: "\(variable)=\(value) makes Mesa draw on the CPU, though there is a GPU", fix: "unset it",
            command: "unset \(variable)")
    }

    private var softwareVariable: String? {
        let drivers = ["llvmpipe", "softpipe", "swrast", "kms_swrast"]
        return machine.variables.first { variable in
            switch variable.name {
            case "LIBGL_ALWAYS_SOFTWARE": ["1", "true", "yes", "y", "t"].contains(variable.value.lowercased())
            case "GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE": drivers.contains(variable.value)
            default: false
            }
        }?.name
    }

    /// NVIDIA's container runtime leaves out EGL unless it is requested.
    private var missingGraphics: Trouble? {
        guard hasNVIDIA, !machine.loadable.contains(.nvidia) else { return nil }
        let problem = "there is an NVIDIA GPU, but libEGL_nvidia.so.0 can't be loaded"
        if let capabilities = machine.value(of: "NVIDIA_DRIVER_CAPABILITIES"),
            !capabilities.split(separator: ",").contains(where: { $0 == "graphics" || $0 == "all" })
        {
            return Trouble(
                problem: "\(problem): NVIDIA_DRIVER_CAPABILITIES=\(capabilities) leaves it out of this container",
                fix: "start the container with", command: "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all …")
        }
        return Trouble(
            problem: problem, fix: "install the part of the driver that contains it, in the same version as the rest",
            command: distribution.searchForNVIDIA)
    }

    // MARK: - What EGL says

    private var versionTroubles: [Trouble] {
        guard !probe.works else { return [] }
        return Set(probe.oldVersions).sorted().map { version in
            let problem = "OpenGL ES 3.0 is needed, but a driver has only \(version)"
            if machine.value(of: "MESA_GLES_VERSION_OVERRIDE") != nil {
                return Trouble(
                    problem: problem, fix: "unset MESA_GLES_VERSION_OVERRIDE",
                    command: "unset MESA_GLES_VERSION_OVERRIDE")
            }
            return Trouble(
                problem: problem, fix: "install a newer driver, or install Mesa and draw on the CPU with --device cpu",
                command: installingMesa)
        }
    }

    /// A missing extension is no trouble if a device works without it and no GPU is left unused.
    private var noEnumeration: Trouble? {
        guard !probe.enumeratesDevices, hasEGL, machine.vendors.contains(where: { $0.outcome == .loads }),
            !probe.works || (hasGPU && probe.chosenIsSoftware == true)
        else { return nil }
        return Trouble(
            problem:
                "EGL can't enumerate devices (no EGL_EXT_device_base), so GPUs without Mesa's driver can't be "
                + "reached without a display",
            fix: "install libglvnd's EGL, and a driver that has the extension",
            command: distribution.install(.egl, .mesaEGL))
    }
}
