import Glibc

/// Tells the usual troubles apart.
struct TroubleFinder {
    private let machine: Examination
    private let probe: ProbeFindings

    init(_ machine: Examination, _ probe: ProbeFindings) {
        self.machine = machine
        self.probe = probe
    }

    var troubles: [Trouble] {
        libraryTroubles + vendorTroubles + [noDrivers].compactMap(\.self) + fileTroubles
            + [forcedSoftware, missingGraphics].compactMap(\.self)
            + versionTroubles + [noEnumeration].compactMap(\.self)
    }

    private var hasNVIDIA: Bool { machine.files.contains(where: \.isNVIDIA) }
    private var hasGPU: Bool { machine.files.contains(where: \.isNeeded) }
    private var isNarrowed: String? {
        [VendorSearch.filesVariable, VendorSearch.foldersVariable].first { machine.value(of: $0) != nil }
    }

    private var distribution: Distribution { machine.distribution }
    private var installingMesa: String { distribution.install(.egl, .gles, .mesaEGL, .mesaDrivers) }

    // MARK: - Libraries

    private var libraryTroubles: [Trouble] { machine.libraries.compactMap(trouble(of:)) }

    /// GBM is missed only where a GPU may lie behind it, or where Mesa's EGL, which needs it, may fail for it.
    private func trouble(of library: EntryLibrary) -> Trouble? {
        guard let reason = library.reason else { return nil }
        if library.package == .gbm, probe.works, !(hasGPU && probe.chosenIsSoftware == true) { return nil }
        return Trouble(
            problem: "\(library.name) can't be loaded: \(reason)", mend: "install it",
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
                problem: "\(file.path) can't be used, and libglvnd passes over it: \(reason)",
                mend: "put it right, or install anew what it belongs to", command: distribution.owner(ofFile: file.path)
            )
        case .unloadable(let reason):
            let library = file.library ?? ""
            return Trouble(
                problem: "\(file.path) names \(library), which can't be loaded, and libglvnd passes over it: \(reason)",
                mend: "install what it lacks, or remove the file", command: "ldconfig -p | grep \(library)")
        }
    }

    /// A vendor's EGL that is there, and that libglvnd is not told of.
    private func unnamed(_ vendor: Vendor) -> Trouble? {
        guard machine.loadable.contains(vendor), !machine.vendors.contains(where: vendor.isNamed),
            vendor == .mesa ? !probe.works : hasNVIDIA
        else { return nil }
        let problem = "\(vendor.name)'s \(vendor.library) is there, and no vendor file that libglvnd reads names it"
        if let variable = isNarrowed {
            return Trouble(problem: problem, mend: "do without \(variable)", command: "unset \(variable)")
        }
        switch vendor {
        case .mesa:
            return Trouble(
                problem: problem, mend: "install it anew", command: distribution.reinstall(.mesaEGL))
        case .nvidia:
            let text = #"{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}"#
            let path = "/usr/share/glvnd/egl_vendor.d/10_nvidia.json"
            return Trouble(problem: problem, mend: "write one", command: "echo '\(text)' | sudo tee \(path)")
        }
    }

    private var missingMesa: Trouble? {
        guard !probe.works, !machine.loadable.contains(.mesa), !machine.vendors.contains(where: Vendor.mesa.isNamed)
        else { return nil }
        return Trouble(
            problem: "Mesa, which draws on any machine, is not installed", mend: "install it",
            command: installingMesa)
    }

    private var noDrivers: Trouble? {
        guard !probe.works, machine.loadable.contains(.mesa), !machine.hasMesaDrivers else { return nil }
        if let path = machine.value(of: "LIBGL_DRIVERS_PATH") {
            return Trouble(
                problem: "LIBGL_DRIVERS_PATH leads Mesa to \(path), where no driver lies", mend: "do without it",
                command: "unset LIBGL_DRIVERS_PATH")
        }
        return Trouble(
            problem: "Mesa's EGL is there, and none of its drivers", mend: "install them",
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
                problem: problem, mend: "let the container have it; start it with", command: "docker run \(flag) …")
        }
        guard file.failure == EACCES else {
            return Trouble(problem: problem, mend: "see what the driver says of it", command: "sudo dmesg | tail -40")
        }
        guard file.isOpenToGroup, file.group != "root" else {
            return Trouble(
                problem: problem, mend: "give it to a group that may use GPUs, and join that group",
                command:
                    "sudo chgrp render \(file.path) && sudo chmod g+rw \(file.path) && sudo usermod -aG render $USER")
        }
        return Trouble(
            problem: problem, mend: "join the group \(file.group), and log in again",
            command: "sudo usermod -aG \(file.group) $USER")
    }

    // MARK: - Variables

    /// Only where there is a GPU that could draw.
    private var forcedSoftware: Trouble? {
        guard hasGPU, probe.chosenIsSoftware == true, let variable = softwareVariable else { return nil }
        let value = machine.value(of: variable) ?? ""
        return Trouble(
            problem: "\(variable)=\(value) makes Mesa draw on the CPU, though there is a GPU", mend: "do without it",
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

    /// NVIDIA's container runtime leaves EGL out where it is not asked for.
    private var missingGraphics: Trouble? {
        guard hasNVIDIA, !machine.loadable.contains(.nvidia) else { return nil }
        let problem = "there is an NVIDIA GPU, and libEGL_nvidia.so.0 can't be loaded"
        if let capabilities = machine.value(of: "NVIDIA_DRIVER_CAPABILITIES"),
            !capabilities.split(separator: ",").contains(where: { $0 == "graphics" || $0 == "all" })
        {
            return Trouble(
                problem: "\(problem): NVIDIA_DRIVER_CAPABILITIES=\(capabilities) leaves it out of this container",
                mend: "start the container with", command: "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all …")
        }
        return Trouble(
            problem: problem, mend: "install the part of the driver that holds it, of the same version as the rest",
            command: distribution.searchForNVIDIA)
    }

    // MARK: - What EGL says

    private var versionTroubles: [Trouble] {
        guard !probe.works else { return [] }
        return Set(probe.oldVersions).sorted().map { version in
            let problem = "OpenGL ES 3.0 is needed, and a driver has only \(version)"
            if machine.value(of: "MESA_GLES_VERSION_OVERRIDE") != nil {
                return Trouble(
                    problem: problem, mend: "do without MESA_GLES_VERSION_OVERRIDE",
                    command: "unset MESA_GLES_VERSION_OVERRIDE")
            }
            return Trouble(
                problem: problem, mend: "install a newer driver, or Mesa's for the CPU and draw with --device cpu",
                command: installingMesa)
        }
    }

    /// No trouble where a device is reached otherwise and no GPU is missed.
    private var noEnumeration: Trouble? {
        guard !probe.enumeratesDevices, hasEGL, machine.vendors.contains(where: { $0.outcome == .loads }),
            !probe.works || (hasGPU && probe.chosenIsSoftware == true)
        else { return nil }
        return Trouble(
            problem:
                "EGL can't enumerate devices (no EGL_EXT_device_base), so that GPUs without Mesa's driver can't be "
                + "reached without a display",
            mend: "install libglvnd's EGL, and a driver that has the extension",
            command: distribution.install(.egl, .mesaEGL))
    }
}
