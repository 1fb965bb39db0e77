import LoupeBase
import LoupePlan
import LoupeScene

/// What a page shows of an editor, beside the picture.
extension FigureEditor {
    /// The selection, the handles, the fields of a panel, and the command.
    /// - Parameter scene: the complete one.
    package func state(of scene: Scene) -> JSONValue {
        let loupes = figure.loupes.indices.map { index -> JSONValue in
            let shows = figure.loupes[index].magnifiesInPlace ? "below" : "elsewhere"
            return ["name": .string(name(of: index)), "shows": .string(shows)]
        }
        let lines = guides.map { guide -> JSONValue in
            switch guide {
            case .vertical(let x): ["x": .number(x)]
            case .horizontal(let y): ["y": .number(y)]
            }
        }
        let (accent, letters) = (figure.accent, figure.text.letters?.rawValue)
        let whole: JSONValue = [
            "accent": [
                "value": JSONValue.string((accent ?? page.facts.tone.accent).hex),
                "auto": .bool(accent == nil),
            ],
            "plain": .bool(figure.isPlain), "frame": figure.frame.map { .string($0.rawValue) } ?? .null,
            "letters": letters.map(JSONValue.string) ?? .null, "zoomLabel": .bool(figure.text.showsZoom),
            "pixelSize": pixelSize.map { JSONValue.string($0.text) } ?? .null,
        ]
        let members: [(String, JSONValue?)] = [
            ("loupes", .array(loupes)), ("selected", selection.map { JSONValue.number(Double($0)) }),
            ("handles", .array(handles.map { json($0) })),
            ("outlines", .array(selection.map { outlines(of: $0) } ?? [])), ("guides", .array(lines)),
            ("fields", selection.map { fields(of: $0, in: scene) }), ("figure", whole), ("undo", .bool(canUndo)),
            ("canvas", [.number(canvas.width), .number(canvas.height)]), ("canHaveFrame", .bool(page.canHaveFrame)),
            ("redo", .bool(canRedo)), ("pressed", drag.map { JSONValue.string($0.handle.part.rawValue) }),
            ("message", .string(message)), ("command", .string(commandLine)),
            ("sceneName", .string(brief.sceneName)), ("output", .string(brief.output)),
        ]
        return .object(JSONObject(members))
    }

    /// What a person calls a loupe: by its letter, where it has one.
    package func name(of index: Int) -> String {
        "Loupe \(figure.text.marks[index] ?? (figure.text.letters ?? .numbers).mark(index))"
    }

    private func json(_ handle: Handle) -> JSONValue {
        let position = position(of: handle)
        let loupe = figure.loupes[handle.loupe].loupe
        let name = name(of: handle.loupe)
        func at(_ point: Point) -> String { "at \(Int(point.x.rounded())), \(Int(point.y.rounded()))" }
        let label =
            switch handle.part {
            case .loupe, .both: "\(name), \(at(loupe.center))"
            case .focus: "What \(name) shows, \(at(shownFocus(handle.loupe)))"
            case .radius: "Radius of \(name), \(loupe.radius.jsonText) pixels"
            case .zoom: "Magnification of \(name), \(TextRun.factor(loupe.zoom))"
            }
        return [
            "part": .string(handle.part.rawValue), "loupe": .number(Double(handle.loupe)),
            "x": .number(position.x), "y": .number(position.y), "label": .string(label),
        ]
    }

    /// The borders of a loupe and of what it shows, as half sides and corner radii about a middle.
    private func outlines(of index: Int) -> [JSONValue] {
        let loupe = figure.loupes[index].loupe
        func outline(_ center: Point, _ scale: Double, _ kind: String) -> JSONValue {
            let half = scale * loupe.halfSides
            var radius = half.dx
            if case .rectangle(let shape) = loupe.shape { radius = scale * shape.corner.radii[.topLeft].x }
            return [
                "kind": .string(kind), "x": .number(center.x - half.dx), "y": .number(center.y - half.dy),
                "width": .number(2 * half.dx), "height": .number(2 * half.dy), "radius": .number(radius),
            ]
        }
        return [outline(loupe.center, 1, "loupe"), outline(shownFocus(index), 1 / loupe.zoom, "source")]
    }

    /// The values of the panel's fields: as they are set, or null, and beside them as they are shown.
    private func fields(of index: Int, in scene: Scene) -> JSONValue {
        let edited = figure.loupes[index]
        let (loupe, shown) = (edited.loupe, scene.loupes.indices.contains(index) ? scene.loupes[index] : edited.loupe)
        var (isRectangle, sides) = (false, 2 * loupe.halfSides)
        if case .rectangle(let shape) = loupe.shape {
            (isRectangle, sides) = (true, Vector(dx: shape.width, dy: shape.height))
        }
        var members: [(String, JSONValue?)] = [
            ("centerX", .number(loupe.center.x)), ("centerY", .number(loupe.center.y)),
            ("focusX", .number(loupe.focus.x)), ("focusY", .number(loupe.focus.y)),
            ("radius", .number(loupe.radius)), ("zoom", .number(loupe.zoom)),
            ("shows", .string(edited.magnifiesInPlace ? "below" : "elsewhere")),
            ("shape", .string(isRectangle ? "rectangle" : "disc")),
            ("width", .number(sides.dx)), ("height", .number(sides.dy)),
            ("filter", .string(loupe.filter.rawValue)), ("outside", .string(loupe.outside.rawValue)),
            ("opacity", .number(loupe.opacity)),
            ("ring", .bool(loupe.callout?.ring != nil)),
            ("connector", loupe.callout?.connector.map { .string($0.shape.style.rawValue) } ?? .null),
            ("grid", .bool(loupe.grid != nil)), ("mark", .bool(loupe.mark != nil)),
        ]
        let written = SceneFields.loupe.write(shown)
        for path in Self.look {
            let isSet = edited.hasFixedLook || edited.given.has(path)
            members.append((path, ["value": written.value(at: path) ?? .null, "auto": .bool(!isSet)]))
        }
        return .object(JSONObject(members))
    }
}
