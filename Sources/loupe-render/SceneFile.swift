import LoupeImaging
import LoupeJSON
import LoupeScene

/// A scene from a file or from standard input.
enum SceneFile {
    /// - Throws: `Failure`: 66 where it can't be read, 65 where it is no scene; or why an image's size is not known.
    static func read(_ name: String, allowsOutside: Bool) throws -> (scene: Scene, images: ImageSource) {
        let input = try Input(name)
        guard case .scene(let bytes) = input.content else {
            throw Failure(.badInput, "\(name.inputName): a picture, where a scene in JSON is needed")
        }
        return try decode(bytes, name: name, allowsOutside: allowsOutside)
    }

    /// The scene that a picture of it carries; nil where it carries none.
    /// - Parameter bytes: nil where the picture is a file that can be read again.
    static func stored(
        in bytes: [UInt8]?, name: String, allowsOutside: Bool
    ) throws -> (scene: Scene, images: ImageSource)? {
        let keyword = SelfDescription.sceneKeyword
        let text =
            if let bytes {
                try PNG.text(keyword, in: bytes, name: name.inputName)
            } else {
                try PNG.text(keyword, path: name)
            }
        guard let text else { return nil }
        let record: SceneRecord
        do {
            let paths = ImageSource(besideSceneFile: name, allowsOutside: allowsOutside)
            record = try SceneRecord(parsing: Array(text.utf8), refusal: paths.refusal(of:))
        } catch {
            throw Failure(
                .badInput,
                "\(name.inputName): its text '\(keyword)': \(error.description); or name an option of a page, such as "
                    + "--margin 0, to use the picture itself")
        }
        let images = ImageSource(besideSceneFile: name, allowsOutside: allowsOutside, recorded: record.digests)
        if let missing = record.scene.imagePaths.first(where: { !ImageSource.exists(images.place(of: $0)) }) {
            throw Failure(
                .noInput,
                "\(name.inputName): it was drawn from \(missing == "-" ? "standard input" : images.place(of: missing)), "
                    + "which is not there; put it back, or name an option of a page, such as --margin 0, to use the "
                    + "picture itself")
        }
        return (record.scene, images)
    }

    static func decode(_ bytes: [UInt8], name: String, allowsOutside: Bool) throws -> (
        scene: Scene, images: ImageSource
    ) {
        let images = ImageSource(besideSceneFile: name, allowsOutside: allowsOutside)
        do {
            let decoder = SceneDecoder(refusal: images.refusal(of:), imageSize: images.size(of:))
            return (try decoder.decode(bytes), images)
        } catch let error as DocumentError {
            throw Failure(.badInput, "\(name.inputName): \(error.description)")
        }
    }
}
