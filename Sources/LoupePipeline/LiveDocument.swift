import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeMotion
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// The data of a scene or a session that a live page holds: the document that its WebAssembly module reads, and the
/// pictures.
///
/// Images have numbers for names, so a page says nothing about the files it was made of. All are lossless WebPs, which are a
/// third to a sixth of the PNGs of the same pixels; a JPEG, WebP or PNG in sRGB, of 8 bits, stays as its own bytes where those
/// are fewer. Browsers draw SVGs and text differently from each other and from the command, so both come as pictures: as the
/// opening frame shows them, and larger.
package struct LiveDocument: Sendable {
    private let members: [(String, JSONValue?)]
    private let album: Album

    /// The document, `loupe-live/1`.
    package var json: JSONValue {
        let own: [(String, JSONValue?)] = [
            ("format", "loupe-live/1"), ("canvas", album.canvas), ("images", .array(album.images)),
            ("drawings", .array(album.drawings)), ("texts", .array(album.texts)), ("pictures", .array(album.sizes)),
        ]
        return .object(JSONObject(own + members))
    }
    /// The bytes of each picture, in the order of the document.
    package var pictures: [[UInt8]] { album.pictures }

    /// The most pixels of the larger drawing of an SVG.
    private static let drawnPixels = 1 << 24
    /// How many times larger than the opening frame's the second picture of a text is, as the module has it.
    private static let textScale = 2.0
    /// Texts are drawn whole, also where they leave the canvas.
    private static let boundless = PixelRect(minX: -(1 << 14), minY: -(1 << 14), maxX: 1 << 14, maxY: 1 << 14)

    /// Decodes the images of a scene.
    /// - Throws: `ImageError`, `FileError` and `PipelineError` for images, `TextError` for text.
    package init(_ file: SceneFile, options: RenderOptions = RenderOptions()) throws {
        let scene = file.scene
        let album = try Album(
            of: scene, scene.imagePaths, from: file.images, enlargement: scene.loupes.map(\.zoom).max() ?? 1, options)
        var members: [(String, JSONValue?)] = [("scene", SceneEncoder().json(scene.renamingImages(album.name)))]
        if let origin = file.origin {
            let page: JSONValue = [
                "pixelArt": .bool(origin.facts.isPixelArt), "openFilter": .bool(origin.request.leavesFiltersOpen),
                "wholePixels": .bool(origin.request.enlargement == nil),
            ]
            members.append(("page", page))
        }
        self.init(members, album)
    }

    /// Decodes the images of a session.
    /// - Throws: As for a scene.
    package init(_ file: SessionFile, options: RenderOptions = RenderOptions()) throws {
        let decoder = SessionDecoder(
            imageSize: file.images.size(of:), file: file.images.file(at:), textWidth: SessionFile.width(of:))
        var paths: [ImagePath] = []
        let session = try decoder.selfContained(file.document) { path in
            if !paths.contains(path) { paths.append(path) }
            return ImagePath("\(paths.firstIndex(of: path) ?? 0)")
        }
        let album = try Album(
            of: file.frame(0).scene, paths, from: file.images, enlargement: Self.usualEnlargement, options)
        self.init([("session", session)], album)
    }

    /// A session of the model loupe without a recording, over a scene: what a hand records on.
    /// - Throws: As for a scene; `PipelineError` where the model can't have this scene.
    package init(recordingOn file: SceneFile, name: Path, options: RenderOptions = RenderOptions()) throws {
        let scene = file.scene
        let album = try Album(
            of: scene, scene.imagePaths, from: file.images, enlargement: Self.usualEnlargement, options)
        func session(_ scene: Scene) -> JSONValue { ["model": "loupe", "scene": SceneEncoder().json(scene)] }
        do {
            let decoder = SessionDecoder(imageSize: file.images.size(of:), file: file.images.file(at:))
            _ = try decoder.decode(Array(session(scene).line.utf8), needsTrace: false)
        } catch let error as DocumentError {
            throw PipelineError.document(name: name.inputName, error)
        }
        self.init([("session", session(scene.renamingImages(album.name)))], album)
    }

    private init(_ members: [(String, JSONValue?)], _ album: Album) {
        (self.members, self.album) = (members, album)
    }

    /// The largest size of a picture for readers without scripts. In a tool it only stands there until that draws.
    private struct StillSize {
        /// From how many bytes on a whole picture would be the largest part of the file, as that of a photograph.
        let most: Int
        /// What is shown instead: a WebP with losses of about so many bytes, and its longest side in pixels.
        let lossy: (bytes: Int32, side: Double)

        static let reader = StillSize(most: 200_000, lossy: (60_000, 1280))
        static let tool = StillSize(most: 4_000, lossy: (4_000, 640))
    }

    /// The picture of the opening frame for readers without scripts, a PNG or WebP.
    /// - Parameter isTool: whether the page is of no use without scripts. The picture is a WebP then, which is smaller.
    package static func still(
        of opening: SceneFile, _ options: RenderOptions, isTool: Bool, on pipeline: Pipeline
    ) throws -> (picture: [UInt8], warnings: [String]) {
        let picture = try pipeline.render(opening, options: options)
        let warnings = try picture.warnings()
        let webP = isTool ? picture.webP() : nil
        let still = try webP ?? picture.png(for: nil)
        let size = isTool ? StillSize.tool : .reader
        guard still.count > size.most else { return (still, warnings) }
        let canvas = opening.scene.canvas
        let small = opening.scaled(by: min(1, size.lossy.side / Double(max(canvas.width, canvas.height))))
        return (try pipeline.render(small, options: options).webP(size: size.lossy.bytes) ?? still, warnings)
    }

    /// How many times its natural size an SVG is drawn whose loupes are not known: of a session.
    private static let usualEnlargement = 4.0

    /// The pictures of a document, and what they stand for.
    private struct Album {
        private(set) var pictures: [[UInt8]] = []
        private(set) var sizes: [JSONValue] = []
        private(set) var images: [JSONValue] = []
        private(set) var drawings: [JSONValue] = []
        private(set) var texts: [JSONValue] = []
        /// The size of the opening frame.
        let canvas: JSONValue
        private var names: [ImagePath: ImagePath] = [:]

        /// The image's name in the document.
        func name(_ path: ImagePath) -> ImagePath { names[path] ?? path }

        /// - Parameters:
        ///   - opening: the first frame.
        ///   - paths: all images that any frame shows; they are named by their positions here.
        ///   - enlargement: how many times its natural size an SVG is drawn, as far as its pixels stay few.
        init(
            of opening: Scene, _ paths: [ImagePath], from source: ImageSource, enlargement: Double,
            _ options: RenderOptions
        ) throws {
            canvas = LiveDocument.json(opening.canvas.width, opening.canvas.height)
            var traits: [ImagePath: ImageTraits] = [:]
            var documents: [ImagePath: VectorDocument] = [:]
            for (index, path) in paths.enumerated() {
                let stored = try source.image(path, limits: options.heldLimits)
                var described: [(String, JSONValue?)] = [("path", .string("\(index)"))]
                if let document = stored.picture.image.vector {
                    let large = try document.draw(scaledBy: LiveDocument.scale(of: document, wanted: enlargement))
                    described.append(("picture", .number(Double(try add(large)))))
                    // Of the first of the loupes that keep the widths of strokes; in the page they follow its zoom.
                    if let scale = opening.loupes.first(where: { $0.strokes == .keep })?.strokeScale {
                        let kept = try document.scalingStrokes(by: scale).draw(
                            scaledBy: LiveDocument.scale(of: document, wanted: enlargement))
                        described.append(("kept", .number(Double(try add(kept)))))
                    }
                    described.append(("vector", LiveDocument.json(document.width, document.height)))
                    (documents[path], traits[path]) = (document, stored.traits)
                } else {
                    let image = try stored.converted()
                    let own = try LiveDocument.ownBytes(of: path, stored.picture, from: source)
                    described.append(("picture", .number(Double(try add(image, own: own)))))
                    traits[path] = stored.traits
                }
                described.append(("opaque", .bool(traits[path]?.isOpaque == true)))
                names[path] = ImagePath("\(index)")
                images.append(.object(JSONObject(described)))
            }
            let plan = DrawPlan(opening, images: traits)
            for drawn in plan.drawnPictures {
                if let image = try documents[drawn.path]?.scalingStrokes(by: drawn.strokeScale).draw(
                    DrawingPlace(drawn.block))
                {
                    drawings.append(.number(Double(try add(image))))
                } else {
                    drawings.append(.null)
                }
            }
            let larger = DrawPlan(opening.scaled(by: LiveDocument.textScale), images: traits)
            for (run, largerRun) in zip(plan.textRuns, larger.textRuns) {
                texts.append(try text(run, larger: largerRun))
            }
        }

        /// Adds a picture, unless it is there, and returns its number.
        /// - Parameter own: its file, where a browser decodes that to the same pixels.
        mutating func add(_ image: Image, own: [UInt8]? = nil) throws(ImageError) -> Int {
            let file = try Self.smallest(image, own: own)
            if let number = pictures.firstIndex(of: file) { return number }
            pictures.append(file)
            sizes.append(LiveDocument.json(image.width, image.height))
            return pictures.count - 1
        }

        /// A file that browsers decode to an image's pixels: its own, or a lossless WebP, or else a PNG.
        private static func smallest(_ image: Image, own: [UInt8]?) throws(ImageError) -> [UInt8] {
            // No lossless file of many colours is as small as a lossy one.
            if let own, !own.isPNG { return own }
            if let webP = WebP.encode(image), own.map({ webP.count < $0.count }) != false { return webP }
            if let own { return own }
            return try PNG.encode(image)
        }

        /// Adds both pictures of a text; a text of blanks has none.
        mutating func text(_ run: TextRun, larger: TextRun) throws -> JSONValue {
            guard let drawn = try TextDrawing.draw(TextRequest(run), on: LiveDocument.boundless),
                let fine = try TextDrawing.draw(TextRequest(larger), on: LiveDocument.boundless)
            else { return [:] }
            return [
                "picture": .number(Double(try add(drawn.image))),
                "x": .number(Double(drawn.block.minX)), "y": .number(Double(drawn.block.minY)),
                "fine": .number(Double(try add(fine.image))),
                "fineX": .number(Double(fine.block.minX) - larger.anchor.x),
                "fineY": .number(Double(fine.block.minY) - larger.anchor.y),
            ]
        }
    }

    private static func json(_ width: Int, _ height: Int) -> JSONValue {
        ["width": .number(Double(width)), "height": .number(Double(height))]
    }

    /// How many times its natural size an SVG is drawn: as often as is wanted, as far as its pixels stay few.
    private static func scale(of document: VectorDocument, wanted: Double) -> Int {
        let most = (Double(drawnPixels) / Double(document.width * document.height)).squareRoot()
        return max(1, Int(min(wanted.rounded(.up), most)))
    }

    /// The file's bytes where a browser decodes them to the same pixels; nil where it may not.
    private static func ownBytes(of path: ImagePath, _ stored: StoredImage, from images: ImageSource) throws -> [UInt8]?
    {
        guard stored.color == .sRGB, stored.image.pixels16 == nil else { return nil }
        let file = try images.file(of: path)
        guard [.png, .jpeg, .webp].contains(file.format), file.frameCount == 1 else { return nil }
        // Browsers convert CMYK in their own way.
        if file.format == .jpeg, try file.plainJPEG(keepsMetadata: true) == nil { return nil }
        // Browsers turn JPEGs alone.
        if file.format != .jpeg, try file.isTurned { return nil }
        let bytes = try file.contents()
        // In a PNG, the byte after the size is its depth.
        return bytes.isPNG && (bytes.count < 25 || bytes[24] == 16) ? nil : bytes
    }
}

extension [UInt8] {
    /// Whether a file begins as PNGs do.
    fileprivate var isPNG: Bool { starts(with: [0x89, 0x50, 0x4e, 0x47]) }
}
