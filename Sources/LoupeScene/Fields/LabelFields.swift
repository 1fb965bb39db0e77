import LoupeBase

/// Labels and scale bars.
extension SceneFields {
    static let label = Fields<NamedLabel>(
        "label", "Text over the finished picture, which no loupe magnifies. It has one of `at`, `loupe` and `ring`.",
        standard: NamedLabel(), rules: [.exactlyOne(["at", "loupe", "ring"], "says where it lies")],
        [
            Field(
                "text", .text, "The text, at most \(Label.longestText) characters; newlines part its lines.", .required,
                get: { $0.text }, set: { $0.text = $1 }),
            Field("at", .point, "The point of the canvas where it lies.", get: { $0.at }, set: { $0.at = $1 }),
            Field(
                "align", .pair("x", "y", 0...1, areLengths: false),
                "With `at`: the point of the text's box that lies there; [0, 0] is its upper left corner, [1, 1] its lower right one.",
                with: ["at"], get: { $0.align }, set: { $0.align = $1 }),
            Field(
                "loupe", .index(of: "loupe") { $0.loupes.count },
                "The index of the loupe at whose border it lies, from 0.", get: { $0.loupe }, set: { $0.loupe = $1 }),
            Field(
                "ring", .index(of: "loupe") { $0.loupes.count },
                "The index of the loupe at whose ring it lies, from 0.", get: { $0.ring }, set: { $0.ring = $1 }),
            Field(
                "angle", .number(Label.angleRange),
                "With `loupe` and `ring`: the direction from the centre in degrees, clockwise from the right.",
                with: ["loupe", "ring"], get: { $0.angle }, set: { $0.angle = $1 }),
            Field(
                "side", .choice, "With `loupe`: whether it lies inside or outside of the border.", with: ["loupe"],
                get: { $0.side }, set: { $0.side = $1 }),
            Field(
                "distance", .length(Label.distanceRange),
                "With `loupe` and `ring`: from the border, in canvas pixels. Default: a quarter of `size`.", .open,
                with: ["loupe", "ring"], get: { $0.distance }, set: { $0.distance = $1 }),
        ] + Field.part(textStyle, get: { $0.style }, set: { $0.style = $1 }))

    static let bar = Fields<ScaleBar>(
        "bar",
        "A bar that shows a length of the world, with its text, whose colour and halo it has. The scene needs `pixelSize`.",
        standard: ScaleBar(of: PhysicalLength(1, .m)), rules: [.atMostOne(["layer", "loupe"])],
        [
            Field(
                "layer", .index(of: "layer") { $0.layers.count }, "The index of the layer in which it lies, from 0.",
                isBrief: true, get: { if case .layer(let index) = $0.subject { index } else { nil } },
                set: { $0.subject = .layer($1) }),
            Field(
                "loupe", .index(of: "loupe") { $0.loupes.count },
                "The index of the loupe in which it lies and whose zoom it has, from 0; in place of `layer`.",
                get: { if case .loupe(let index) = $0.subject { index } else { nil } },
                set: { $0.subject = .loupe($1) }),
            Field(
                "length", .worldLength,
                "What it shows, such as `50um`. Default: 1, 2 or 5 times a power of ten, near a fifth of the width.",
                .open, get: { $0.length }, set: { $0.length = $1 },
                absent: { (bar, reader, context) throws(SceneDecodingError) in
                    guard let scene = context.scene, let pixelSize = scene.pixelSize else { return }
                    bar.length = scene.roundBarLength(pixelSize: pixelSize, in: bar.subject)
                }),
            Field("corner", .choice, "Where it lies.", get: { $0.corner }, set: { $0.corner = $1 }),
            Field(
                "text", .text, "Its text. Default: the length.", .open, get: { $0.text }, set: { $0.text = $1 },
                absent: { (bar, _, _) throws(SceneDecodingError) in bar.text = bar.length.label }),
            Field(
                "width", .length(Callout.widthRange),
                "How thick the bar is, in canvas pixels. Default: a fifth of `size`.", .open, get: { $0.width },
                set: { $0.width = $1 }),
            Field(
                "inset", .length(ScaleBar.insetRange),
                "How far it is from the edges, in canvas pixels. Default: three quarters of `size`.", .open,
                get: { $0.inset }, set: { $0.inset = $1 }),
        ] + Field.part(textStyle, get: { $0.style }, set: { $0.style = $1 })
    ) { (bar, reader, context) throws(SceneDecodingError) in
        if let pixel = context.scene?.pixelSize,
            bar.length.metres / pixel.metres > JSONReader.coordinateRange.upperBound
        {
            throw reader.error("a bar of \(bar.length.label) is over a million pixels long; name a shorter length")
        }
        let usual = ScaleBar(of: bar.length, style: bar.style)
        if !reader.has("width") { bar.width = usual.width }
        if !reader.has("inset") { bar.inset = usual.inset }
    }

