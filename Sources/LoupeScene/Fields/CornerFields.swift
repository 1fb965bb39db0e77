import LoupeBase

/// Corners: their radii and their curve.
extension SceneFields {
    static let corner = Fields<NamedCorner>(
        "corner", "How corners are rounded. At most one of exponent, css, style and figma.",
        standard: NamedCorner(Corner()), rules: NamedCorner.rules, NamedCorner.rows,
        // It moves all corners, and starts from the largest.
        moving: [
            MovableField(
                "radius", [("", 0...JSONReader.sideRange.upperBound / 2)], get: { [$0.corner.radius] },
                set: { $0.radii = CornerRadii($1[0]) })
        ]
    ) { (corner, reader, context) throws(SceneDecodingError) in try corner.settle(reader, context) }

    static let shape = Fields<NamedRectangle>(
        "shape", "A rectangle about the centre; its corners have the keys of a corner.",
        standard: NamedRectangle(Loupe.Rectangle(width: 0, height: 0)), rules: NamedCorner.rules,
        [
            Field(
                "size", .pair("width", "height", Loupe.Rectangle.sideRange, areLengths: true),
                "[width, height] in canvas pixels.",
                .required, get: { $0.size }, set: { $0.size = $1 })
        ]
            + Field.part(
                NamedCorner.rows, get: { $0.corner }, set: { $0.corner = $1 },
                prepare: { $1.bounds = ($0.bounds, "shape") })
    ) { (shape, reader, context) throws(SceneDecodingError) in
        context.bounds = (shape.bounds, "shape")
        try shape.corner.settle(reader, context)
    }

    /// A radius for each corner; corners that are not named are square.
    static let radii = Fields<CornerRadii>(
        "radii", "A radius for each corner. Corners that are not named have radius 0.", standard: CornerRadii(0),
        CornerPosition.allCases.map { position in
            Field(
                position.rawValue, .radius(isOfAll: false), "The radius of this corner.", .open,
                get: { $0[position] },
                set: { radii, radius in
                    let old = radii
                    radii = CornerRadii { $0 == position ? radius : old[$0] }
                })
        }
    ) { (radii, reader, context) throws(SceneDecodingError) in try context.checkEdges(of: radii, reader) }
}

/// A corner by the name of its curve, as documents write it.
struct NamedCorner {
    var radii: CornerRadii
    /// Nil for the standard exponent.
    var shape: CornerShape?
    var keepsDiagonal = false

    init(_ corner: Corner) { (radii, shape) = (corner.radii, .exponent(corner.exponent)) }

    /// The corner itself, once its curve is settled.
    var corner: Corner {
        guard case .exponent(let exponent)? = shape else { return Corner(radii: radii) }
        return Corner(radii: radii, exponent: exponent)
    }

    fileprivate static let rules: [FieldRule] = [
        .atMostOne(["exponent", "css", "style", "figma"]), .atMostOne(["radius", "radii"]),
    ]

    fileprivate static let rows: [Field<NamedCorner>] = [
        Field(
            "radius", .radius(isOfAll: true),
            "The radius of all corners in canvas pixels, at most half the shorter side; or [rx, ry], along the horizontal and the vertical edges, at most half the width and half the height.",
            get: { $0.radii.isAlike ? $0.radii[.topLeft] : nil }, set: { $0.radii = CornerRadii($1) }),
        Field(
            "radii", .object(SceneFields.radii),
            "A radius for each corner, in place of radius; each at most the shorter side, or [rx, ry], at most the width and the height. Two corners of one edge may not together be longer than that edge. Corners that are not named have radius 0.",
            get: { $0.radii.isAlike ? nil : $0.radii }, set: { $0.radii = $1 }),
        Field(
            "exponent", .number(Corner.exponentRange),
            "The superellipse's exponent: 1 a bevel, 2 round, 4 the CSS squircle.",
            moves: true, get: { if case .exponent(let exponent)? = $0.shape { exponent } else { nil } },
            set: { $0.shape = .exponent($1) }),
        Field(
            "css", .number(CornerShape.cssRange), "In place of exponent: k of CSS's superellipse(k).",
            get: { if case .css(let k)? = $0.shape { k } else { nil } }, set: { $0.shape = .css($1) }),
        Field(
            "style", .choice, "In place of exponent.",
            get: { if case .style(let style)? = $0.shape { style } else { nil } }, set: { $0.shape = .style($1) }),
        Field(
            "figma", .number(CornerShape.figmaRange), "In place of exponent: Figma's corner smoothing.",
            get: { if case .figma(let smoothing)? = $0.shape { smoothing } else { nil } },
            set: { $0.shape = .figma($1) }),
        Field(
            "keep", .choice, "Makes the corner look as large as a round one of that radius.",
            get: { $0.keepsDiagonal ? Kept.diagonal : nil }, set: { corner, _ in corner.keepsDiagonal = true }),
    ]

