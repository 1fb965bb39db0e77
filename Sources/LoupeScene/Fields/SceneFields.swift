import LoupeBase

/// One table for each kind of object in a scene's document, with a row for each property (specification, section 2).
///
/// A row says a property's key, what it is, what it may be, its default, where a scene keeps it, and whether it is a
/// length, which is scaled with the picture. The objects' standards have the defaults.
package enum SceneFields {
    package static let scene = Fields<Scene>(
        "scene", "What is drawn: a canvas, layers, and loupes over them. Lengths are canvas pixels; y runs down.",
        standard: Scene(canvas: unsizedCanvas), checksKeysFirst: true,
        [
            Field(
                "canvas", .object(canvas), "The picture.", .open, get: { $0.canvas }, set: { $0.canvas = $1 },
                absent: { (scene, reader, context) throws(SceneDecodingError) in
                    context.scene = scene
                    var reader = reader
                    scene.canvas = try canvas.read(reader.optionalObject("canvas"), context)
                },
                prepare: { $2.scene = $0 }),
            Field(
                "blending", .choice, "The space in which texels are filtered and layers are blended.",
                get: { $0.blending }, set: { $0.blending = $1 }),
            Field(
                "layers", .list(.object(layer)), "From bottom to top.", get: { $0.layers }, set: { $0.layers = $1 }),
            Field(
                "loupes", .list(.object(loupe)), "In drawing order: a later loupe is drawn over an earlier one.",
                get: { $0.loupes }, set: { $0.loupes = $1 }, prepare: { $2.scene = $0 }),
            Field(
                "pixelSize", .pixelSize,
                "What a canvas pixel shows at magnification 1: \(PhysicalLength.forms). Scale bars need it.",
                get: { $0.pixelSize }, set: { $0.pixelSize = $1 }),
            Field(
                "scaleBars", .list(.object(bar)), "Over the loupes, in drawing order.", isBrief: true,
                get: { $0.scaleBars }, set: { $0.scaleBars = $1 },
                prepare: { (scene, reader, context) throws(DocumentError) in
                    context.scene = scene
                    guard scene.pixelSize == nil, let bar = try reader.array().first else { return }
                    throw bar.error("the scene does not say what a pixel shows; give it pixelSize, such as \"0.65um\"")
                }),
            Field(
                "labels", .list(.object(label)), "Text over everything else, in drawing order.", isBrief: true,
                get: { $0.labels.map(NamedLabel.init) }, set: { $0.labels = $1.map { $0.label } },
                prepare: { $2.scene = $0 }),
            Field(
                "alt", .text, "What the picture shows, for readers who can't see it. It changes no pixel.",
                get: { $0.alt }, set: { $0.alt = $1 }),
        ],
        // The canvas has the size of the first layer's image by default.
        readingFirst: ["blending", "layers"])

    /// A canvas whose sides are not given.
    private static let unsizedCanvas = Scene.Canvas(width: 0, height: 0)

    static let canvas = Fields<Scene.Canvas>(
        "canvas", "The picture.", standard: unsizedCanvas,
        [
            Field(
                "width", .canvasSide, "Width in pixels. Default: that of the first layer's image.",
                .open, get: { $0.width }, set: { $0.width = $1 }),
            Field(
                "height", .canvasSide,
                "Height in pixels. Default: that of the first layer's image.", .open, get: { $0.height },
                set: { $0.height = $1 }),
            Field(
                "background", .backdrop, "What is under all layers: a colour or a gradient.",
                get: { $0.background }, set: { $0.background = $1 }),
        ]
    ) { (canvas, reader, context) throws(SceneDecodingError) in
        if canvas.width == 0 { canvas.width = try context.defaultSide("width", of: reader) { $0.width } }
        if canvas.height == 0 { canvas.height = try context.defaultSide("height", of: reader) { $0.height } }
    }

    static let gradient = Fields<Backdrop.Gradient>(
        "gradient", "A linear gradient over the whole canvas.",
        standard: Backdrop.Gradient(from: .transparent, to: .transparent),
        [
            Field("from", .color, "The colour at the start.", .required, get: { $0.from }, set: { $0.from = $1 }),
            Field("to", .color, "The colour at the end.", .required, get: { $0.to }, set: { $0.to = $1 }),
            Field(
                "angle", .number(Backdrop.Gradient.angleRange),
                "Its direction in degrees, clockwise; 0 is to the right, 90 down.", get: { $0.angle },
                set: { $0.angle = $1 }),
            Field(
                "dither", .flag, "Whether the picture is dithered, so that wide gradients have no bands.",
                isBrief: true, get: { $0.dither }, set: { $0.dither = $1 }),
        ])

    package static let layer = Fields<Layer>(
        "layer", "A page, or a part of it.",
        standard: Layer(content: .fill(.transparent), rect: Rect(x: 0, y: 0, width: 0, height: 0)),
        rules: [.atMostOne(["image", "fill"]), .atLeastOne(["image", "fill", "strokes"])], checksKeysFirst: true,
        [
            Field(
                "image", .path, "The path of an image, relative to the folder of this document.",
                get: { $0.imagePath }, set: { $0.content = .image(path: $1) }),
            Field(
                "fill", .color, "A colour in place of an image.", .open,
                get: { if case .fill(let color) = $0.content { color } else { nil } },
                set: { $0.content = .fill($1) }),
            Field(
                "rect", .rect,
                "Where the image is stretched to. Default: at (0, 0) in its own size; required without an image.",
                .open, moves: true, get: { $0.rect }, set: { $0.rect = $1 },
                absent: { (layer, reader, context) throws(SceneDecodingError) in
                    layer.rect = try context.defaultRect(of: layer, in: reader)
                }),
            Field(
                "crop", .rect, "Bounds the layer in place of rect; the image stays stretched to rect.",
                get: { $0.crop }, set: { $0.crop = $1 }),
            Field(
                "corner", .object(corner), "The corners of crop, or else of rect.", .open,
                moves: true, get: { NamedCorner($0.corner) }, set: { $0.corner = $1.corner },
                prepare: { $2.bounds = ($0.bounds, $0.crop == nil ? "rect" : "crop") }),
            Field(
                "filter", .choice, "How texels are filtered in the base view.", get: { $0.filter },
                set: { $0.filter = $1 }),
            Field(
                "opacity", .number(Layer.opacityRange), "Opacity.", moves: true, get: { $0.opacity },
                set: { $0.opacity = $1 }),
            Field(
                "strokes", .list(.object(stroke)), "Ink on the layer.", isBrief: true, get: { $0.strokes },
                set: { $0.strokes = $1 }),
            Field(
                "shadow", .object(shadow), "The layer's shadow on what is below.", get: { $0.shadow },
                set: { $0.shadow = $1 }),
        ])

    static let stroke = Fields<Stroke>(
        "stroke", "A line of ink with round ends.", standard: Stroke(points: [], width: 1),
        [
            Field(
                "points", .list(.point, needing: "at least one point [x, y] is needed"),
                "Its points, in canvas pixels.", .required, get: { $0.points }, set: { $0.points = $1 }),
            Field(
                "width", .length(Stroke.widthRange), "Its width in canvas pixels.", .required, get: { $0.width },
                set: { $0.width = $1 }),
            Field("color", .color, "Its colour.", get: { $0.color }, set: { $0.color = $1 }),
        ])

    static let shadow = Fields<Loupe.Shadow>(
        "shadow", "A soft shadow.", standard: Loupe.Shadow(offset: .zero, blur: 0, color: .defaultShadow),
        [
            Field("offset", .vector, "How far it is moved.", moves: true, get: { $0.offset }, set: { $0.offset = $1 }),
            Field(
                "blur", .length(Loupe.Shadow.blurRange), "Twice the standard deviation in canvas pixels, as in CSS.",
                moves: true, get: { $0.blur }, set: { $0.blur = $1 }),
            Field("color", .color, "Its colour.", get: { $0.color }, set: { $0.color = $1 }),
            Field(
                "dither", .flag, "Whether the picture is dithered, so that wide shadows have no bands.", isBrief: true,
                get: { $0.dither }, set: { $0.dither = $1 }),
        ])
}