    static let title = Fields<NamedLabel>(
        "title", "A text with the width that it takes.", standard: .title(""),
        [
            Field("text", .text, "The text.", .required, get: { $0.text }, set: { $0.text = $1 }),
            Field(
                "width", .length(JSONReader.sideRange), "Its width in canvas pixels. Default: that of the text.", .open,
                get: { $0.width }, set: { $0.width = $1 }),
        ] + Field.part(textStyle, get: { $0.style }, set: { $0.style = $1 }))

    /// The keys of a text's look, among those of a label or a bar.
    private static let textStyle: [Field<TextStyle>] = [
        Field(
            "font", .family, "The family of the text's font, or a generic one.", get: { $0.family },
            set: { $0.family = $1 }),
        Field(
            "size", .length(TextStyle.sizeRange), "The font's size in canvas pixels.", get: { $0.size },
            set: { $0.size = $1 }),
        Field(
            "weight", .integer(TextStyle.weightRange), "The font's weight: 400 is regular, 700 bold.",
            get: { $0.weight }, set: { $0.weight = $1 }),
        Field("color", .color, "The text's colour.", get: { $0.color }, set: { $0.color = $1 }),
        Field(
            "halo", .object(casing), "A band around the letters, beneath them.", get: { $0.halo },
            set: { $0.halo = $1 }),
    ]
}

extension SceneDecoder {
    /// A title by itself: a text, or an object with it; and its width, in canvas pixels, where it says one.
    package func title(_ reader: JSONReader) throws(SceneDecodingError) -> (label: Label, width: Double?) {
        guard case .string(let text) = reader.value else {
            let title = try SceneFields.title.read(reader, FieldContext(self))
            return (title.label, title.width)
        }
        if let problem = Label.problem(with: text) { throw reader.error(problem) }
        return (NamedLabel.title(text).label, nil)
    }
}

/// A label whose anchor is told by its keys, as documents write it.
struct NamedLabel {
    var text = ""
    var at: Point?
    var align = Vector(dx: 0.5, dy: 0.5)
    var loupe, ring: Int?
    var angle = Label.defaultAngle
    var side = Label.Side.outside
    /// Nil for a quarter of the text's size.
    var distance: Double?
    var style = TextStyle()
    /// Of a title, in canvas pixels; nil for that of the text.
    var width: Double?

    init() {}

    static func title(_ text: String) -> NamedLabel {
        NamedLabel(Label(text, at: .point(.zero, align: .zero), style: TextStyle(size: 36)))
    }

    init(_ label: Label) {
        (text, style) = (label.text, label.style)
        switch label.anchor {
        case .point(let point, let align): (at, self.align) = (point, align)
        case .loupe(let index, let angle, let side, let distance):
            (loupe, self.angle, self.side, self.distance) = (index, angle, side, distance)
        case .ring(let index, let angle, let distance): (ring, self.angle, self.distance) = (index, angle, distance)
        }
    }

    var label: Label {
        let distance = distance ?? style.size / 4
        let anchor: Label.Anchor =
            if let loupe {
                .loupe(index: loupe, angle: angle, side: side, distance: distance)
            } else if let ring {
                .ring(index: ring, angle: angle, distance: distance)
            } else {
                .point(at ?? .zero, align: align)
            }
        return Label(text, at: anchor, style: style)
    }
}
