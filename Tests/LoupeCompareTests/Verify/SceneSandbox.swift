import Glibc
import LoupeImaging
import LoupeOracle
import LoupeScene

@testable import LoupeCompare
@testable import LoupeSystem

/// A folder of its own with scenes and references, removed at the end.
final class SceneSandbox {
    let path: String

    init() {
        path = "/tmp/loupe-verify-\(UInt64.random(in: .min ... .max))"
        mkdir(path, 0o777)
    }

    deinit {
        remove(path)
    }

    private func remove(_ path: String) {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            closedir(directory)
        }
        Glibc.remove(path)
    }

    /// Writes a file; its folder is made.
    func write(_ text: String, to name: String) throws {
        if let slash = name.lastIndex(of: "/") { mkdir("\(path)/\(name[..<slash])", 0o777) }
        try AtomicFile.write(Array(text.utf8), to: "\(path)/\(name)")
    }

    func write(_ image: Image, to name: String) throws {
        try PNG.write(image, to: "\(path)/\(name)")
    }

    func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

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
