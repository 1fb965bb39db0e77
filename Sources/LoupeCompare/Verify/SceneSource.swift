import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// A scene read from its file, with the images that it shows and the limits that apply to it.
struct SceneSource {
    let scene: Scene
    let limits: CaseLimits
    /// The images by the paths in the scene.
    let images: [ImagePath: Image]

    /// Reads a scene and its images.
    ///
    /// - Parameters:
    ///   - confinement: Where the images may lie.
    ///   - given: The limits of a scene that states none, by those that the specification gives it.
    ///   - pages: Images that are decoded already.
    /// - Throws: `FileError`, `DocumentError` or `ImageError`.
    init(
        _ path: Path, in confinement: PathConfinement, limits given: (CaseLimits) -> CaseLimits,
        pages: inout PageStore
    ) throws {
        let folder = path.folder
        var reader = try JSONReader(parsing: InputBytes.read(path: path, in: confinement, as: .json))
        let stated = try reader.optional("verify")
        scene = try Self.decoder(in: folder, confinement).scene(from: &reader)
        let specified = CaseLimits(for: scene)
        limits = try stated.map { try CaseLimits($0, over: specified) } ?? given(specified)
        images = try pages.images(scene.imagePaths, in: folder, confinement)
    }

    private static func decoder(in folder: Path, _ confinement: PathConfinement) -> SceneDecoder {
        SceneDecoder(
            refusal: { confinement.refusal(of: PageStore.location($0, in: folder), named: $0) },
            imageSize: { try ImageFile(path: PageStore.location($0, in: folder), in: confinement).size })
    }

    /// The images that a scene names, by their paths from the working directory, as far as the scene can be read.
    static func pages(of path: Path, in confinement: PathConfinement) -> [Path] {
        guard let bytes = try? InputBytes.read(path: path, as: .json), var reader = try? JSONReader(parsing: bytes)
        else {
            return []
        }
        _ = try? reader.optional("verify")
        let folder = path.folder
        var pages: [Path] = []
        let decoder = SceneDecoder(
            refusal: { name in
                let page = PageStore.location(name, in: folder)
                let refusal = confinement.refusal(of: page, named: name)
                if refusal == nil { pages.append(page) }
                return refusal
            }, imageSize: { try ImageFile(path: PageStore.location($0, in: folder), in: confinement).size })
        _ = try? decoder.scene(from: &reader)
        return pages
    }
}

/// A cache of the images that scenes show, so that an image shown by many scenes is decoded once.
struct PageStore {
    /// Decoded images by the path of their file.
    private var decoded: [Path: Image] = [:]
    /// The largest number of images kept; suites share a few pages.
    private static let capacity = 8

    /// The images of a scene, by the paths in it.
    mutating func images(
        _ paths: [ImagePath], in folder: Path, _ confinement: PathConfinement
    ) throws(ImageError) -> [ImagePath: Image] {
        var images: [ImagePath: Image] = [:]
        for path in paths { images[path] = try image(Self.location(path, in: folder), confinement) }
        return images
    }

    private mutating func image(
        _ path: Path, _ confinement: PathConfinement
    ) throws(ImageError) -> Image {
        let key = path.ofFile
        if let image = decoded[key] { return image }
        let image = try ImageFile(path: path, in: confinement).image()
        if decoded.count >= Self.capacity { decoded.removeAll() }
        decoded[key] = image
        return image
    }

    /// The path from the working directory of an image that a scene in a folder names.
    static func location(_ path: ImagePath, in folder: Path) -> Path { Path(bytes: path.bytes).relative(to: folder) }
}

extension Path {
    /// The same for all paths that lead to one file, but for hard links.
    package var ofFile: Path { real ?? simplified }

    /// The same for all paths that lead to one name in one folder. What the name leads to does not matter: each name of a
    /// scene has a reference of its own.
    var ofName: Path { ((folder.isEmpty ? "." : folder).real ?? folder.simplified).child(name) }
}
