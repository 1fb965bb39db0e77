import LoupeFiles
import LoupeImaging

/// A scene file and the reference beside it.
public struct SceneCase: Hashable, Sendable {
    /// The scene's path, ending in `.json`.
    public let path: String
    /// The folder below the one that was given, or that one's own name.
    public let suite: String
    /// The file's name without its ending.
    public let name: String

    /// `path` with `.png` in place of `.json`.
    public var referencePath: String { path.dropLast(".json".count) + ".png" }
    /// The folder that was given, below which all files of the case are to lie; empty for the working directory.
    let root: String
    /// What its files may lie below; anywhere where `allowsOutside`.
    func confinement(allowsOutside: Bool) -> PathConfinement { allowsOutside ? .none : PathConfinement(below: root) }
    /// As results name it.
    public var title: String { "\(suite)/\(name)" }
}
