import Glibc
import LoupeFiles
import LoupeImaging

/// The files below a folder that bear on verification.
public struct SceneFolder: Sendable {
    public private(set) var cases: [SceneCase] = []
    /// The paths of all PNGs.
    public private(set) var pictures: [String] = []

    /// Looks through a folder and all below it, in the order of names; hidden entries and links to folders are passed
    /// over. A path that is a scene file stands for itself.
    /// - Throws: `FileError.unreadable`.
    public init(_ path: String) throws(FileError) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if path.hasSuffix(".json"), Self.kind(of: path) == .file {
            let parts = path.split(separator: "/")
            let suite = parts.dropLast().last.map(String.init) ?? "."
            cases = [Self.sceneCase(path, suite: suite, root: PageStore.folder(of: path))]
        } else {
            try collect(path, suite: nil, root: path)
        }
    }

    private mutating func collect(_ folder: String, suite: String?, root: String) throws(FileError) {
        for name in try Self.entries(of: folder) {
            let path = "\(folder)/\(name)"
            switch Self.kind(of: path) {
            case .folder: try collect(path, suite: suite.map { "\($0)/\(name)" } ?? name, root: root)
            case .file where name.hasSuffix(".json"):
                let name = root.split(separator: "/").last.map(String.init) ?? root
                cases.append(Self.sceneCase(path, suite: suite ?? name, root: root))
            case .file where name.hasSuffix(".png"): pictures.append(path)
            case .file, nil: break
            }
        }
    }

    private static func sceneCase(_ path: String, suite: String, root: String) -> SceneCase {
        let file = path.split(separator: "/").last ?? ""
        return SceneCase(path: path, suite: suite, name: String(file.dropLast(".json".count)), root: root)
    }

    private enum Kind {
        case file, folder
    }

    private static func kind(of path: String) -> Kind? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .folder : status.st_mode & S_IFMT == S_IFREG ? .file : nil
    }

    /// Names that do not start with a dot, sorted by their bytes.
    private static func entries(of folder: String) throws(FileError) -> [String] {
        guard let directory = opendir(folder) else {
            throw .unreadable(path: folder, reason: String(cString: strerror(errno)))
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
