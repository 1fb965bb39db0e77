import LoupeScene

/// A scene from a file or from standard input.
enum SceneFile {
    /// - Throws: `Failure`: 66 where it can't be read, 65 where it is no scene; or why an image's size is not known.
    static func read(_ name: String) throws -> (scene: Scene, folder: ImageFolder) {
        let input = try Input(name)
        guard case .scene(let bytes) = input.content else {
            throw Failure(.badInput, "\(name): a PNG, where a scene in JSON is needed")
        }
        return try decode(bytes, name: name)
    }

    static func decode(_ bytes: [UInt8], name: String) throws -> (scene: Scene, folder: ImageFolder) {
        let folder = ImageFolder(besideSceneFile: name)
        do {
            var reader = try JSONReader(parsing: bytes)
            // What a scene states about its verification does not bear on what it shows.
            _ = try reader.optional("verify")
            return (try SceneDecoder(imageSize: folder.size(of:)).scene(from: &reader), folder)
        } catch let error as SceneError {
            throw Failure(.badInput, "\(name == "-" ? "standard input" : name): \(error.description)")
        }
    }
}
