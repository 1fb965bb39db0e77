import LoupeJSON

/// A file that tells libglvnd of a vendor's EGL, and what comes of it.
///
/// libglvnd passes over a vendor whose file it can't read or whose library it can't load, and says nothing.
public struct VendorFile: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case loads
        /// The file itself can't be read, or is not what it should be.
        case unusable(reason: String)
        /// The library that it names can't be loaded.
        case unloadable(reason: String)
    }

    public let path: String
    /// The library that it names, where it can be read.
    public let library: String?
    public let outcome: Outcome

    init(_ path: String, on machine: Machine) {
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

    /// `{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_mesa.so.0"}}`; other keys are passed over, as
    /// libglvnd does.
    private static func library(in bytes: [UInt8]) throws(DocumentError) -> String {
        var file = try JSONReader(parsing: bytes)
        let version = try file.required("file_format_version")
        guard try version.string().split(separator: ".").first == "1" else {
            throw version.error("\(version.value.line) is not a version that libglvnd reads; allowed is 1.x.x")
        }
        var driver = try file.required("ICD")
        return try driver.required("library_path").string()
    }
}

/// Where libglvnd looks for vendor files, as its `libeglvendor.c` does.
struct VendorSearch {
    static let filesVariable = "__EGL_VENDOR_LIBRARY_FILENAMES"
    static let foldersVariable = "__EGL_VENDOR_LIBRARY_DIRS"
    static let folders = ["/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"]

    let machine: Machine

    /// In the order in which libglvnd reads them.
    var files: [VendorFile] {
        paths.map { VendorFile($0, on: machine) }
    }

    private var paths: [String] {
        if let files = machine.environment[Self.filesVariable] { return Self.parts(of: files) }
        let folders = machine.environment[Self.foldersVariable].map(Self.parts) ?? Self.folders
        return folders.flatMap { folder in
            machine.names(in: folder).filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
        }
    }

    private static func parts(of list: String) -> [String] { list.split(separator: ":").map(String.init) }
}
