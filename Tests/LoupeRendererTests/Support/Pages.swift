import Foundation
import LoupeGeometry
import LoupeImaging
import LoupeRenderer
import TestSupport

/// The page pictures, by the paths under which every reference scene names them.
enum Pages {
    static let images: [String: Image] = {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: Repository.pages)
            return try Dictionary(
                uniqueKeysWithValues: names.filter { !$0.hasSuffix(".md") }.map {
                    ("../pages/\($0)", try ImageFile.read(path: "\(Repository.pages)/\($0)"))
                })
        } catch {
            fatalError("reference-images/pages: \(error)")
        }
    }()

    /// For layers of at most 256×256 pixels.
    static let small = images.keys.filter { !$0.contains("2048") && $0.hasSuffix(".png") }.sorted()

    static let traits = images.mapValues(\.traits)

    struct Missing: Error {
        let path: String
    }

    static func size(of path: String) throws -> ImageSize {
        guard let image = images[path] else { throw Missing(path: path) }
        return ImageSize(width: image.width, height: image.height)
    }
}
