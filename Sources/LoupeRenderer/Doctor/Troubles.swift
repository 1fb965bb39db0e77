import Glibc
import LoupeBase

/// Something that keeps a device from working or from being used, and its fix.
package struct Trouble: Hashable, Sendable {
    /// One clause: what is wrong.
    package let problem: String
    /// One clause: what to do, and mostly the command to run.
    package let fix: String

    /// Such as `Mesa is not installed. Fix: install it: sudo apt-get install …`.
    package var sentence: String { "\(problem). Fix: \(fix)" }

    var json: JSONValue { ["problem": .string(problem), "fix": .string(fix)] }
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

extension Examination {
    /// What keeps a device from working or from being used, the gravest first.
    package func troubles(_ probe: ProbeFindings) -> [Trouble] {
        let checks = [
            libraryChecks(probe), vendorFileChecks, vendorChecks(probe), mesaChecks(probe), deviceFileChecks(probe),
            nvidiaChecks, versionChecks(probe),
        ]
        return checks.joined().filter(\.isFound).map { Trouble(problem: $0.problem, fix: $0.fix) }
    }

    /// A row of the table of checks: whether something is wrong, what that means, and its fix.
    private typealias Check = (isFound: Bool, problem: String, fix: String)

    /// Whether a device works, but a GPU is left unused.
    private func wastesGPU(_ probe: ProbeFindings) -> Bool {
        files.contains(where: \.isNeeded) && probe.chosenIsSoftware == true
    }

    private var hasNVIDIA: Bool { files.contains(where: \.isNVIDIA) }

    /// A missing GBM matters only where it may hide a GPU, or where Mesa's EGL may fail because of it.
    private func libraryChecks(_ probe: ProbeFindings) -> [Check] {
        libraries.map { library in
            let matters = library.name != "libgbm.so.1" || probe.chosenIsSoftware == nil || wastesGPU(probe)
            return (
                library.reason != nil && matters, "\(library.name) can't be loaded: \(library.reason ?? "")",
                "install it: \(Package.installing(library.name))"
            )
        }
    }

    private var vendorFileChecks: [Check] {
        vendors.map { file in
            let reason = file.reason ?? ""
            guard let library = file.library else {
                return (
                    true, "\(file.path) can't be used, so libglvnd ignores it: \(reason)",
                    "correct it, or reinstall its package: dpkg --search \(file.path), or rpm --query --file \(file.path)"
                )
            }
            return (
                file.reason != nil,
                "\(file.path) names \(library), which can't be loaded, so libglvnd ignores it: \(reason)",
                "install what is missing, or remove the file: ldconfig -p | grep \(library)"
            )
        }
    }

    /// A vendor's EGL that is installed, but that no vendor file names.
    private func vendorChecks(_ probe: ProbeFindings) -> [Check] {
        let unset = Self.vendorVariables.first { value(of: $0) != nil }.map { "unset it: unset \($0)" }
        let file = #"{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}"#
        let rows = [
            (
                "Mesa", Self.mesa, probe.chosenIsSoftware == nil,
                "reinstall it: sudo apt-get install --reinstall -y libegl-mesa0, or sudo dnf reinstall -y mesa-libEGL"
            ),
            (
                "NVIDIA", Self.nvidia, hasNVIDIA,
                "write a vendor file: echo '\(file)' | sudo tee \(Self.vendorFolders[1])/10_nvidia.json"
            ),
        ]
        return rows.map { vendor, library, isMissed, fix in
            (
                isMissed && loadable.contains(library) && !isNamed(library),
                "\(vendor)'s \(library) is installed, but no vendor file that libglvnd reads names it", unset ?? fix
            )
        }
    }

    private func mesaChecks(_ probe: ProbeFindings) -> [Check] {
        let (fails, loads) = (probe.chosenIsSoftware == nil, loadable.contains(Self.mesa))
        let folders = value(of: "LIBGL_DRIVERS_PATH")
        return [
            (
                fails && !loads && !isNamed(Self.mesa), "Mesa, which draws on any machine, is not installed",
                "install it: \(Package.installingMesa)"
            ),
            (
                fails && loads && !hasMesaDrivers,
                folders.map { "LIBGL_DRIVERS_PATH makes Mesa look in \($0), where there is no driver" }
                    ?? "Mesa's EGL is installed, but none of its drivers",
                folders == nil
                    ? "install them: \(Package.installing(Package.drivers))" : "unset it: unset LIBGL_DRIVERS_PATH"
            ),
        ]
    }

    private func deviceFileChecks(_ probe: ProbeFindings) -> [Check] {
        let forcing = variables.first(where: \.forcesSoftware)
        return files.map { file in
            (
                file.isNeeded && file.failure != 0, "\(file.path) can't be opened by this user: \(file.reason ?? "")",
                file.fix
            )
        } + [
            (
                forcing != nil && wastesGPU(probe),
                "\(forcing?.name ?? "")=\(forcing?.value ?? "") makes Mesa draw on the CPU, though there is a GPU",
                "unset it: unset \(forcing?.name ?? "")"
            )
        ]
    }

    /// NVIDIA's container runtime leaves out EGL unless it is requested.
    private var nvidiaChecks: [Check] {
        let isMissing = hasNVIDIA && !loadable.contains(Self.nvidia)
        let problem = "there is an NVIDIA GPU, but \(Self.nvidia) can't be loaded"
        let capabilities = value(of: "NVIDIA_DRIVER_CAPABILITIES") ?? "all"
        let isLeftOut = !capabilities.split(separator: ",").contains { $0 == "graphics" || $0 == "all" }
        return [
            (
                isMissing && isLeftOut,
                "\(problem): NVIDIA_DRIVER_CAPABILITIES=\(capabilities) leaves it out of this container",
                "start the container with: docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all …"
            ),
            (
                isMissing && !isLeftOut, problem,
                "install the part of the driver that contains it, in the same version as the rest: apt-cache search '^libnvidia-(egl|gl)', or dnf provides '*/\(Self.nvidia)'"
            ),
        ]
    }

    private func versionChecks(_ probe: ProbeFindings) -> [Check] {
        let isOverridden = value(of: "MESA_GLES_VERSION_OVERRIDE") != nil
        return Set(probe.oldVersions).sorted().map { version in
            (
                probe.chosenIsSoftware == nil, "OpenGL ES 3.0 is needed, but a driver has only \(version)",
                isOverridden
                    ? "unset the override: unset MESA_GLES_VERSION_OVERRIDE"
                    : "install a newer driver, or Mesa to draw on the CPU with --device cpu: \(Package.installingMesa)"
            )
        }
    }
}

/// The packages that hold what a driver needs.
private enum Package {
    static let drivers = "drivers"

    private static let names: [String: (debian: String, fedora: String)] = [
        "libEGL.so.1": ("libegl1", "libglvnd-egl"),
        "libGLESv2.so.2": ("libgles2", "libglvnd-gles"),
        "libgbm.so.1": ("libgbm1", "mesa-libgbm"),
        Examination.mesa: ("libegl-mesa0", "mesa-libEGL"),
        drivers: ("libgl1-mesa-dri", "mesa-dri-drivers"),
    ]

    /// The command of Debian and its relatives, and that of Fedora and its.
    static func installing(_ contents: String...) -> String {
        let packages = contents.compactMap { names[$0] }
        let (debian, fedora) = (packages.map { $0.debian }, packages.map { $0.fedora })
        return "sudo apt-get install -y \(debian.joined(separator: " ")), or "
            + "sudo dnf install -y \(fedora.joined(separator: " "))"
    }

    static var installingMesa: String { installing("libEGL.so.1", "libGLESv2.so.2", Examination.mesa, drivers) }
}

extension DeviceFile {
    /// The fix for a file that this user can't open.
    fileprivate var fix: String {
        switch failure {
        case EPERM:
            "give the container access; start it with: docker run \(isNVIDIA ? "--gpus all" : "--device /dev/dri") …"
        case EACCES where isOpenToGroup && group != "root":
            "join the group \(group), and log in again: sudo usermod -aG \(group) $USER"
        case EACCES:
            "give it to a group that may use GPUs, and join that group: "
                + "sudo chgrp render \(path) && sudo chmod g+rw \(path) && sudo usermod -aG render $USER"
        default: "read the driver's messages: sudo dmesg | tail -40"
        }
    }
}
