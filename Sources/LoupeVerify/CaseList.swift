import Glibc
import LoupeFiles
import LoupeImaging

/// The scenes to verify in some folders, and the references without a scene.
public struct CaseList: Sendable {
    /// Each scene once, sorted by path.
    public let cases: [SceneCase]
    /// PNGs that have no scene of the same name beside them and are shown by no scene, sorted by path.
    public let obsolete: [String]

    /// Searches folders and all folders below them. A path of a scene file stands for that scene.
    ///
    /// - Parameter allowsOutside: Whether scenes may show files outside the folder that they were found in.
    /// - Throws: `FileError.unreadable` if a folder can't be read.
    public init(_ folders: [String], allowsOutside: Bool = false) throws(FileError) {
        var cases: [String: SceneCase] = [:]
        var pictures = Set<String>()
        for path in folders {
            let folder = try SceneFolder(path)
            for sceneCase in folder.cases where cases[sceneCase.path] == nil { cases[sceneCase.path] = sceneCase }
            pictures.formUnion(folder.pictures)
        }
        self.cases = cases.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        obsolete = Self.obsolete(among: pictures, cases: self.cases, allowsOutside)
    }

    private static func obsolete(among pictures: Set<String>, cases: [SceneCase], _ allowsOutside: Bool) -> [String] {
        let references = Set(cases.map { PageStore.resolved($0.referencePath, in: "") })
        let candidates = pictures.filter { !references.contains(PageStore.resolved($0, in: "")) }
        guard !candidates.isEmpty else { return [] }
        let shown = Set(
            cases.flatMap { SceneSource.pages(of: $0.path, in: $0.confinement(allowsOutside: allowsOutside)) })
        return candidates.filter { !shown.contains(PageStore.resolved($0, in: "")) }.sorted()
    }
}

/// A scene file and the reference beside it.
public struct SceneCase: Hashable, Sendable {
    /// The scene's path, which ends in `.json`.
    public let path: String
    /// The scene's folder, relative to the searched folder; that folder's own name if it contains the scene itself.
    public let suite: String
    /// The file's name without its extension.
    public let name: String

    /// The path of the reference: `path` with `.png` in place of `.json`.
    public var referencePath: String { path.dropLast(".json".count) + ".png" }
    /// The searched folder, which all files of the case have to lie in; empty for the working directory.
    let root: String

    /// Where the case's files may lie: below `root`, or anywhere if `allowsOutside` is set.
    func confinement(allowsOutside: Bool) -> PathConfinement { allowsOutside ? .none : PathConfinement(below: root) }
    /// The case's name in results: suite/name.
    public var title: String { "\(suite)/\(name)" }
}

/// The scenes and PNGs in a folder and all folders below it.
public struct SceneFolder: Sendable {
    /// The scenes, in the order in which they were found.
    public private(set) var cases: [SceneCase] = []
    /// The paths of all PNGs.
    public private(set) var pictures: [String] = []

    /// Searches a folder and all folders below it, in the order of names. Hidden entries and links to folders are skipped.
    /// A path of a scene file stands for that scene.
    ///
    /// - Throws: `FileError.unreadable`.
    public init(_ path: String) throws(FileError) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        if path.hasSuffix(".json"), Self.kind(of: path) == .file {
            let parts = path.split(separator: "/")
            let suite = parts.dropLast().last.map(String.init) ?? "."
            cases = [Self.sceneCase(path, suite: suite, root: Paths.folder(of: path))]
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

    /// The names in a folder that do not start with a dot, sorted by their bytes.
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
