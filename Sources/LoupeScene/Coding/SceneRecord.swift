import LoupeBase

/// The scene that a picture stores, so that the picture can be drawn again.
///
/// ```json
/// {"format": "loupe-scene/1", "images": [{"path": "page.png", "sha256": "…"}], "scene": {…}}
/// ```
/// Paths are relative to the picture's folder. A digest is that of the whole file, as 64 hexadecimal digits.
package struct SceneRecord: Hashable, Sendable {
    /// The name of the format above. A change that older readers would misread gets a new number.
    package static let format = "loupe-scene/1"

    /// The scene, with the image paths of the record.
    package let scene: Scene
    /// The SHA-256 of each image's file, by path.
    package let digests: [ImagePath: String]

    /// What the scene was made from: a job of a list, with its paths; nil for a scene that was given itself.
    package let request: JSONValue?

    /// A record of a scene and the SHA-256 of each of its images, by path.
    package init(scene: Scene, digests: [ImagePath: String], request: JSONValue? = nil) {
        (self.scene, self.digests, self.request) = (scene, digests, request)
    }

    /// Reads a record from its text.
    /// - Parameter refusal: Asked about each path in the scene. By default every file may be named.
    package init(
        parsing bytes: [UInt8], refusal: @escaping SceneDecoder.Refusal = { _ in nil }
    ) throws(DocumentError) {
        var record = try JSONReader(parsing: bytes)
        let format = try record.required("format")
        guard try format.string() == Self.format else {
            throw format.error("\(format.value.line) is not a scene that this version reads; allowed is \(Self.format)")
        }
        let images = try record.required("images").array()
        let scene = try record.required("scene")
        let request = try record.optional("request")?.value
        try record.finish()
        var digests: [ImagePath: String] = [:]
        for value in images {
            var image = value
            digests[ImagePath(try image.required("path").string())] = try image.required("sha256").string()
            try image.finish()
        }
        self.init(scene: try Self.scene(scene, refusal), digests: digests, request: request)
    }

    /// A record is complete, so no image size is needed.
    private static func scene(_ value: JSONReader, _ refusal: @escaping SceneDecoder.Refusal) throws(DocumentError)
        -> Scene
    {
        var value = value
        let incomplete = value.error("a size is missing; every one is needed")
        do {
            return try SceneDecoder(refusal: refusal) { _ throws(SceneDecodingError) in throw incomplete }
                .scene(from: &value)
        } catch let error as DocumentError {
            throw error
        } catch {
            throw incomplete
        }
    }

    /// The record on one line.
    package var text: String {
        let images = digests.sorted { $0.key < $1.key }.map { path, digest -> JSONValue in
            ["path": .string(path.description), "sha256": .string(digest)]
        }
        let record: JSONValue = [
            "format": .string(Self.format), "images": .array(images), "scene": SceneEncoder().json(scene),
            "request": request,
        ]
        return record.line
    }
}
