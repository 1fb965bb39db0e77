import LoupeGeometry
import LoupeJSON

/// Writes a scene as JSON that `SceneDecoder` reads back as an equal scene.
public struct SceneEncoder {
    /// An encoder; it has no options.
    public init() {}

    /// Indented text that ends with a newline: every key that has a value, defaults included, in the
    /// order of the specification, section 2.
    public func encode(_ scene: Scene) -> String {
        json(scene).text() + "\n"
    }

    func json(_ scene: Scene) -> JSONValue {
        [
            "canvas": [
                "width": .number(Double(scene.canvas.width)),
                "height": .number(Double(scene.canvas.height)),
                "background": json(scene.canvas.background),
            ],
            "blending": .string(scene.blending.rawValue),
            "layers": .array(scene.layers.map(json)),
            "loupes": .array(scene.loupes.map(json)),
            "pixelSize": scene.pixelSize.map { .string($0.text) },
            "scaleBars": scene.scaleBars.isEmpty ? nil : .array(scene.scaleBars.map(json)),
            "labels": scene.labels.isEmpty ? nil : .array(scene.labels.map(json)),
        ]
    }

    private func json(_ layer: Layer) -> JSONValue {
        var image: JSONValue?
        var fill: JSONValue?
        switch layer.content {
        case .image(let path): image = .string(path.description)
        case .fill(let color): fill = .string(color.hex)
        }
        return [
            "image": image,
            "fill": fill,
            "rect": numbers(layer.rect),
            "crop": layer.crop.map(numbers),
            "corner": .object(JSONObject(members(layer.corner))),
            "filter": .string(layer.filter.rawValue),
            "opacity": .number(layer.opacity),
            "strokes": layer.strokes.isEmpty ? nil : .array(layer.strokes.map(json)),
            "shadow": layer.shadow.map(json),
        ]
    }

    private func json(_ background: Backdrop) -> JSONValue {
        switch background {
        case .color(let color): .string(color.hex)
        case .gradient(let gradient):
            [
                "from": .string(gradient.from.hex), "to": .string(gradient.to.hex), "angle": .number(gradient.angle),
                "dither": gradient.dither ? .bool(true) : nil,
            ]
        }
    }

    private func json(_ shadow: Loupe.Shadow) -> JSONValue {
        [
            "offset": numbers(shadow.offset.dx, shadow.offset.dy), "blur": .number(shadow.blur),
            "color": .string(shadow.color.hex), "dither": shadow.dither ? .bool(true) : nil,
        ]
    }

    private func json(_ stroke: Stroke) -> JSONValue {
        [
            "points": .array(stroke.points.map { numbers($0.x, $0.y) }),
            "width": .number(stroke.width),
            "color": .string(stroke.color.hex),
        ]
    }

    private func json(_ loupe: Loupe) -> JSONValue {
        [
            "center": numbers(loupe.center.x, loupe.center.y),
            "shape": shape(of: loupe),
            "radius": loupe.outline == nil ? .number(loupe.radius) : nil,
            "zoom": .number(loupe.zoom),
            "focus": numbers(loupe.focus.x, loupe.focus.y),
            "filter": .string(loupe.filter.rawValue),
            "rim": loupe.rim.map {
                [
                    "width": .number($0.width), "color": .string($0.color.hex),
                    "casing": $0.casing.map(json),
                ]
            },
            "shadow": loupe.shadow.map(json),
            "versus": loupe.split.map(json),
            "callout": loupe.callout.map(json),
            "grid": loupe.grid.map {
                ["width": $0.width == 1 ? nil : .number($0.width), "color": .string($0.color.hex)]
            },
            "mark": loupe.mark.map { ["width": .number($0.width), "color": .string($0.color.hex)] },
            "outside": loupe.outside == .background ? nil : .string(loupe.outside.rawValue),
        ]
    }

