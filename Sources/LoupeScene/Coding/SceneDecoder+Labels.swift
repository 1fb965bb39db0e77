import LoupeGeometry
import LoupeJSON

/// Labels and scale bars.
extension SceneDecoder {
    /// The keys of a scene about text and scale bars. They name loupes and layers, so they are decoded after those.
    struct Texts {
        private let pixelSize: JSONReader?
        private let scaleBars: JSONReader?
        private let labels: JSONReader?

        init(of scene: inout JSONReader) throws(DocumentError) {
            pixelSize = try scene.optional("pixelSize")
            scaleBars = try scene.optional("scaleBars")
            labels = try scene.optional("labels")
        }

        func add(to scene: inout Scene) throws(DocumentError) {
            if let pixelSize { scene.pixelSize = try SceneDecoder.length(pixelSize) }
            if let scaleBars {
                let decoded = scene
                scene.scaleBars = try scaleBars.array().map { bar throws(DocumentError) in
                    try SceneDecoder.scaleBar(bar, of: decoded)
                }
            }
            if let labels {
                let loupes = scene.loupes
                scene.labels = try labels.array().map { label throws(DocumentError) in
                    try SceneDecoder.label(label, over: loupes)
                }
            }
        }
    }

    private static func length(_ value: JSONReader) throws(DocumentError) -> PhysicalLength {
        let needed = "a length as \(PhysicalLength.forms)"
        guard let length = PhysicalLength(text: try value.string(needed: needed)) else {
            throw value.error("\(value.value.excerpt) is not a length; \(needed), is needed")
        }
        return length
    }

    private static func text(_ value: JSONReader) throws(DocumentError) -> String {
        let text = try value.string(needed: "a text")
        if let problem = Label.problem(with: text) { throw value.error(problem) }
        return text
    }

    /// The keys of a text's look, among those of a label or a bar.
    private static func style(in value: inout JSONReader) throws(DocumentError) -> TextStyle {
        var style = TextStyle()
        if let family = try value.optional("font") { style.family = try self.family(family) }
        if let size = try value.optional("size")?.number(in: TextStyle.sizeRange) { style.size = size }
        if let weight = try value.optional("weight")?.integer(in: TextStyle.weightRange) { style.weight = weight }
        if let color = try value.optional("color")?.color() { style.color = color }
        style.halo = try value.optional("halo").map(casing)
        return style
    }

    private static func family(_ value: JSONReader) throws(DocumentError) -> String {
        let needed = "the name of a font's family"
        let family = try value.string(needed: needed)
        guard TextStyle.isFamily(family) else {
            throw value.error(
                "\(value.value.excerpt) is not allowed; \(needed), of at most 100 letters and without commas, is needed"
            )
        }
        return family
    }

    /// The index of one of some loupes or layers.
    private static func index(
        _ value: JSONReader, of count: Int, _ what: String
    ) throws(DocumentError) -> Int {
        guard count > 0 else { throw value.error("there is no \(what)") }
        return try value.integer(in: 0...count - 1)
    }

    static func label(_ value: JSONReader, over loupes: [Loupe]) throws(DocumentError) -> Label {
        var label = value
        let text = try text(label.required("text"))
        let style = try style(in: &label)
        let (at, loupe, ring) = (
            try label.optional("at"), try label.optional("loupe"), try label.optional("ring")
        )
        guard [at, loupe, ring].filter({ $0 != nil }).count == 1 else {
            throw label.error("it needs one of at, loupe and ring, which says where it lies")
        }
        let anchor: Label.Anchor
        if let at {
            let align = try label.optional("align").map(alignment) ?? Vector(dx: 0.5, dy: 0.5)
            anchor = .point(try at.point(), align: align)
        } else {
            let angle = try label.optional("angle")?.number(in: Label.angleRange) ?? Label.defaultAngle
            let distance = try label.optional("distance")?.number(in: Label.distanceRange) ?? style.size / 4
            if let loupe {
                let side = try label.optional("side")?.choice(of: Label.Side.self) ?? .outside
                let index = try index(loupe, of: loupes.count, "loupe")
                anchor = .loupe(index: index, angle: angle, side: side, distance: distance)
            } else {
                let index = try index(ring!, of: loupes.count, "loupe")
                anchor = .ring(index: index, angle: angle, distance: distance)
            }
        }
        try label.finish()
        return Label(text, at: anchor, style: style)
    }

    private static func alignment(_ value: JSONReader) throws(DocumentError) -> Vector {
        let axes = try value.tuple("x", "y")
        return Vector(dx: try axes[0].number(in: 0...1), dy: try axes[1].number(in: 0...1))
    }

    static func scaleBar(_ value: JSONReader, of scene: Scene) throws(DocumentError) -> ScaleBar {
        var bar = value
        guard let pixelSize = scene.pixelSize else {
            throw bar.error("the scene does not say what a pixel shows; give it pixelSize, such as \"0.65um\"")
        }
        let style = try style(in: &bar)
        let (layer, loupe) = (try bar.optional("layer"), try bar.optional("loupe"))
        if let layer, loupe != nil { throw layer.error("it has both layer and loupe; only one of them is allowed") }
        var subject = ScaleBar.Subject.layer(0)
        if let layer { subject = .layer(try index(layer, of: scene.layers.count, "layer")) }
        if let loupe { subject = .loupe(try index(loupe, of: scene.loupes.count, "loupe")) }
        let length =
            try bar.optional("length").map(length) ?? scene.roundBarLength(pixelSize: pixelSize, in: subject)
        let decoded = ScaleBar(
            of: length, in: subject,
            corner: try bar.optional("corner")?.choice(of: CornerPosition.self) ?? .bottomRight,
            text: try bar.optional("text").map(text),
            width: try bar.optional("width")?.number(in: Callout.widthRange),
            inset: try bar.optional("inset")?.number(in: ScaleBar.insetRange), style: style)
        try bar.finish()
        return decoded
    }
}
