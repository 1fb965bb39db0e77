import LoupeGeometry
import LoupeJSON
import LoupeScene

/// Reads a session from JSON strictly: a model by its name, what it moves, and how long and fast it is shown.
///
/// Files are read by the closures that the caller gives, by paths as the session has them: relative to its own file.
public struct SessionDecoder {
    enum ModelName: String, CaseIterable {
        case keyframes, tilt, scroll, panorama, transition, loupe
    }

    /// Why a document may not name the file at a path; nil where it may. The path is as the document has it; it counts
    /// from the folder, which counts from the session's, ends with a slash, and is empty for the session itself.
    public typealias Refusal = (_ path: String, _ folder: String) -> String?

    let imageSize: (_ path: String) throws -> ImageSize
    private let refusal: Refusal
    private let file: (_ path: String) throws -> [UInt8]

    /// - Parameters:
    ///   - refusal: Asked about each path before anything else is. By default every file may be named.
    ///   - imageSize: The size of the image at a path, in pixels. May be asked for more than once.
    ///   - file: The bytes of the scene or trace at a path.
    ///
    /// Errors of either pass through `decode` untouched.
    public init(
        refusal: @escaping Refusal = { _, _ in nil },
        imageSize: @escaping (_ path: String) throws -> ImageSize,
        file: @escaping (_ path: String) throws -> [UInt8]
    ) {
        self.refusal = refusal
        self.imageSize = imageSize
        self.file = file
    }

    /// The session that UTF-8 text holds.
    /// - Throws: `DocumentError`, or what the closures throw.
    public func decode(_ bytes: [UInt8]) throws -> Session {
        var session = try JSONReader(parsing: bytes)
        let name = try session.required("model").choice(of: ModelName.self)
        let rate = try session.optional("fps")?.number(in: Session.rateRange) ?? 60
        let duration = try session.optional("duration")?.number(in: Session.durationRange)
        let trace = name == .keyframes ? nil : try self.trace(try session.required("trace"))
        let model = try self.model(name, &session, trace ?? Trace())
        let ownDuration = max(model.duration, Session.durationRange.lowerBound)
        return Session(model: model, trace: trace, framesPerSecond: rate, duration: duration ?? ownDuration)
    }

    /// - Parameter trace: Empty for keyframes.
    private func model(
        _ name: ModelName, _ session: inout JSONReader, _ trace: Trace
    ) throws -> Session.Model {
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
    /// A scene, or the path of its file.
    func scene(_ value: JSONReader) throws -> Scene {
        guard case .string = value.value else {
            var object = value
            return try sceneDecoder(in: "").scene(from: &object)
        }
        let path = try self.path(value, needed: "a scene, or the path of its file")
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let bytes = try file(path)
        var scene = try naming(path, in: value) { try sceneDecoder(in: folder).decode(bytes) }
        for index in scene.layers.indices {
            guard case .image(let image) = scene.layers[index].content else { continue }
            scene.layers[index].content = .image(path: Self.resolved(image, in: folder))
        }
        for index in scene.loupes.indices {
            guard let image = scene.loupes[index].split?.image else { continue }
            scene.loupes[index].split?.image = Self.resolved(image, in: folder)
        }
        return scene
    }

    private func trace(_ value: JSONReader) throws -> Trace {
        guard case .string = value.value else { return try TraceDecoder.decode(value) }
        let path = try self.path(value, needed: "events, or the path of their file")
        let bytes = try file(path)
        return try naming(path, in: value) { try TraceDecoder.decode(bytes) }
    }

    /// Names a file in the errors of what it holds.
    private func naming<Result>(
        _ path: String, in value: JSONReader, _ decode: () throws -> Result
    ) throws -> Result {
        do {
            return try decode()
        } catch let error as DocumentError {
            throw value.error("\(path): \(error.description)")
        }
    }

    /// Reads scenes whose paths count from a folder.
    private func sceneDecoder(in folder: String) -> SceneDecoder {
        SceneDecoder(
            refusal: { refusal($0, folder) }, imageSize: { try imageSize(Self.resolved($0, in: folder)) })
    }

    /// A scene file's images lie relative to it.
    private static func resolved(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }

    func path(_ value: JSONReader, needed: String) throws(DocumentError) -> String {
        let path = try value.string(needed: needed)
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw value.error("it is not the path of a file; \(needed) is needed")
        }
        if let refusal = refusal(path, "") { throw value.error(refusal) }
        return path
    }

    /// As a scene has it: `{"width": 1024, "height": 768, "background": "#cccccc"}`.
    func canvas(_ session: inout JSONReader) throws -> Scene.Canvas {
        var scene = JSONReader(["canvas": try session.required("canvas").value])
        return try sceneDecoder(in: "").scene(from: &scene).canvas
    }

    /// The path of an image, and its size in pixels.
    func photo(_ value: JSONReader) throws -> (path: String, width: Double, height: Double) {
        let path = try self.path(value, needed: "the path of a picture")
        let size = try imageSize(path)
        return (path, Double(size.width), Double(size.height))
    }
}
