import Foundation
import LoupeBase
import LoupeImaging
import LoupeRenderer
import LoupeScene
import TestSupport

/// The page pictures, by the paths under which every reference scene names them.
enum Pages {
    static let images: [ImagePath: Image] = {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: Repository.pages)
            return try Dictionary(
                uniqueKeysWithValues: names.filter { !$0.hasSuffix(".md") }.map {
                    (ImagePath("../pages/\($0)"), try ImageFile.read(path: "\(Repository.pages)/\($0)"))
                })
        } catch {
            fatalError("reference-images/pages: \(error)")
        }
    }()

    /// For layers of at most 256×256 pixels.
    static let small = images.keys.filter { !$0.description.contains("2048") && $0.description.hasSuffix(".png") }
        .sorted()

    static let traits = images.mapValues(\.traits)

    struct Missing: Error {
        let path: ImagePath
    }

    static func size(of path: ImagePath) throws -> ImageSize {
        guard let image = images[path] else { throw Missing(path: path) }
        return ImageSize(width: image.width, height: image.height)
    }
}

extension SceneGenerator {
    private static let pages = Pages.small.compactMap { path in Pages.traits[path].map { (path, $0.size) } }

    /// Of the small pages.
    init(seed: UInt64) { self.init(seed: seed, images: Self.pages) }
}
