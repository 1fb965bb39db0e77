import LoupeBase
import LoupeImaging
import LoupeSystem

/// The scenes to verify in some folders, and the references without a scene.
public struct CaseList: Sendable {
    /// Each scene once, sorted by path.
    public let cases: [SceneCase]
    /// PNGs that have no scene of the same name beside them and are shown by no scene, sorted by path.
    public let obsolete: [Path]
    /// Links to folders, which are not followed, sorted.
    package let linkedFolders: [Path]

    /// Searches folders and all folders below them. A path of a scene file stands for that scene.
    ///
    /// - Parameter allowsOutside: Whether scenes may show files outside the folder that they were found in.
    /// - Throws: `FileError.unreadable` if a folder can't be read.
    public init(_ folders: [Path], allowsOutside: Bool = false) throws(FileError) {
        var cases: [Path: SceneCase] = [:]
        var (pictures, links) = (Set<Path>(), Set<Path>())
        for path in folders {
            let folder = try SceneFolder(path)
            for sceneCase in folder.cases where cases[sceneCase.path] == nil { cases[sceneCase.path] = sceneCase }
            pictures.formUnion(folder.pictures)
            links.formUnion(folder.linkedFolders)
        }
        self.cases = cases.values.sorted { $0.path < $1.path }
        linkedFolders = links.sorted()
        obsolete = Self.obsolete(among: pictures, cases: self.cases, allowsOutside)
    }

    /// Declares the files that a run reads, and the references that it may write.
    /// - Parameter update: as for the ``Verifier``, and so are the rest.
    package func declare(
        in uses: inout FileUses, _ update: Verifier.Update?, _ accepted: AcceptList?, allowsOutside: Bool
    ) {
        for (group, sceneCase) in cases.enumerated() {
            let isWritten =
                switch update {
                case nil: accepted?.picture(for: sceneCase.path) != nil
                case .missing: !sceneCase.referencePath.exists
                case .failed, .all: true
                }
            if isWritten { uses.write(sceneCase.referencePath, as: "the reference", group: group) }
        }
        // Reading every scene costs time.
        if uses.writesNothing { return }
        for (group, sceneCase) in cases.enumerated() {
            uses.read(sceneCase.path, as: "the scene")
            uses.read(sceneCase.referencePath, as: "the reference", group: group)
            for path in SceneSource.pages(of: sceneCase.path, in: sceneCase.confinement(allowsOutside: allowsOutside)) {
                uses.read(path, as: "an image of \(sceneCase.path),")
            }
        }
    }

    private static func obsolete(among pictures: Set<Path>, cases: [SceneCase], _ allowsOutside: Bool) -> [Path] {
        let references = Set(cases.map(\.referencePath.ofFile))
        let candidates = pictures.filter { !references.contains($0.ofFile) }
        guard !candidates.isEmpty else { return [] }
        let shown = Set(
            cases.flatMap {
                SceneSource.pages(of: $0.path, in: $0.confinement(allowsOutside: allowsOutside)).map(\.ofFile)
            })
        return candidates.filter { !shown.contains($0.ofFile) }.sorted()
    }
}

/// A scene file and the reference beside it.
public struct SceneCase: Hashable, Sendable {
    /// The scene's path, which ends in `.json`.
    public let path: Path
    /// For people: the scene's folder, relative to the searched folder; that folder's own name if it contains the scene itself.
    public let suite: String
    /// For people: the file's name without its extension.
    public let name: String

    /// The path of the reference: `path` with `.png` in place of `.json`.
    public var referencePath: Path { path.dropping(".json".utf8.count).appending(".png") }
    /// The searched folder, which all files of the case have to lie in; empty for the working directory.
    let root: Path

    /// Where the case's files may lie: below `root`, or anywhere if `allowsOutside` is set.
    func confinement(allowsOutside: Bool) -> PathConfinement { allowsOutside ? .none : PathConfinement(below: root) }

    /// Refuses files that lie elsewhere.
    package func confine(_ paths: [Path], allowsOutside: Bool) throws(DocumentError) {
        let confinement = confinement(allowsOutside: allowsOutside)
        for path in paths where !confinement.allows(path) {
            throw DocumentError(at: .key(path: path.description), "it \(PathConfinement.problem)")
        }
    }

    /// The case's name in results: suite/name.
    public var title: String { "\(suite)/\(name)" }
}

/// The scenes and PNGs in a folder and all folders below it.
public struct SceneFolder: Sendable {
    /// The scenes, in the order in which they were found.
    public private(set) var cases: [SceneCase] = []
    /// The paths of all PNGs.
    public private(set) var pictures: [Path] = []
    /// The paths of links to folders.
    package private(set) var linkedFolders: [Path] = []

    /// Searches a folder and all folders below it, in the order of names. Hidden entries are skipped. Links to folders are not followed.
    /// A path of a scene file stands for that scene.
    ///
    /// - Throws: `FileError.unreadable`.
    public init(_ path: Path) throws(FileError) {
        let path = path.bytes.count > 1 && path.hasEnding("/") ? path.dropping(1) : path
        if path.hasEnding(".json"), try FileTree.kind(of: path) == .file {
            let suite = path.parts.dropLast().last ?? "."
            cases = [Self.sceneCase(path, suite: suite, root: path.folder)]
        } else {
            try collect(path)
        }
    }

    private mutating func collect(_ root: Path) throws(FileError) {
        let files = try FileTree.files(below: root)
        let suite = FileTree.suite(of: root, besides: files.map(\.folder))
        for file in files {
            if file.path.hasEnding(".json") {
                cases.append(Self.sceneCase(file.path, suite: file.folder ?? suite, root: root))
            } else if file.path.hasEnding(".png") {
                pictures.append(file.path)
            } else if file.path.isFolder {
                linkedFolders.append(file.path)
            }
        }
    }

    private static func sceneCase(_ path: Path, suite: Path, root: Path) -> SceneCase {
        let name = path.name.dropping(".json".utf8.count)
        return SceneCase(path: path, suite: suite.readable, name: name.readable, root: root)
    }
}
