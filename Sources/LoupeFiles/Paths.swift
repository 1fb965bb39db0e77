import Glibc
import LoupeJSON

/// Paths as text. All handling of paths in the project is here, but for the names that the system gives.
public enum Paths {
    /// The folder part of a path: up to and including the last slash; empty for a file of the working directory.
    public static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Up to the last slash and without it; nil for the root and for a path of one part.
    public static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        return String(path[..<slash])
    }

    /// A path that is relative to a folder; an absolute one is returned as it is.
    /// - Parameter folder: with its slash, or empty for the working directory.
    public static func joined(_ folder: String, _ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }

    /// A path without `.`, doubled slashes and `name/..`, so that paths of one file are equal unless links differ. Reads
    /// no file.
    public static func simplified(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// The path from a folder to a file, both absolute and without links; a relative `file` is returned as it is.
    public static func relative(_ file: String, from folder: String) -> String {
        guard file.hasPrefix("/") else { return file }
        let (there, here) = (file.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(there, here).prefix { $0 == $1 }.count
        let ups = [Substring](repeating: "..", count: here.count - common)
        return (ups + there[common...]).joined(separator: "/")
    }

    /// The absolute path of an existing file, without links, dots and doubled slashes; nil where there is no such file.
    public static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The names of everything in a folder, sorted, without hidden files; nil, with `errno` set, where it can't be read.
    public static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// As ``real(_:)`` for a path at which there may be nothing yet; nil where it goes up from a folder that is not there.
    public static func realOfNew(_ path: String) -> String? {
        if let real = real(path) { return real }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let start = path.hasPrefix("/") ? "/" : "./"
        for count in parts.indices.reversed() {
            guard let folder = real(start + parts[..<count].joined(separator: "/")) else { continue }
            let rest = parts[count...]
            if rest.contains("..") { return nil }
            return (folder == "/" ? "" : folder) + "/" + rest.joined(separator: "/")
        }
        return nil
    }
}

/// The folder below which a document's files must lie, so that a document from elsewhere reads no other files.
///
/// Links are resolved first: neither an absolute path nor `..` nor a link leads out. Races (TOCTOU) are not prevented:
/// another process can replace a file between the check and its use.
public struct PathConfinement: Sendable {
    /// Without links; nil where the folder can't be found, and then no file lies below it.
    private let root: String?
    /// Whether any file may be named.
    private let isOpen: Bool

    /// Any file may be named.
    public static let none = PathConfinement()

    private init() { (root, isOpen) = (nil, true) }

    /// - Parameter folder: relative to the working directory; empty for the working directory itself.
    public init(below folder: String) { (root, isOpen) = (Paths.real(folder.isEmpty ? "." : folder), false) }

    /// Whether a path, relative to the working directory, is that of a file below the folder, or of one that can be
    /// made there.
    public func allows(_ path: String) -> Bool {
        if isOpen { return true }
        guard let root, let real = Paths.realOfNew(path) else { return false }
        return real.hasPrefix(root.hasSuffix("/") ? root : root + "/")
    }

    /// Why a file may not be named, as a clause of a sentence; nil where it may.
    /// - Parameters:
    ///   - path: relative to the working directory.
    ///   - name: the same path as the document has it.
    public func refusal(of path: String, named name: String) -> String? {
        allows(path) ? nil : "'\(name.quotable)' \(Self.problem)"
    }

    /// What is wrong with a file that lies elsewhere, and the fix.
    public static let problem =
        "leads out of the folder of the file that names it; name a file below that folder, or use --allow-outside"
}
