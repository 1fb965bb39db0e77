import LoupeGeometry
import LoupeImaging
import LoupeJSON
import LoupePlan
import LoupeRenderer
import LoupeScene

/// What a live page holds of a scene: the document that its WebAssembly module reads, and the pictures.
///
/// Images have numbers for names, so a page says nothing about the files it was made of. A JPEG or WebP in sRGB, and a PNG
/// of 8 bits in sRGB, stay as their own bytes. Any other image is decoded and becomes a PNG. Browsers draw SVGs and text
/// differently from each other and from the command, so both come as pictures: as the opening frame shows them, and larger.
package struct LiveDocument: Sendable {
    /// The document, `loupe-live/1`.
    package let json: JSONValue
    /// The bytes of each picture, in the order of the document.
    package let pictures: [[UInt8]]

    /// The most pixels of the larger drawing of an SVG.
    private static let drawnPixels = 1 << 24
    /// How many times larger than the opening frame's the second picture of a text is, as the module has it.
    private static let textScale = 2.0
    /// Texts are drawn whole, also where they leave the canvas.
    private static let boundless = PixelRect(minX: -(1 << 14), minY: -(1 << 14), maxX: 1 << 14, maxY: 1 << 14)

    /// Decodes the images of a scene.
    /// - Throws: `ImageError`, `FileError` and `PipelineError` for images, `TextError` for text.
    package init(_ file: SceneFile, options: RenderOptions = RenderOptions()) throws {
        let chosen = try file.choosingFilters(options: options)
        let scene = try chosen.completeScene(options)
        var album = Album()
        var names: [ImagePath: ImagePath] = [:]
        var traits: [ImagePath: ImageTraits] = [:]
        var documents: [ImagePath: VectorDocument] = [:]
        var images: [JSONValue] = []
        let page = FilterChoice.page(of: scene)
        var isPixelArt = false
        for (index, path) in scene.imagePaths.enumerated() {
            let stored = try file.images.stored(path, limits: options.heldLimits)
            var described: [(String, JSONValue?)] = [("path", .string("\(index)"))]
            if let document = stored.image.vector {
                let large = try document.draw(scaledBy: Self.scale(of: document, in: scene))
                described.append(("picture", .number(Double(album.add(large, try PNG.encode(large))))))
                described.append(("vector", Self.json(document.width, document.height)))
                (documents[path], traits[path]) = (document, stored.image.traits)
            } else {
                let image = try stored.converted()
                let bytes = try Self.ownBytes(of: path, stored, in: file) ?? PNG.encode(image)
                described.append(("picture", .number(Double(album.add(image, bytes)))))
                if path == page { isPixelArt = image.isPixelArt }
                traits[path] = image.traits
            }
            described.append(("opaque", .bool(traits[path]?.isOpaque == true)))
            names[path] = ImagePath("\(index)")
            images.append(.object(JSONObject(described)))
        }
        let plan = DrawPlan(scene, images: traits)
        let drawings = try plan.drawnBlocks.map { path, block -> JSONValue in
            guard let drawn = try documents[path]?.draw(SVGPlacement(block)) else { return .null }
            return .number(Double(album.add(drawn, try PNG.encode(drawn))))
        }
        let larger = DrawPlan(scene.scaled(by: Self.textScale), images: traits)
        let texts = try zip(plan.textRuns, larger.textRuns).map { try album.text($0, larger: $1) }
        let renamed = SceneEncoder().encode(scene.renamingImages { names[$0] ?? $0 })
        var members: [(String, JSONValue?)] = [
            ("format", "loupe-live/1"), ("scene", try JSONValue(parsing: Array(renamed.utf8))),
            ("images", .array(images)), ("drawings", .array(drawings)), ("texts", .array(texts)),
            ("pictures", .array(album.sizes)),
        ]
        if let choice = file.filterChoice {
            let page: JSONValue = [
                "pixelArt": .bool(isPixelArt), "openFilter": .bool(file.scene.loupes.last?.filter == .auto),
                "wholePixels": .bool(choice.scale == 1),
            ]
            members.append(("page", page))
        }
        self.json = .object(JSONObject(members))
        self.pictures = album.pictures
    }

    /// The pictures so far.
    private struct Album {
        var pictures: [[UInt8]] = []
        var sizes: [JSONValue] = []

        /// Adds a picture and returns its number.
        mutating func add(_ image: Image, _ bytes: [UInt8]) -> Int {
            pictures.append(bytes)
            sizes.append(LiveDocument.json(image.width, image.height))
            return pictures.count - 1
        }

        /// Adds both pictures of a text; a text of blanks has none.
        mutating func text(_ run: TextRun, larger: TextRun) throws -> JSONValue {
            guard let drawn = try TextDrawing.draw(TextSpecimen(run), on: LiveDocument.boundless),
                let fine = try TextDrawing.draw(TextSpecimen(larger), on: LiveDocument.boundless)
            else { return [:] }
            return [
                "picture": .number(Double(add(drawn.image, try PNG.encode(drawn.image)))),
                "x": .number(Double(drawn.block.minX)), "y": .number(Double(drawn.block.minY)),
                "fine": .number(Double(add(fine.image, try PNG.encode(fine.image)))),
                "fineX": .number(Double(fine.block.minX) - larger.anchor.x),
                "fineY": .number(Double(fine.block.minY) - larger.anchor.y),
            ]
        }
    }

    private static func json(_ width: Int, _ height: Int) -> JSONValue {
        ["width": .number(Double(width)), "height": .number(Double(height))]
    }

    /// How many times its natural size an SVG is drawn: as often as the loupes magnify, as far as its pixels stay few.
    private static func scale(of document: VectorDocument, in scene: Scene) -> Int {
        let wanted = scene.loupes.map(\.zoom).max() ?? 1
        let most = (Double(drawnPixels) / Double(document.width * document.height)).squareRoot()
        return max(1, Int(min(wanted.rounded(.up), most)))
    }

    /// The file's bytes where a browser decodes them to the same pixels; nil where it may not.
    private static func ownBytes(of path: ImagePath, _ stored: StoredImage, in file: SceneFile) throws -> [UInt8]? {
        guard stored.color == .sRGB, stored.image.pixels16 == nil else { return nil }
        let bytes = try file.images.file(of: path).ownBytes()
        // Of a PNG, the byte after the size is its depth.
        let isPNG = bytes.starts(with: [0x89, 0x50, 0x4e, 0x47])
        return isPNG && (bytes.count < 25 || bytes[24] == 16) ? nil : bytes
    }
}
