import LoupeBase

/// Loupes, with what belongs to them.
extension SceneFields {
    package static let loupe = Fields<Loupe>(
        "loupe", "A magnifier over the page. It is a disc with radius, or a rectangle with shape.",
        standard: Loupe(center: .zero, radius: 1, zoom: 1), rules: [.atMostOne(["radius", "shape"])],
        [
            Field(
                "center", .point, "Its centre on the canvas.", .required, moves: true, get: { $0.center },
                set: { $0.center = $1 }),
            Field(
                "shape", .object(shape), "A rectangle about the centre; its corners have the keys of a corner.",
                .open,
                get: { if case .rectangle(let rectangle) = $0.shape { NamedRectangle(rectangle) } else { nil } },
                set: { $0.shape = .rectangle($1.rectangle) }),
            Field(
                "radius", .length(Loupe.radiusRange), "Its radius in canvas pixels.", .requiredWithout("shape"),
                moves: true,
                get: { if case .circle(let radius) = $0.shape { radius } else { nil } },
                set: { $0.shape = .circle(radius: $1) }),
            Field(
                "zoom", .number(Loupe.zoomRange), "Its magnification relative to the canvas.", .required,
                moves: true, get: { $0.zoom }, set: { $0.zoom = $1 }),
            Field(
                "focus", .point, "The canvas point that is shown at its centre. Default: center.", .open,
                moves: true, get: { $0.focus }, set: { $0.focus = $1 },
                absent: { (loupe, _, _) throws(SceneDecodingError) in loupe.focus = loupe.center }),
            Field(
                "filter", .choice,
                "How texels are filtered in this loupe; auto is linear where a layer's texels are smaller than 6 output pixels and nearest from there on.",
                get: { $0.filter }, set: { $0.filter = $1 }),
            Field(
                "rim", .object(rim), "Its border.", moves: true, get: { $0.rim }, set: { $0.rim = $1 },
                prepare: { loupe, _, context in
                    let isDisc = loupe.outline == nil
                    context.rim = (loupe.radius, isDisc ? "the loupe's radius" : "half the loupe's shorter side")
                }),
            Field(
                "shadow", .object(shadow), "Its shadow on what is below.", moves: true, get: { $0.shadow },
                set: { $0.shadow = $1 }),
            Field(
                "versus", .split, "What the other half of a split loupe shows: the path of an image, or an object.",
                get: { $0.split }, set: { $0.split = $1 }),
            Field(
                "callout", .object(callout), "A ring around what the loupe shows, and a connection between them.",
                get: { $0.callout }, set: { $0.callout = $1 }),
            Field(
                "grid", .object(grid),
                "Lines between texels, where a texel is more than 4 times as large as a line is wide; fully drawn from 8 times on.",
                get: { $0.grid }, set: { $0.grid = $1 }),
            Field(
                "mark", .object(mark), "A frame around the texel at the focus.", get: { $0.mark },
                set: { $0.mark = $1 }),
            Field(
                "outside", .choice, "What the loupe shows where no layer is.", isBrief: true, get: { $0.outside },
                set: { $0.outside = $1 }),
            Field(
                "strokes", .choice,
                "How wide it shows the strokes of SVGs: magnified, or kept as they are on the page.",
                isBrief: true, get: { $0.strokes }, set: { $0.strokes = $1 }),
            Field(
                "opacity", .number(Layer.opacityRange),
                "Opacity of the loupe, its rim and its shadow as one; the callout keeps its own.", isBrief: true,
                moves: true, get: { $0.opacity }, set: { $0.opacity = $1 }),
        ]
    ) { (loupe, reader, context) throws(SceneDecodingError) in
        guard let scene = context.scene, loupe.split != nil, scene.layers.allSatisfy({ $0.imagePath == nil }) else {
            return
        }
        throw reader.error(at: "versus", "no layer shows an image whose place it could take")
    }

    static let rim = Fields<Loupe.Rim>(
        "rim", "A line along the inside of a loupe's border.", standard: Loupe.Rim(width: 0, color: .defaultRim),
        [
            Field(
                "width", .rimWidth, "Width in canvas pixels, inside the loupe, up to the radius.", .required,
                moves: true, get: { $0.width }, set: { $0.width = $1 }),
            Field("color", .color, "Its colour.", get: { $0.color }, set: { $0.color = $1 }),
            Field("casing", .object(casing), "A band outside of the rim.", get: { $0.casing }, set: { $0.casing = $1 }),
        ])

    static let versus = Fields<Loupe.Split>(
        "versus", "The other half of a split loupe.", standard: Loupe.Split(image: ""),
        [
            Field(
                "image", .path, "The path of an image, relative to the folder of this document.", .required,
                get: { $0.image }, set: { $0.image = $1 }),
            Field(
                "angle", .number(Loupe.Split.angleRange), "Direction of the divider in degrees; 0 is upright.",
                get: { $0.angle }, set: { $0.angle = $1 }),
            Field(
                "divider", .object(divider), "A line between the halves.", get: { $0.divider },
                set: { $0.divider = $1 }),
        ])

