import Foundation
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// A scene in reference-images, and its picture by the double-precision renderer beside it.
struct ReferenceCase: Sendable, CustomTestStringConvertible {
    let suite: String
    let name: String

    var testDescription: String { "\(suite)/\(name)" }
    var scenePath: String { "\(Repository.referenceImages)/\(suite)/\(name).json" }
    var picturePath: String { "\(Repository.referenceImages)/\(suite)/\(name).png" }

    static let all: [ReferenceCase] = folders().flatMap { suite in
        files(in: suite, ending: ".json").map { ReferenceCase(suite: suite, name: $0) }
    }

    /// The first case of each suite and every `step`-th of the rest, or all of them if the tests try everything.
    static func sample(every step: Int) -> [ReferenceCase] {
        folders().flatMap { suite in Sample.of(all.filter { $0.suite == suite }, every: step) }
    }

    func scene() throws -> Scene {
        try SceneDecoder(imageSize: Pages.size(of:)).decode(InputBytes.read(path: Path(scenePath), as: .json))
    }

    func picture() throws -> Image { try PNG.read(path: Path(picturePath)) }

    /// The suites: every folder of reference-images but the one that holds the pages.
    static func folders() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Repository.referenceImages)) ?? []
        return names.filter { !$0.contains(".") && $0 != "pages" }.sorted()
    }

    /// Their names without the ending.
    static func files(in suite: String, ending: String) -> [String] {
        let folder = "\(Repository.referenceImages)/\(suite)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }
}
