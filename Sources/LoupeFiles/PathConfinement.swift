import Glibc

/// The folder below which the files must lie that a document names, so that one from elsewhere reaches no others.
///
/// What counts is where a path leads, links resolved: neither an absolute path nor `..` nor a link leads out. Whoever
/// can put other files in their place meanwhile is not kept from anything.
public struct PathConfinement: Sendable {
    /// Without links; nil where the folder can't be found, and nothing lies below it then.
    private let root: String?
    /// Whether any file may be named.
    private let isOpen: Bool

    /// Any file may be named.
    public static let none = PathConfinement()

    private init() { (root, isOpen) = (nil, true) }

    /// - Parameter folder: From the working directory; empty for the working directory itself.
    public init(below folder: String) { (root, isOpen) = (RealPath.of(folder.isEmpty ? "." : folder), false) }

    /// Whether a path, from the working directory, leads to a file below the folder, or to room for one.
    public func allows(_ path: String) -> Bool {
        if isOpen { return true }
        guard let root, let place = RealPath.ofPlace(path) else { return false }
        return place.hasPrefix(root.hasSuffix("/") ? root : root + "/")
    }

    /// Why a file may not be named, as a clause of a sentence; nil where it may.
    /// - Parameters:
    ///   - path: From the working directory.
    ///   - name: The same as the document has it.
    public func refusal(of path: String, named name: String) -> String? {
        allows(path) ? nil : "'\(name)' \(Self.problem)"
    }

    /// What is wrong with a file that lies elsewhere, and its mend.
    public static let problem =
        "leads out of the folder of the file that names it; name a file below that folder, or use --allow-outside"
}

/// Paths without links, dots or doubled slashes.
public enum RealPath {
    /// Nil where there is no such file.
    public static func of(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The same for a place where nothing need be yet; nil where it goes up from a folder that is not there.
    public static func ofPlace(_ path: String) -> String? {
        if let real = of(path) { return real }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let start = path.hasPrefix("/") ? "/" : "./"
        for count in parts.indices.reversed() {
            guard let folder = of(start + parts[..<count].joined(separator: "/")) else { continue }
            let rest = parts[count...]
            if rest.contains("..") { return nil }
            return (folder == "/" ? "" : folder) + "/" + rest.joined(separator: "/")
        }
        return nil
    }
}
