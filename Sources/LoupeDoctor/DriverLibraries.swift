// The libraries of OpenGL ES on a machine: those that lead to every driver, and the vendors' own, which libglvnd finds by
// vendor files.

import LoupeFiles
import LoupeJSON

/// A library that leads to every driver, and whether it loads.
public struct EntryLibrary: Hashable, Sendable {
    /// The file name that the dynamic linker looks for.
    public let name: String
    /// Why it can't be loaded; nil if it loads.
    public let reason: String?
    /// The package that contains it.
    let package: Package

    /// The libraries that the renderer loads. GBM leads only to GPUs with device files.
    static func all(on machine: Machine) -> [EntryLibrary] {
        let known: [(name: String, package: Package)] = [
            ("libEGL.so.1", .egl), ("libGLESv2.so.2", .gles), ("libgbm.so.1", .gbm),
        ]
        return known.map { EntryLibrary(name: $0.name, reason: machine.loadingFailure($0.name), package: $0.package) }
    }
}

/// A file that names a vendor's EGL library for libglvnd, and whether libglvnd can use it.
///
/// libglvnd silently ignores a vendor whose file it can't read or whose library it can't load.
public struct VendorFile: Hashable, Sendable {
    /// Whether libglvnd can use the file.
    public enum Outcome: Hashable, Sendable {
        /// The library that the file names loads.
        case loads
        /// The file can't be read or is malformed, with the reason.
        case unusable(reason: String)
        /// The library that the file names can't be loaded, with the reason.
        case unloadable(reason: String)
    }

    /// The absolute path.
    public let path: Path
    /// The library that the file names; nil if the file is unusable.
    public let library: String?
    /// Whether libglvnd can use the file.
    public let outcome: Outcome

    init(_ path: Path, on machine: Machine) {
        self.path = path
        do {
            let library = try Self.library(in: machine.bytes(of: path))
            self.library = library
            outcome = machine.loadingFailure(library).map { .unloadable(reason: $0) } ?? .loads
        } catch let error as Machine.Unreadable {
            (library, outcome) = (nil, .unusable(reason: error.reason))
        } catch {
            (library, outcome) = (nil, .unusable(reason: "\(error)"))
        }
    }

    /// `{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_mesa.so.0"}}`; libglvnd ignores other
    /// keys.
    private static func library(in bytes: [UInt8]) throws(DocumentError) -> String {
        var file = try JSONReader(parsing: bytes)
        let version = try file.required("file_format_version")
        guard try version.string().split(separator: ".").first == "1" else {
            throw version.error("\(version.value.line) is not a version that libglvnd reads; 1.x.x is allowed")
        }
        var driver = try file.required("ICD")
        return try driver.required("library_path").string()
    }
}

/// Finds vendor files where libglvnd looks for them (`libeglvendor.c`).
struct VendorSearch {
    /// The variable that lists vendor files.
    static let filesVariable = "__EGL_VENDOR_LIBRARY_FILENAMES"
    /// The variable that lists folders of vendor files.
    static let foldersVariable = "__EGL_VENDOR_LIBRARY_DIRS"
    /// The folders that are read if no variable is set.
    static let folders: [Path] = ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"]

    let machine: Machine

    /// The vendor files in the order in which libglvnd reads them.
    var files: [VendorFile] {
        paths.map { VendorFile($0, on: machine) }
    }

    private var paths: [Path] {
        if let files = machine.environment[Self.filesVariable] { return Self.parts(of: files) }
        let folders = machine.environment[Self.foldersVariable].map(Self.parts) ?? Self.folders
        return folders.flatMap { folder in
            machine.names(in: folder).filter { $0.hasEnding(".json") }.map(folder.child)
        }
    }

    /// The paths in a list with colons between.
    static func parts(of list: Path) -> [Path] {
        list.bytes.split(separator: UInt8(ascii: ":")).map { Path(bytes: $0) }
    }
}

/// A maker of an EGL library.
enum Vendor: CaseIterable {
    case mesa, nvidia

    /// The name in sentences.
    var name: String { self == .mesa ? "Mesa" : "NVIDIA" }
    /// The file name of its EGL library.
    var library: String { self == .mesa ? "libEGL_mesa.so.0" : "libEGL_nvidia.so.0" }

    /// Whether a vendor file names this vendor's library.
    func isNamed(by file: VendorFile) -> Bool {
        let start = self == .mesa ? "libEGL_mesa" : "libEGL_nvidia"
        return file.library?.split(separator: "/").last?.hasPrefix(start) == true
    }
}

/// Mesa's drivers, which are files of their own beside its EGL.
struct MesaDrivers {
    let machine: Machine

    /// Whether there is a driver where Mesa looks for them. Before Mesa 24.2 each is a file `…_dri.so`; later all are one
    /// file `libgallium-….so`.
    var areThere: Bool {
        folders.contains { folder in
            machine.names(in: folder).contains { name in
                name.hasEnding("_dri.so") || name.bytes.starts(with: "libgallium-".utf8)
            }
        }
    }

    private var folders: [Path] {
        if let list = machine.environment["LIBGL_DRIVERS_PATH"] { return VendorSearch.parts(of: list) }
        let libraries: [Path] = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        let libraryFolders = libraries.flatMap { lib in
            [lib] + machine.names(in: lib).filter { $0.hasEnding("-linux-gnu") }.map(lib.child)
        }
        return libraryFolders.flatMap { [$0, $0.child("dri")] }
    }
}
