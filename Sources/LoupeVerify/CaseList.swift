import LoupeFiles
import LoupeImaging

/// What there is to verify below some folders.
public struct CaseList: Sendable {
    /// Each scene once, in the order of paths.
    public let cases: [SceneCase]
    /// PNGs that neither stand beside a scene nor are shown by one, in the order of paths.
    public let obsolete: [String]

    /// - Parameter allowsOutside: Scenes may show files that do not lie below the folder that was given.
    /// - Throws: `FileError.unreadable` where a folder is.
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