    private func json(_ callout: Callout) -> JSONValue {
        [
            "ring": callout.ring.map {
                [
                    "width": .number($0.width), "color": .string($0.color.hex),
                    "casing": $0.casing.map(json),
                ]
            },
            "connector": callout.connector.map {
                [
                    "style": .string($0.shape.style.rawValue),
                    "width": $0.shape.width.map(JSONValue.number),
                    "color": .string($0.color.hex),
                    "casing": $0.casing.map(json),
                ]
            },
        ]
    }

    func json(_ casing: Casing) -> JSONValue {
        ["width": .number(casing.width), "color": .string(casing.color.hex)]
    }

    private func numbers(_ rect: Rect) -> JSONValue {
        numbers(rect.x, rect.y, rect.width, rect.height)
    }

    func numbers(_ numbers: Double...) -> JSONValue {
        .array(numbers.map(JSONValue.number))
    }
}

/// Corners, written as radii and an exponent.
extension SceneEncoder {
    func members(_ corner: Corner) -> [(String, JSONValue?)] {
        let radii = corner.radii
        let each: [(String, JSONValue?)] = CornerPosition.allCases.map { ($0.rawValue, json(radii[$0])) }
        return [
            radii.isAlike ? ("radius", json(radii[.topLeft])) : ("radii", .object(JSONObject(each))),
            ("exponent", .number(corner.exponent)),
        ]
    }

    private func json(_ radius: CornerRadius) -> JSONValue {
        radius.isCircular ? .number(radius.x) : numbers(radius.x, radius.y)
    }
}

/// A loupe's shape and its split.
extension SceneEncoder {
    /// Nil for a disc.
    func shape(of loupe: Loupe) -> JSONValue? {
        guard case .rectangle(let rectangle) = loupe.shape else { return nil }
        return .object(
            JSONObject([("size", numbers(rectangle.width, rectangle.height))] + members(rectangle.corner)))
    }

    func json(_ split: Loupe.Split) -> JSONValue {
        [
            "image": .string(split.image.description),
            "angle": .number(split.angle),
            "divider": split.divider.map { ["width": .number($0.width), "color": .string($0.color.hex)] },
        ]
    }
}

/// Labels and scale bars.
extension SceneEncoder {
    private func json(_ label: Label) -> JSONValue {
        var members: [(String, JSONValue?)] = [("text", .string(label.text))]
        switch label.anchor {
        case .point(let point, let align):
            members += [("at", numbers(point.x, point.y)), ("align", numbers(align.dx, align.dy))]
        case .loupe(let index, let angle, let side, let distance):
            members += [
                ("loupe", .number(Double(index))), ("angle", .number(angle)), ("side", .string(side.rawValue)),
                ("distance", .number(distance)),
            ]
        case .ring(let index, let angle, let distance):
            members += [
                ("ring", .number(Double(index))), ("angle", .number(angle)), ("distance", .number(distance)),
            ]
        }
        return .object(JSONObject(members + self.members(label.style)))
    }

    private func json(_ bar: ScaleBar) -> JSONValue {
        let subject: (String, JSONValue?) =
            switch bar.subject {
            case .layer(let index): ("layer", index == 0 ? nil : .number(Double(index)))
            case .loupe(let index): ("loupe", .number(Double(index)))
            }
        let members: [(String, JSONValue?)] = [
            subject, ("length", .string(bar.length.text)), ("corner", .string(bar.corner.rawValue)),
            ("text", .string(bar.text)), ("width", .number(bar.width)), ("inset", .number(bar.inset)),
        ]
        return .object(JSONObject(members + self.members(bar.style)))
    }

    private func members(_ style: TextStyle) -> [(String, JSONValue?)] {
        [
            ("font", .string(style.family)), ("size", .number(style.size)), ("weight", .number(Double(style.weight))),
            ("color", .string(style.color.hex)), ("halo", style.halo.map(json)),
        ]
    }
}