    static let divider = Fields<Loupe.Split.Divider>(
        "divider", "A line between the halves.", standard: Loupe.Split.Divider(width: 0),
        [
            Field(
                "width", .length(Loupe.Split.Divider.widthRange), "Width in canvas pixels.", .required,
                get: { $0.width }, set: { $0.width = $1 }),
            Field("color", .color, "Its colour.", get: { $0.color }, set: { $0.color = $1 }),
        ])

    static let callout = Fields<Callout>(
        "callout", "A ring around what the loupe shows, and a connection between them.", standard: Callout(),
        [
            Field(
                "ring", .object(ring), "A line around the part of the page that the loupe shows.", get: { $0.ring },
                set: { $0.ring = $1 }),
            Field(
                "connector", .object(connector), "What connects ring and loupe.", get: { $0.connector },
                set: { $0.connector = $1 }),
        ])

    static let ring = Fields<Callout.Ring>(
        "ring", "A line around the part of the page that the loupe shows.", standard: Callout.Ring(),
        [
            Field(
                "width", .length(Callout.widthRange), "Width in canvas pixels.", get: { $0.width },
                set: { $0.width = $1 }),
            Field("color", .color, "Its colour.", get: { $0.color }, set: { $0.color = $1 }),
            Field("casing", .object(casing), "A band on either side.", get: { $0.casing }, set: { $0.casing = $1 }),
        ])

    static let connector = Fields<Connector>(
        "connector", "What connects ring and loupe.", standard: Connector(.lines(width: Connector.defaultWidth)),
        [
            Field(
                "style", .choice, "Its form.", .required, get: { $0.shape.style },
                set: { $0 = Connector($1.shape()) }),
            Field(
                "width", .length(Callout.widthRange), "Width in canvas pixels; not with cone.",
                get: { $0.shape.width }, set: { $0.shape = $0.shape.style.shape(width: $1) },
                prepare: { (connector, reader, _) throws(DocumentError) in
                    guard connector.shape == .cone else { return }
                    throw reader.error("a cone has no width; leave it out")
                }),
            Field(
                "color", .color, "Its colour. Default: #ffffff; of a cone #ffffff66.", .open, get: { $0.color },
                set: { $0.color = $1 }),
            Field("casing", .object(casing), "A band around it.", get: { $0.casing }, set: { $0.casing = $1 }),
        ])

    static let casing = Fields<Casing>(
        "casing", "A band beneath a line, so that the line can be seen on any page.", standard: Casing(),
        [
            Field(
                "width", .length(Callout.widthRange), "How far it reaches beyond the line, in canvas pixels.",
                get: { $0.width }, set: { $0.width = $1 }),
            Field("color", .color, "Its colour.", get: { $0.color }, set: { $0.color = $1 }),
        ])

    static let grid = Fields<TexelGrid>(
        "grid", "Lines between texels.", standard: TexelGrid(),
        [
            Field(
                "width", .length(Callout.widthRange), "Width of the lines in output pixels.", isBrief: true,
                get: { $0.width }, set: { $0.width = $1 }),
            Field("color", .color, "Colour of the lines.", get: { $0.color }, set: { $0.color = $1 }),
        ])

    static let mark = Fields<TexelMark>(
        "mark", "A frame around the texel at the focus.", standard: TexelMark(),
        [
            Field(
                "width", .length(Callout.widthRange), "Its width in output pixels.", get: { $0.width },
                set: { $0.width = $1 }),
            Field("color", .color, "Its colour.", get: { $0.color }, set: { $0.color = $1 }),
        ])
}

extension FieldValue<Double> {
    /// Its limit depends on the loupe.
    fileprivate static var rimWidth: FieldValue {
        FieldValue(
            .number(low: 0, high: nil, isLength: true),
            reading: { (reader, context) throws(SceneDecodingError) in
                try reader.number(in: 0...context.rim.limit, upTo: context.rim.words)
            }, write: { .number($0) }, scale: { $0 *= $1 }
        ).moving(in: 0...Loupe.radiusRange.upperBound, isLength: true)
    }
}

extension FieldValue<Loupe.Split> {
    /// The path of the other image, or an object.
    fileprivate static var split: FieldValue {
        let (path, object) = (FieldValue<ImagePath>.path, FieldValue.object(SceneFields.versus))
        return FieldValue(
            .either(path.kind, object.kind),
            reading: { (reader, context) throws(SceneDecodingError) in
                guard case .string = reader.value else { return try object.read(reader, context) }
                return Loupe.Split(image: try path.read(reader, context))
            }, write: object.write, scale: object.scale)
    }
}
