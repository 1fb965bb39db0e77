import LoupeBase
import LoupeImaging
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// The data that a picture stores about itself: how it can be drawn again, and in a PNG also which program and device
/// drew it.
///
/// The same scene, program, device and driver give the same bytes in every run.
struct SelfDescription: Sendable {
    /// The keyword of the text that holds the scene.
    static let sceneKeyword = "loupe-scene"
    /// The keyword of the PNG text that holds the device.
    static let deviceKeyword = "loupe-device"

    /// The scene as it was given.
    let scene: Scene
    let source: ImageSource
    /// The SHA-256 of each image's file, by the path in the scene.
    let digests: [ImagePath: String]
    /// What the scene was made from; nil for a scene that was given itself.
    let asked: AskedFigure?
    /// Whether the picture stores it; otherwise it only serves to notice changed images.
    let isStored: Bool

    /// The keyword of the PNG text for readers who can't see the picture.
    static let alternativeKeyword = "Description"

    /// The texts of a PNG; where it is not stored, only the words that the author gave.
    /// - Parameters:
    ///   - output: the PNG's path; the stored paths of images are relative to its folder.
    ///   - device: nil for the reference renderer.
    ///   - program: its name and version.
    func texts(for output: Path, device: DeviceInfo?, program: String) -> [PNGText] {
        func text(_ keyword: String, _ text: String) -> PNGText { PNGText(keyword, text, form: .international) }
        guard isStored else { return scene.alt.map { [text(Self.alternativeKeyword, $0)] } ?? [] }
        let texts = [
            PNGText("Software", program, form: .plain), text(Self.deviceKeyword, Picture.json(of: device).line),
            text(Self.alternativeKeyword, scene.alternativeText),
        ]
        return texts + (record(for: output).map { [text(Self.sceneKeyword, $0)] } ?? [])
    }

    /// The scene and the digests of its images as a text; nil where it is not stored, or can't be.
    /// - Parameter output: the picture's path; the stored paths of images are relative to its folder.
    func record(for output: Path) -> String? {
        let names = self.names(from: output)
        guard isStored, names.values.allSatisfy({ $0.text != nil }) else { return nil }
        return SceneRecord(
            scene: scene.renamingImages { names[$0] ?? $0 },
            digests: Dictionary(names.map { ($1, digests[$0] ?? "") }) { first, _ in first },
            request: asked.flatMap { asked in scene.page?.imagePath.map { asked.json(of: $0, naming: names) } }
        ).text
    }

    /// Why a picture does not store its scene, as a sentence; nil where it does, or is not to.
    func omission(at output: Path) -> String? {
        guard isStored, let name = names(from: output).values.sorted().first(where: { $0.text == nil }) else {
            return nil
        }
        return
            "\(output.inputName.quotable): it can't be drawn again, as the scene in it can't name \(name): a name in JSON is "
            + "UTF-8, and this one is not; rename it, or use --no-metadata"
    }

    /// The paths of the images from a PNG's folder, by those in the scene.
    private func names(from output: Path) -> [ImagePath: ImagePath] {
        let folder = output.folder
        let base = (folder.isEmpty ? "." : folder).real ?? "/"
        let names = scene.imagePaths.map { path in
            (path, path == "-" ? path : ImagePath(bytes: source.path(of: path).way(from: base).bytes))
        }
        return Dictionary(uniqueKeysWithValues: names)
    }

    /// One sentence for each image that changed since the stored picture was made.
    var changes: [String] {
        scene.imagePaths.compactMap { path in
            guard let then = source.recorded[path], let now = digests[path], then != now else { return nil }
            return
                "\(source.path(of: path)): it has changed since the picture was made; its SHA-256 is \(now), "
                + "and was \(then)"
        }
    }
}
