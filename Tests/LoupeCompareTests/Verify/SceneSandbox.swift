import LoupeImaging
import LoupeOracle
import LoupeScene
import LoupeSystem
import TestSupport

@testable import LoupeCompare

/// A folder of its own with scenes and references.
final class SceneSandbox {
    private let folder = TemporaryFolder()
    var path: String { folder.path }

    /// Writes a file; its folder is made.
    func write(_ text: String, to name: String) throws { _ = folder.put(Array(text.utf8), name) }
    func write(_ image: Image, to name: String) throws { _ = folder.put(try PNG.encode(image), name) }

    func exists(_ name: String) -> Bool { TemporaryFolder.bytes(at: folder.file(name)) != nil }

    /// A green square on 20×10 pixels, and what else the scene says.
    func scene(extra: String = "") -> String {
        """
        {"canvas": {"width": 20, "height": 10},
         "layers": [{"fill": "#20a040", "rect": [4, 2, 12, 6]}]\(extra)}
        """
    }

    /// The results of a run by their titles.
    func run(
        update: Verifier.Update? = nil, accepted: AcceptList? = nil, keepsPictures: Bool = false,
        draw: @escaping Verifier.Draw = { try Oracle().render($0, images: $1) },
        limits: @escaping (CaseLimits) -> CaseLimits = { $0 }
    ) throws -> [String: CaseResult] {
        var verifier = Verifier(
            driver: Driver(renderer: "r", version: "v"), update: update, accepted: accepted,
            keepsPictures: keepsPictures, limits: limits, draw: draw)
        let results = try CaseList([Path(path)]).cases.map { try verifier.verify($0) }
        return Dictionary(uniqueKeysWithValues: results.map { ($0.title, $0) })
    }
}

/// The oracle's picture with one pixel changed.
func oneOff(by step: UInt8, x: Int = 0) -> Verifier.Draw {
    { scene, images in
        var image = try Oracle().render(scene, images: images)
        image.pixels[x * 4] += step
        return image
    }
}
