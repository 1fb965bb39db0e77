import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A file, or standard input, read once: a page, or a document in JSON (a scene or a session).
public struct InputFile: Sendable {
    /// The content of an input.
    public enum Content: Sendable {
        /// An image, opened.
        case page(ImageFile)
        /// A document in JSON.
        case document([UInt8])
    }

    /// A path, or `-` for standard input.
    public let name: Path
    /// What it holds.
    public let content: Content

    /// Reads a path, or standard input for `-`. The content decides what it is, not the name's extension.
    /// - Throws: `FileError` or `ImageError` where it can't be read; `PipelineError.unknownContent` where it is neither an
    ///   image nor JSON.
    public init(_ name: Path) throws {
        try self.init(name.isDash ? ImageFile.openStandardInput() : ImageFile.open(path: name), name: name)
    }

    /// Bytes that have come through standard input.
    /// - Throws: as ``init(_:)``.
    public init(standardInput bytes: [UInt8]) throws {
        try self.init(ImageFile.open(bytes, name: "standard input"), name: "-")
    }

    private init(_ opened: ImageFile.Opened, name: Path) throws {
        self.name = name
        switch opened {
        case .image(let image): content = .page(image)
        case .document(let bytes):
            guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else {
                let start = Array(bytes.prefix(ForeignFile.reach))
                if ForeignFile(start) != nil { throw ImageError.unknownFormat(name: name.inputName, start: start) }
                throw PipelineError.unknownContent(name: name.inputName, isEmpty: bytes.isEmpty)
            }
            content = .document(bytes)
        }
    }

    /// The bytes of a document in JSON.
    /// - Parameter needed: what the document should be, with its article, such as "a scene".
    /// - Throws: `PipelineError.pictureInPlaceOfDocument`.
    public func document(needed: String) throws -> [UInt8] {
        guard case .document(let bytes) = content else {
            throw PipelineError.pictureInPlaceOfDocument(name: name.inputName, needed: needed)
        }
        return bytes
    }
}

/// A scene and the source of its images. The scene is complete: nothing in it depends on the images' pixels.
public struct SceneFile: Sendable {
    /// What is drawn.
    public var scene: Scene
    /// Where the images come from that the scene names.
    public var images: ImageSource
    /// What the scene was made from; nil for a scene that says all itself.
    public private(set) var origin: Origin?
    /// What was read of large images while the scene was made, by path.
    // No longer written to, and taken by one renderer.
    nonisolated(unsafe) private(set) var streams: [ImagePath: ImageStream] = [:]
    /// What was asked for, as a picture stores it; nil for a scene that says all itself.
    var asked: AskedFigure?
    /// Whether it was read from a picture that stores it.
    public private(set) var isFromPicture = false
    /// How many pixels of that picture lie on a metre of paper.
    private var ownDensity: PixelDensity?

    /// A request, and what decides how it is met.
    public struct Origin: Sendable {
        /// What was asked for.
        public let request: Request
        /// What the page's pixels say.
        public let facts: PageFacts
        /// The text that is asked for.
        package let text: FigureText
        /// Sentences about regions that are hardly magnified.
        let warnings: [String]
    }

    /// A scene whose images come from this source.
    public init(_ scene: Scene, images: ImageSource = .workingFolder) { (self.scene, self.images) = (scene, images) }

    /// A sentence for each loupe of which nothing or little is seen, for each image whose profile could not be used when it was
    /// decoded, and for each SVG or PDF with what is not drawn. Images that can't be read are errors where they are drawn.
    package var unseen: [String] {
        scene.unseenLoupes + (origin?.warnings ?? []) + images.undrawn(of: scene.imagePaths)
    }

    /// The scene that a request means for a page. The page is decoded, and kept for who draws the scene.
    /// - Parameters:
    ///   - name: the page's path, as the scene names it; `-` for standard input.
    ///   - cache: images that other pictures show, too.
    /// - Throws: `ComposeError`; `ImageError` and `PipelineError` for the page and the images that the request names.
    public init(
        _ request: Request, on page: ImageFile, at name: Path, options: RenderOptions = RenderOptions(),
        cache: ImageCache? = nil
    ) throws {
        let path = ImagePath(bytes: name.bytes)
        images = ImageSource(page: page, at: name).reading(options.depth, sharing: cache)
        let reading = try PageReading(page, at: path, for: request, from: images, options)
        let composition = try compose(request, page: path, facts: reading.facts, otherSize: images.sizeForRequest)
        scene = composition.scene
        origin = Origin(
            request: request, facts: reading.facts, text: composition.text, warnings: composition.warnings)
        if let stream = reading.stream { streams[path] = stream }
    }