    private enum Kept: String, CaseIterable { case diagonal }

    /// Turns the name into the radii and the exponent that it stands for.
    fileprivate mutating func settle(_ reader: JSONReader, _ context: FieldContext) throws(DocumentError) {
        let shape = shape ?? .exponent(Corner().exponent)
        if shape.hasOwnExtent {
            if radii.uniform == nil {
                throw reader.error("\(shape.name) takes one radius for all corners, a single number")
            }
            if keepsDiagonal {
                throw reader.error(
                    at: "keep",
                    "only with exponent, css or the styles round, squircle and bevel; \(shape.name) keeps it itself")
            }
        }
        self = NamedCorner(shape.corner(of: radii, keepsDiagonal: keepsDiagonal, in: context.bounds.rect))
    }
}

/// The rectangle of a loupe, with its corners by name.
struct NamedRectangle {
    var size: Vector
    var corner: NamedCorner

    init(_ rectangle: Loupe.Rectangle) {
        size = Vector(dx: rectangle.width, dy: rectangle.height)
        corner = NamedCorner(rectangle.corner)
    }

    var rectangle: Loupe.Rectangle { Loupe.Rectangle(width: size.dx, height: size.dy, corner: corner.corner) }

    var bounds: Rect { Rect(x: 0, y: 0, width: size.dx, height: size.dy) }
}

extension CornerShape {
    /// Its name in messages.
    fileprivate var name: String {
        switch self {
        case .exponent: "exponent"
        case .css: "css"
        case .style(.ios): "style ios"
        case .style: "style"
        case .figma: "figma"
        }
    }
}

extension FieldValue<CornerRadius> {
    /// `r`, or `[rx, ry]`: of all corners, which may be half as long as a side, or of one, which may be as long.
    fileprivate static func radius(isOfAll: Bool) -> FieldValue {
        FieldValue(
            .named("radius"),
            reading: { (reader, context) throws(SceneDecodingError) in
                let (rect, name) = context.bounds
                let (part, half) = isOfAll ? (0.5, "half ") : (1, "")
                func limit(_ side: String, _ length: Double) -> String {
                    "\(half)the \(name)'s \(side)" + (isOfAll ? " of \(length.jsonText)" : "")
                }
                guard case .array = reader.value else {
                    return CornerRadius(
                        try reader.number(
                            in: 0...part * rect.shorterSide, upTo: limit("shorter side", rect.shorterSide)))
                }
                let axes = try reader.tuple("rx", "ry")
                return CornerRadius(
                    x: try axes[0].number(in: 0...part * rect.width, upTo: limit("width", rect.width)),
                    y: try axes[1].number(in: 0...part * rect.height, upTo: limit("height", rect.height)))
            }, write: { $0.isCircular ? .number($0.x) : .numbers($0.x, $0.y) }, scale: { $0 = $1 * $0 })
    }
}

extension FieldContext {
    fileprivate func checkEdges(of radii: CornerRadii, _ value: JSONReader) throws(DocumentError) {
        let (rect, name) = bounds
        func check(_ a: CornerPosition, _ b: CornerPosition, isWidth: Bool) throws(DocumentError) {
            let (first, second) = isWidth ? (radii[a].x, radii[b].x) : (radii[a].y, radii[b].y)
            let side = isWidth ? rect.width : rect.height
            guard first + second > side else { return }
            throw value.error(
                "\(a.rawValue) and \(b.rawValue) together reach \(first.jsonText) + \(second.jsonText); allowed is up to "
                    + "the \(name)'s \(isWidth ? "width" : "height") of \(side.jsonText)")
        }
        try check(.topLeft, .topRight, isWidth: true)
        try check(.bottomLeft, .bottomRight, isWidth: true)
        try check(.topLeft, .bottomLeft, isWidth: false)
        try check(.topRight, .bottomRight, isWidth: false)
    }
}
