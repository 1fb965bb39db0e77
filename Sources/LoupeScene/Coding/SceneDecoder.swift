import LoupeBase

#if hasFeature(Embedded)
    /// The error that decoding a scene throws. Embedded Swift has no existential errors: a caller's `imageSize` throws
    /// `DocumentError` there.
    public typealias SceneDecodingError = DocumentError
#else
    /// The error that decoding a scene throws: `DocumentError`, or an error of the caller's `imageSize`.
    public typealias SceneDecodingError = any Error
#endif

/// Reads a scene from JSON strictly, and fills in every default (specification,
/// section 2).
///
/// The keys are those of `SceneFields`. All others are errors.
public struct SceneDecoder {
    /// The reason why a scene may not name the file at a path; nil where it may.
    public typealias Refusal = (_ path: ImagePath) -> String?

    let imageSize: (_ path: ImagePath) throws(SceneDecodingError) -> ImageSize
    private let refusal: Refusal

    /// - Parameters:
    ///   - refusal: Asked about each path before anything else is. By default every file may be named.
    ///   - imageSize: The size of the image at a path that the scene names. Asked only where a default
    ///     depends on it, perhaps more than once; its errors pass through `decode` untouched.
    public init(
        refusal: @escaping Refusal = { _ in nil },
        imageSize: @escaping (_ path: ImagePath) throws(SceneDecodingError) -> ImageSize
    ) {
        self.refusal = refusal
        self.imageSize = imageSize
    }

    /// The scene that UTF-8 text holds.
    /// - Throws: `DocumentError`, or what `imageSize` throws.
    public func decode(_ bytes: [UInt8]) throws(SceneDecodingError) -> Scene {
        var reader = try JSONReader(parsing: bytes)
        // The key `verify` says how the scene is verified, not what it shows.
        _ = try reader.optional("verify")
        try reader.acceptSchema()
        return try scene(from: &reader)
    }

    /// The scene that an object holds. Keys that the caller asked for before may be beside the scene's own.
    package func scene(from reader: inout JSONReader) throws(SceneDecodingError) -> Scene {
        try SceneFields.scene.read(reader, FieldContext(self))
    }

    /// A loupe by itself.
    package func loupe(_ value: JSONReader) throws(SceneDecodingError) -> Loupe {
        try SceneFields.loupe.read(value, FieldContext(self))
    }

    func path(_ value: JSONReader) throws(DocumentError) -> ImagePath {
        let path = ImagePath(try value.string(needed: "the path of a picture"))
        guard !path.bytes.isEmpty, !path.bytes.contains(0) else {
            throw value.error("\(value.value.excerpt) is not the path of a file; the path of a picture is needed")
        }
        if let refusal = refusal(path) { throw value.error(refusal) }
        return path
    }
}
