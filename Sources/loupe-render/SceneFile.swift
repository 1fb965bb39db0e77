import LoupeScene

/// A scene from a file or from standard input.
enum SceneFile {
    /// - Throws: `Failure`: 66 where it can't be read, 65 where it is no scene; or why an image's size is not known.
    static func read(_ name: String) throws -> (scene: Scene, images: ImageSource) {
        let input = try Input(name)
        guard case .scene(let bytes) = input.content else {
            throw Failure(.badInput, "\(name.inputName): a PNG, where a scene in JSON is needed")
        }
        return try decode(bytes, name: name)
    }

    static func decode(_ bytes: [UInt8], name: String) throws -> (scene: Scene, images: ImageSource) {
        let images = ImageSource(besideSceneFile: name)
        do {
            return (try SceneDecoder(imageSize: images.size(of:)).decode(bytes), images)
        } catch let error as SceneError {
            throw Failure(.badInput, "\(name.inputName): \(error.description)")
        }
    }
}
