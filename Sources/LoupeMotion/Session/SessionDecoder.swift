import LoupeBase
import LoupeScene

/// Reads a session from JSON strictly: the name of a model, what it moves, and the duration and frame rate at which it
/// is shown. Unknown keys are errors.
///
/// Files are read by the caller's closures, by the paths that the session contains, which are relative to the
/// session's own file.
public struct SessionDecoder {
    enum ModelName: String, CaseIterable {
        case keyframes, tilt, scroll, panorama, transition, loupe
    }

    /// A function that returns why a document may not name the file at a path; nil if it may. The path is as the
    /// document has it, relative to the folder. The folder is relative to the session's folder, ends with a slash, and
    /// is empty for the session itself.
    public typealias Refusal = (_ path: ImagePath, _ folder: ImagePath) -> String?

    let imageSize: (_ path: ImagePath) throws(SceneDecodingError) -> ImageSize
    private let refusal: Refusal
    private let file: (_ path: ImagePath) throws(SceneDecodingError) -> [UInt8]
    let textWidth: ((_ label: Label) throws(SceneDecodingError) -> Double)?

    /// - Parameters:
    ///   - refusal: Asked about each path before anything else is. By default every file may be named.
    ///   - imageSize: The size of the image at a path, in pixels. May be asked for more than once.
    ///   - file: The bytes of the scene or trace at a path.
    ///   - textWidth: The width of a text in its font, in canvas pixels. Without it each text has to say its own.
    ///
    /// Errors of any pass through `decode` untouched.
    public init(
        refusal: @escaping Refusal = { _, _ in nil },
        imageSize: @escaping (_ path: ImagePath) throws(SceneDecodingError) -> ImageSize,
        file: @escaping (_ path: ImagePath) throws(SceneDecodingError) -> [UInt8],
        textWidth: ((_ label: Label) throws(SceneDecodingError) -> Double)? = nil
    ) {
        (self.refusal, self.imageSize, self.file, self.textWidth) = (refusal, imageSize, file, textWidth)
    }

    /// Decodes a session from UTF-8 text.
    /// - Throws: `DocumentError`, or what the closures throw.
    public func decode(_ bytes: [UInt8]) throws(SceneDecodingError) -> Session {
        try decode(bytes, needsTrace: true)
    }

    /// - Parameter needsTrace: Whether a session without a recording is refused; if not, nothing moves in it.
    package func decode(_ bytes: [UInt8], needsTrace: Bool) throws(SceneDecodingError) -> Session {
        var session = try JSONReader(parsing: bytes)
        try session.acceptSchema()
        let name = try session.required("model").choice(of: ModelName.self)
        let rate = try session.optional("fps")?.number(in: Session.rateRange) ?? 60
        let duration = try session.optional("duration")?.number(in: Session.durationRange)
        let expected = try session.optional("expect")
        var trace: Trace?
        if name != .keyframes {
            let recording = try session.optional("trace")
            if needsTrace || recording != nil { trace = try self.trace(of: name, &session) }
        }
        let model = try self.model(name, &session, trace ?? Trace())
        var decoded = Session(
            model: model, trace: trace, framesPerSecond: rate,
            duration: duration ?? Session.duration(of: model, framesPerSecond: rate))
        if let expected, needsTrace { decoded.expectations = try expectations(expected, of: decoded) }
        return decoded
    }

    /// - Parameter trace: Empty for keyframes.
    private func model(
        _ name: ModelName, _ session: inout JSONReader, _ trace: Trace
    ) throws(SceneDecodingError) -> Session.Model {
        switch name {
        case .keyframes: .keyframes(try keyframes(&session))
        case .tilt: .tilt(try tilt(&session, trace))
        case .scroll: .scroll(try scroll(&session, trace))
        case .panorama: .panorama(try panorama(&session, trace))
        case .transition: .transition(try transition(&session, trace))
        case .loupe: .loupe(try loupe(&session, trace))
        }
    }
}

// MARK: - What models share

extension SessionDecoder {
    /// Decodes a scene, or reads it from the file at a path.
    func scene(_ value: JSONReader) throws(SceneDecodingError) -> Scene {
        guard case .string = value.value else {
            var object = value
            return try sceneDecoder(in: "").scene(from: &object)
        }
        let path = try self.path(value, needed: "a scene, or the path of its file")
        let folder = path.folder
        let bytes = try file(path)
        var scene: Scene
        do {
            scene = try sceneDecoder(in: folder).decode(bytes)
        } catch let error as DocumentError {
            throw value.error("\(path.description.quotable): \(error.description)")
        }
        for index in scene.layers.indices {
            guard case .image(let image) = scene.layers[index].content else { continue }
            scene.layers[index].content = .image(path: image.relative(to: folder))
        }
        for index in scene.loupes.indices {
            guard let image = scene.loupes[index].split?.image else { continue }
            scene.loupes[index].split?.image = image.relative(to: folder)
        }
        return scene
    }

    /// Decodes the trace, and refuses one without the events that move the model.
    private func trace(of name: ModelName, _ session: inout JSONReader) throws(SceneDecodingError) -> Trace {
        let value = try session.required("trace")
        let trace = try self.trace(value)
        let touches = trace.events.count { if case .touch = $0.content { true } else { false } }
        let rotations = trace.events.count - touches
        if name != .tilt, touches == 0 {
            throw value.error(
                "the model \(name.rawValue) needs touches, and the trace has none, only \(rotations) samples of the rotation rate"
            )
        }
        return trace
    }

    func trace(_ value: JSONReader) throws(SceneDecodingError) -> Trace {
        guard case .string = value.value else { return try TraceDecoder.decode(value) }
        let path = try self.path(value, needed: "events, or the path of their file")
        let bytes = try file(path)
        do {
            return try TraceDecoder.recorded(bytes)
        } catch {
            throw value.error("\(path.description.quotable): \(error.description)")
        }
    }

    /// A decoder of scenes whose paths are relative to a folder.
    func sceneDecoder(in folder: ImagePath) -> SceneDecoder {
        SceneDecoder(
            refusal: { refusal($0, folder) },
            imageSize: { path throws(SceneDecodingError) in try imageSize(path.relative(to: folder)) })
    }

    func path(_ value: JSONReader, needed: String) throws(DocumentError) -> ImagePath {
        let path = ImagePath(try value.string(needed: needed))
        guard !path.bytes.isEmpty, !path.bytes.contains(0) else {
            throw value.error("it is not the path of a file; \(needed) is needed")
        }
        if let refusal = refusal(path, "") { throw value.error(refusal) }
        return path
    }

    /// Decodes the canvas as scenes have it: `{"width": 1024, "height": 768, "background": "#cccccc"}`.
    func canvas(_ session: inout JSONReader) throws(SceneDecodingError) -> Scene.Canvas {
        var scene = JSONReader(["canvas": try session.required("canvas").value])
        return try sceneDecoder(in: "").scene(from: &scene).canvas
    }

    /// Decodes the path of an image and reads the image's size, in pixels.
    func photo(_ value: JSONReader) throws(SceneDecodingError) -> (path: ImagePath, width: Double, height: Double) {
        let path = try self.path(value, needed: "the path of a picture")
        let size = try imageSize(path)
        return (path, Double(size.width), Double(size.height))
    }
}