extension FieldValue<Int> {
    fileprivate static var canvasSide: FieldValue {
        var side = integer(Scene.Canvas.sideRange)
        side.scale = { $0 = max(1, Int((Double($0) * $1).rounded())) }
        return side
    }
}

extension FieldValue<PhysicalLength> {
    /// A pixel of a larger canvas shows less.
    fileprivate static var pixelSize: FieldValue {
        var length = worldLength
        length.scale = { $0.value /= $1 }
        return length
    }
}

extension FieldValue<Backdrop> {
    fileprivate static var backdrop: FieldValue {
        let gradient = FieldValue<Backdrop.Gradient>.object(SceneFields.gradient)
        return FieldValue(
            .either(.named("color"), gradient.kind),
            reading: { (reader, context) throws(SceneDecodingError) in
                guard case .object = reader.value else { return .color(try reader.color()) }
                return .gradient(try gradient.read(reader, context))
            },
            write: {
                switch $0 {
                case .color(let color): .string(color.hex)
                case .gradient(let value): gradient.write(value)
                }
            })
    }
}

/// Defaults that depend on other values of a scene.
extension FieldContext {
    /// A side of the canvas: that of the first layer's image.
    fileprivate func defaultSide(
        _ key: String, of canvas: JSONReader, in size: (ImageSize) -> Int
    ) throws(SceneDecodingError) -> Int {
        guard let path = scene?.layers.first?.imagePath else {
            throw canvas.error(at: key, "missing; it is needed where the first layer is not an image")
        }
        let length = size(try decoder.imageSize(path))
        let allowed = Scene.Canvas.sideRange
        guard allowed.contains(length) else {
            throw canvas.error(
                at: key, "missing, and the first layer's image has \(length) for it; allowed is \(allowed.words)")
        }
        return length
    }

    /// The rect of a layer's image at (0, 0), unscaled.
    fileprivate func defaultRect(of layer: Layer, in reader: JSONReader) throws(SceneDecodingError) -> Rect {
        guard let path = layer.imagePath else {
            throw reader.error(at: "rect", "missing; without an image [x, y, width, height] is needed")
        }
        let size = try decoder.imageSize(path)
        let rect = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let allowed = JSONReader.sideRange
        guard allowed.contains(rect.width), allowed.contains(rect.height) else {
            throw reader.error(
                at: "rect",
                "missing, and the image has \(size.width)×\(size.height) for it; allowed is \(allowed.words)")
        }
        return rect
    }
}
