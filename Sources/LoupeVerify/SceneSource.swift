import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeScene

/// A scene read from its file, with the images that it shows and the limits that apply to it.
struct SceneSource {
    let scene: Scene
    let limits: CaseLimits
    /// The images by the paths in the scene.
    let images: [String: Image]

    /// Reads a scene and its images.
    ///
    /// - Parameters:
    ///   - confinement: Where the images may lie.
    ///   - pages: Images that are decoded already.
    /// - Throws: `FileError`, `DocumentError` or `ImageError`.
    init(_ path: String, in confinement: PathConfinement, pages: inout PageStore) throws {
        let folder = Paths.folder(of: path)
        var reader = try JSONReader(parsing: InputBytes.read(path: path, as: .json))
        let stated = try reader.optional("verify")
        scene = try Self.decoder(in: folder, confinement).scene(from: &reader)
        let specified = CaseLimits(for: scene)
        limits = try stated.map { try CaseLimits($0, over: specified) } ?? specified
        images = try pages.images(scene.imagePaths, in: folder)
    }

    private static func decoder(in folder: String, _ confinement: PathConfinement) -> SceneDecoder {
        SceneDecoder(
            refusal: { confinement.refusal(of: PageStore.resolved($0, in: folder), named: $0) },
            imageSize: { try ImageFile(path: PageStore.resolved($0, in: folder)).size })
    }

    /// The images that a scene shows, by their paths from the working directory; none if the scene can't be read.
    static func pages(of path: String, in confinement: PathConfinement) -> [String] {
        guard let bytes = try? InputBytes.read(path: path, as: .json), var reader = try? JSONReader(parsing: bytes)
        else {
            return []
        }
        _ = try? reader.optional("verify")
        let folder = Paths.folder(of: path)
        let decoder = Self.decoder(in: folder, confinement)
        let paths = (try? decoder.scene(from: &reader))?.imagePaths ?? []
        return paths.map { PageStore.resolved($0, in: folder) }
    }
}

/// A cache of the images that scenes show, so that an image shown by many scenes is decoded once.
struct PageStore {
    /// Decoded images by their path from the working directory.
    private var decoded: [String: Image] = [:]
    /// The largest number of images kept; suites share a few pages.
    private static let capacity = 8

    /// The images of a scene, by the paths in it.
    mutating func images(_ paths: [String], in folder: String) throws(ImageError) -> [String: Image] {
        var images: [String: Image] = [:]
        for path in paths { images[path] = try image(Self.resolved(path, in: folder)) }
        return images
    }

    private mutating func image(_ path: String) throws(ImageError) -> Image {
        if let image = decoded[path] { return image }
        let image = try ImageFile.read(path: path)
        if decoded.count >= Self.capacity { decoded.removeAll() }
        decoded[path] = image
        return image
    }

    /// A scene's path to an image as a path from the working directory, with each `folder/../` removed, so that one file has
    /// one path.
    static func resolved(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : Paths.simplified(folder + path)
    }
}
