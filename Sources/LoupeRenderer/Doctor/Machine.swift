import Glibc
import LoupeSystem

/// The machine that is examined: its files, its environment, and which libraries and device files open. Tests make up
/// machines of their own.
package struct Machine {
    /// A folder that is put before every absolute path; empty for the machine itself.
    let root: Path
    /// The value of a variable of the environment; nil where it is not set. Many are paths, so they are bytes.
    let variable: (_ name: String) -> Path?
    /// Tries to load a shared library. Returns the reason if that fails, nil otherwise.
    let loadingFailure: (_ library: String) -> String?
    /// Tries to open a device file for reading and writing, by its path without `root`. Returns the system's `errno`, 0 if
    /// it opens.
    let openingFailure: (_ path: Path) -> Int32

    /// The machine that this program runs on, with its present environment.
    package static var this: Machine {
        Machine(
            root: "", variable: { getenv($0).map { Path(cString: $0) } },
            loadingFailure: { library in
                guard let handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL) else {
                    return dlerror().map { String(cString: $0) } ?? "it can't be loaded"
                }
                dlclose(handle)
                return nil
            },
            openingFailure: { path in
                let file = path.withCString { open($0, O_RDWR | O_CLOEXEC | O_NONBLOCK) }
                guard file >= 0 else { return errno }
                close(file)
                return 0
            })
    }

    // MARK: - Files

    /// The system's message about a file that can't be read.
    struct Unreadable: Error {
        let reason: String
    }

    /// The bytes of a file, 1 MiB at most.
    func bytes(of path: Path) throws(Unreadable) -> [UInt8] {
        let file = root.appending(path).withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Unreadable(reason: String(cString: strerror(errno))) }
        return Array(bytes.prefix(count))
    }

    /// The names in a folder, sorted by their bytes; none if there is no such folder.
    func names(in folder: Path) -> [Path] { root.appending(folder).entries() ?? [] }

    // MARK: - Drivers

    /// The variables that list vendor files, and folders of them.
    static let vendorVariables = ["__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS"]
    /// The folders that libglvnd reads if no variable is set (`libeglvendor.c`).
    static let vendorFolders: [Path] = ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"]

    private func paths(in variable: String) -> [Path]? {
        self.variable(variable)?.bytes.split(separator: UInt8(ascii: ":")).map { Path(bytes: $0) }
    }

    /// The files that name vendors' EGL libraries, in the order in which libglvnd reads them. It ignores silently what it
    /// can't use.
    package var vendorFiles: [Path] {
        if let files = paths(in: Self.vendorVariables[0]) { return files }
        return (paths(in: Self.vendorVariables[1]) ?? Self.vendorFolders).flatMap { folder in
            names(in: folder).filter { $0.hasEnding(".json") }.map(folder.child)
        }
    }

    /// Whether there is a driver where packages put Mesa's.
    var hasMesaDrivers: Bool {
        let libraries: [Path] = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        let folders = libraries.flatMap { lib in
            [lib] + names(in: lib).filter { $0.hasEnding("-linux-gnu") }.map(lib.child)
        }.flatMap { [$0, $0.child("dri")] }
        // Before Mesa 24.2 each driver is a file `…_dri.so`; later all are one file `libgallium-….so`.
        return folders.contains { folder in
            names(in: folder).contains { $0.hasEnding("_dri.so") || $0.starts(with: "libgallium-") }
        }
    }
}

/// A device file of a GPU, and whether this user can open it.
struct DeviceFile {
    let path: Path
    /// The group's name, or number without a name.
    let group: String
    /// Whether members of the group may read and write it.
    private let isOpenToGroup: Bool
    /// The system's `errno` of opening it; 0 if it opened.
    private let failure: Int32

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
        let groups = String(decoding: (try? machine.bytes(of: "/etc/group")) ?? [], as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        return (nodes.map(("/dev/dri" as Path).child) + others.map(("/dev" as Path).child)).compactMap { path in
            guard let status = machine.root.appending(path).status(), status.st_mode & S_IFMT != S_IFDIR else {
                return nil
            }
            let name = groups.first { $0.count > 2 && $0[2] == "\(status.st_gid)" }?.first
            return DeviceFile(
                path: path, group: name.map { String($0) } ?? String(status.st_gid),
                isOpenToGroup: status.st_mode & 0o060 == 0o060, failure: machine.openingFailure(path))
        }
    }

    /// The fix for a file that this user can't open.
    var fix: String {
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

extension Path {
    fileprivate func starts(with start: String) -> Bool { bytes.starts(with: start.utf8) }
}
