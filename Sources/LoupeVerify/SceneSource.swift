import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeScene

/// A scene as its file has it, with the images that it shows and what it states about its verification.
struct SceneSource {
    let scene: Scene
    let limits: CaseLimits
    /// By the paths in the scene.
    let images: [String: Image]

    /// - Parameter confinement: Of the images.
    /// - Throws: `FileError`, `DocumentError` or `ImageError`.
    init(_ path: String, in confinement: PathConfinement, pages: inout PageStore) throws {
        let folder = PageStore.folder(of: path)
        var reader = try JSONReader(parsing: InputBytes.read(path: path))
        let stated = try reader.optional("verify")
        scene = try Self.decoder(in: folder, confinement).scene(from: &reader)
        let specified = CaseLimits(for: scene)
        limits = try stated.map { try CaseLimits($0, over: specified) } ?? specified
        images = try pages.images(scene.imagePaths, in: folder)
    }

    private static func decoder(in folder: String, _ confinement: PathConfinement) -> SceneDecoder {
        SceneDecoder(
            refusal: { confinement.refusal(of: PageStore.resolved($0, in: folder), named: $0) },
            imageSize: { try ImageFile.size(path: PageStore.resolved($0, in: folder)) })
    }

    /// The pictures that a scene shows, by their paths from here; none where it can't be read.
    static func pages(of path: String, in confinement: PathConfinement) -> [String] {
        guard let bytes = try? InputBytes.read(path: path), var reader = try? JSONReader(parsing: bytes) else {
            return []
        }
        _ = try? reader.optional("verify")
        let folder = PageStore.folder(of: path)
        let decoder = Self.decoder(in: folder, confinement)
        let paths = (try? decoder.scene(from: &reader))?.imagePaths ?? []
        return paths.map { PageStore.resolved($0, in: folder) }
    }
}