    /// Reads a scene in JSON. Its images are found relative to its folder.
    /// - Parameters:
    ///   - path: of the file; `-` is standard input, whose images are found relative to the working folder.
    ///   - allowsOutside: whether the scene may name files that do not lie below its folder.
    /// - Throws: `FileError` where the file can't be read; `PipelineError` where it is no scene; `ImageError` where a
    ///   layer's rect depends on the size of an image that can't be read.
    public static func read(_ path: Path, allowsOutside: Bool = false) throws -> SceneFile {
        try SceneFile(
            parsing: InputFile(path).document(needed: "a scene"), name: path, allowsOutside: allowsOutside)
    }

    /// Parses a scene in JSON that was read from a file.
    /// - Parameters:
    ///   - name: the file's path, beside which the images lie; `-` for standard input.
    ///   - allowsOutside: as for ``read(_:allowsOutside:)``.
    public init(parsing bytes: [UInt8], name: Path, allowsOutside: Bool = false) throws {
        images = ImageSource(besideDocument: name, allowsOutside: allowsOutside)
        do {
            let decoder = SceneDecoder(refusal: images.refusal(of:), imageSize: images.size(of:))
            scene = try decoder.decode(bytes)
        } catch let error as DocumentError {
            throw PipelineError.document(name: name.inputName, error)
        }
    }

    /// The scene that a picture stores, so that it can be drawn again; nil where it stores none.
    /// - Parameters:
    ///   - picture: as Loupe wrote it.
    ///   - name: its path, beside which the images lie; `-` for standard input.
    ///   - allowsOutside: as for ``read(_:allowsOutside:)``.
    /// - Throws: `PipelineError.storedScene` or `PipelineError.missingImage`.
    public init?(storedIn picture: ImageFile, at name: Path, allowsOutside: Bool = false) throws {
        let text = try picture.text(SelfDescription.sceneKeyword)
        guard let text else { return nil }
        let beside = ImageSource(besideDocument: name, allowsOutside: allowsOutside)
        do {
            let record = try SceneRecord(parsing: Array(text.utf8), refusal: beside.refusal(of:))
            scene = record.scene
            images = beside
            images.recorded = record.digests
            asked = record.request.flatMap(AskedFigure.init)
            isFromPicture = true
        } catch {
            throw PipelineError.storedScene(name: name.inputName, error)
        }
        ownDensity = try picture.density()
        let source = images
        if let missing = scene.imagePaths.first(where: { !ImageSource.exists(source.path(of: $0)) }) {
            throw PipelineError.missingImage(
                name: name.inputName, path: missing == "-" ? nil : source.path(of: missing))
        }
    }
}

extension SceneFile {
    /// How many pixels of the canvas lie on a metre of paper: as the picture says from which the scene was read, or else so
    /// that the first layer's image keeps the size that it has on paper. Nil where neither says it.
    func density() throws(ImageError) -> PixelDensity? {
        if isFromPicture { return ownDensity }
        guard let layer = scene.page, let image = layer.imagePath else {
            return nil
        }
        return try images.file(of: image).density()?.scaled(from: images.size(of: image), to: layer.rect)
    }
}

extension SceneFile {
    /// The sizes of its images, by path.
    package var imageSizes: [ImagePath: ImageSize] {
        get throws { try Dictionary(uniqueKeysWithValues: scene.imagePaths.map { ($0, try images.size(of: $0)) }) }
    }

    /// The same on a canvas of another size, and as large on paper.
    /// - Parameter factor: above 0.
    public func scaled(by factor: Double) -> SceneFile {
        var file = self
        file.scene = scene.scaled(by: factor)
        file.asked = nil
        file.ownDensity = ownDensity?.scaled(x: factor, y: factor)
        file.streams = [:]
        return file
    }
}

extension Path {
    /// The whole name of an input: `-` is "standard input". Sentences shorten it.
    public var inputName: String { isDash ? "standard input" : readable }
}

extension ImageSource {
    /// A sentence for each image whose profile could not be used when it was decoded, and for each of which not all is drawn.
    package func undrawn(of paths: [ImagePath]) -> [String] {
        let profiles = paths.compactMap { path in
            (try? file(of: path).profileProblem).flatMap { $0 }.map { problem in
                "\(path.description.quotable): \(problem); it is read as sRGB"
            }
        }
        return profiles
            + paths.compactMap { path in
                (try? file(of: path).undrawn).flatMap { $0 }.map { "\(path.description.quotable): \($0)" }
            }
    }
}
