import LoupeGeometry
import LoupeJSON

#if hasFeature(Embedded)
    /// What decoding a scene throws. Embedded Swift has no existential errors: a caller's `imageSize` throws
    /// `DocumentError` there.
    public typealias SceneDecodingError = DocumentError
#else
    /// What decoding a scene throws: `DocumentError`, or an error of the caller's `imageSize`.
    public typealias SceneDecodingError = any Error
#endif

/// Reads a scene from JSON strictly, and fills in every default (specification,
/// section 2).
///
/// To add a key, add the line that reads it: an `optional` or `required` with the method that says what is
/// allowed. Keys that no line reads are errors.
public struct SceneDecoder {
    /// The reason why a scene may not name the file at a path; nil where it may.
    public typealias Refusal = (_ path: ImagePath) -> String?

    private let imageSize: (_ path: ImagePath) throws(SceneDecodingError) -> ImageSize
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
        let canvas = try reader.optionalObject("canvas")
        let blending = try reader.optional("blending")?.choice(of: Blending.self) ?? .srgb
        let layers = try reader.optional("layers")
        let loupes = try reader.optional("loupes")
        let texts = try Texts(of: &reader)
        // Unknown keys are reported before missing ones: a missing key is often a misspelt one.
        try reader.finish()
        let decodedLayers = try layers?.array().map(layer) ?? []
        var scene = Scene(
            canvas: try self.canvas(canvas, over: decodedLayers), blending: blending, layers: decodedLayers,
            loupes: try loupes.map { (loupes) throws(DocumentError) in
                try self.loupes(loupes, over: decodedLayers)
            } ?? [])
        try texts.add(to: &scene)
        return scene
    }

    // MARK: - Canvas

    private func canvas(_ value: JSONReader, over layers: [Layer]) throws(SceneDecodingError) -> Scene.Canvas {
        var canvas = value
        let width = try canvas.optional("width")?.integer(in: Scene.Canvas.sideRange)
        let height = try canvas.optional("height")?.integer(in: Scene.Canvas.sideRange)
        let background = try canvas.optional("background").map(Self.background) ?? .color(.defaultBackground)
        try canvas.finish()
        return Scene.Canvas(
            width: try side(width, "width", of: canvas, over: layers) { $0.width },
            height: try side(height, "height", of: canvas, over: layers) { $0.height },
            background: background)
    }

    /// A colour, or an object with a gradient's two.
    private static func background(_ value: JSONReader) throws(DocumentError) -> Backdrop {
        guard case .object = value.value else { return .color(try value.color()) }
        var gradient = value
        let decoded = Backdrop.Gradient(
            from: try gradient.required("from").color(), to: try gradient.required("to").color(),
            angle: try gradient.optional("angle")?.number(in: Backdrop.Gradient.angleRange) ?? 90,
            dither: try gradient.optional("dither")?.bool() ?? false)
        try gradient.finish()
        return .gradient(decoded)
    }

    /// A side of the canvas: the given length, or else that of the first layer's image.
    private func side(
        _ given: Int?, _ key: String, of canvas: JSONReader, over layers: [Layer], in size: (ImageSize) -> Int
    ) throws(SceneDecodingError) -> Int {
        if let given { return given }
        guard case .image(let path)? = layers.first?.content else {
            throw canvas.error(at: key, "missing; it is needed where the first layer is not an image")
        }
        let length = size(try imageSize(path))
        let allowed = Scene.Canvas.sideRange
        guard allowed.contains(length) else {
            throw canvas.error(
                at: key, "missing, and the first layer's image has \(length) for it; allowed is \(allowed.words)")
        }
        return length
    }

    // MARK: - Layers

    private func layer(_ value: JSONReader) throws(SceneDecodingError) -> Layer {
        var layer = value
        let image = try layer.optional("image").map(path)
        let fill = try layer.optional("fill")?.color()
        let rect = try layer.optional("rect")?.rect()
        let crop = try layer.optional("crop")?.rect()
        let corner = try layer.optionalObject("corner")
        let filter = try layer.optional("filter")?.choice(of: Filter.self) ?? .lanczos
        let opacity = try layer.optional("opacity")?.number(in: Layer.opacityRange) ?? 1
        let strokes = try layer.optional("strokes")?.array()
        let shadow = try layer.optional("shadow").map(Self.shadow)
        try layer.finish()

        let content = try Self.content(image: image, fill: fill, hasStrokes: strokes != nil, of: layer)
        let filled = if let rect { rect } else { try defaultRect(of: content, in: layer) }
        return Layer(
            content: content, rect: filled, crop: crop,
            corner: try Self.corner(corner, of: crop ?? filled, named: crop == nil ? "rect" : "crop"),
            filter: filter, opacity: opacity, strokes: try strokes?.map(Self.stroke) ?? [], shadow: shadow)
    }

    private static func content(
        image: ImagePath?, fill: Color?, hasStrokes: Bool, of layer: JSONReader
    ) throws(DocumentError) -> Layer.Content {
        switch (image, fill) {
        case (let path?, nil): return .image(path: path)
        case (nil, let color?): return .fill(color)
        case (nil, nil) where hasStrokes: return .fill(.transparent)
        case (nil, nil): throw layer.error("it has none of image, fill and strokes; one of them is needed")
        case (_?, _?): throw layer.error("it has both image and fill; only one of them is allowed")
        }
    }

    func path(_ value: JSONReader) throws(DocumentError) -> ImagePath {
        let path = ImagePath(try value.string(needed: "the path of a picture"))
        guard !path.bytes.isEmpty, !path.bytes.contains(0) else {
            throw value.error("\(value.value.excerpt) is not the path of a file; the path of a picture is needed")
        }
        if let refusal = refusal(path) { throw value.error(refusal) }
        return path
    }

    /// The image at (0, 0), unscaled.
    private func defaultRect(of content: Layer.Content, in layer: JSONReader) throws(SceneDecodingError) -> Rect {
        guard case .image(let path) = content else {
            throw layer.error(at: "rect", "missing; without an image [x, y, width, height] is needed")
        }
        let size = try imageSize(path)
        let rect = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let allowed = JSONReader.sideRange
        guard allowed.contains(rect.width), allowed.contains(rect.height) else {
            throw layer.error(
                at: "rect",
                "missing, and the image has \(size.width)×\(size.height) for it; allowed is \(allowed.words)")
        }
        return rect
    }
}

/// Strokes on layers.
extension SceneDecoder {
    static func stroke(_ value: JSONReader) throws(DocumentError) -> Stroke {
        var stroke = value
        let decoded = Stroke(
            points: try points(try stroke.required("points")),
            width: try stroke.required("width").number(in: Stroke.widthRange),
            color: try stroke.optional("color")?.color() ?? .defaultInk)
        try stroke.finish()
        return decoded
    }

    private static func points(_ value: JSONReader) throws(DocumentError) -> [Point] {
        let points = try value.array().map { point throws(DocumentError) in try point.point() }
        guard !points.isEmpty else { throw value.error("it is empty; at least one point [x, y] is needed") }
        return points
    }
}
