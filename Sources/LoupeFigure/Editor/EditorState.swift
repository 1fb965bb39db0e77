import LoupeBase
import LoupePlan
import LoupeScene

/// What a page shows of an editor, beside the picture.
extension FigureEditor {
    /// The loupes with their outlines, the options as they are given, and what can be done; lengths in pixels of the picture.
    package func state(of figure: DrawnFigure) -> [(String, JSONValue?)] {
        let shown = zip(loupes.indices, loupes).filter { figure.scene.loupes.indices.contains($0.0) }
        let lines = guides.map { guide -> JSONValue in
            switch guide {
            case .vertical(let x): ["x": .number(x)]
            case .horizontal(let y): ["y": .number(y)]
            }
        }
        let own = Set([PictureOption.callout.name, PictureOption.loupe.name])
        let given = command.options.entries.filter { !own.contains($0.name) }
            .map { ($0.name, JSONValue.string(String(decoding: $0.value, as: UTF8.self))) }
        return [
            ("loupes", .array(shown.map { json($1, number: $0, in: figure) })), ("guides", .array(lines)),
            ("options", Self.object(given)), ("undo", .bool(canUndo)), ("redo", .bool(canRedo)),
            ("page", json(figure.onPage)), ("scale", .number(figure.scale)),
            ("added", added.map { .number(Double($0)) }),
            ("accent", figure.scene.loupes.compactMap { $0.callout?.ring?.color.hex }.first.map { .string($0) }),
        ]
    }

    private func json(_ edited: EditedLoupe, number: Int, in figure: DrawnFigure) -> JSONValue {
        let loupe = figure.scene.loupes[number]
        let (half, source) = (loupe.halfSides, figure.source(of: number))
        let outline = Rect(
            x: loupe.center.x - half.dx, y: loupe.center.y - half.dy, width: 2 * half.dx, height: 2 * half.dy)
        var corner = half.dx
        if case .rectangle(let shape) = loupe.shape { corner = shape.corner.radii[.topLeft].x }
        let isRectangle = if case .rectangle = loupe.shape { true } else { false }
        let options = PictureOption.words + [.grid, .mark]
        let given = options.compactMap { option in edited.text(option).map { (option.name, JSONValue.string($0)) } }
        let mark = figure.text.marks[number] ?? figure.text.letters?.mark(number)
        return [
            "name": .string("Loupe \(mark ?? "\(number + 1)")"), "outline": json(outline), "source": json(source),
            "corner": .number(corner), "zoom": .number(loupe.zoom), "rectangle": .bool(isRectangle),
            "region": .bool(edited.hasRegion && edited.isCallout), "below": .bool(edited.text(.focus) == nil),
            "placed": .bool(!edited.isUnplaced), "options": Self.object(given),
        ]
    }

    private func json(_ rect: Rect) -> JSONValue {
        ["x": .number(rect.x), "y": .number(rect.y), "width": .number(rect.width), "height": .number(rect.height)]
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members.map { ($0.0, Optional($0.1)) }))
    }

    /// The options of a loupe and of a figure, for the fields of a page.
    package static var fields: JSONValue {
        let loupe = PictureOption.words.filter {
            $0.name != PictureOption.at.name && $0.name != PictureOption.focus.name
        }
        let none: Set<String> = ["callout", "loupe"]
        let words = Set(PictureOption.words.map { $0.name })
        let figure = PictureOption.all.filter { !words.contains($0.name) && !none.contains($0.name) }
        func json(_ option: PictureOption) -> JSONValue {
            var (names, isFlag): ([String], Bool) = ([], false)
            if case .choice(let choices) = option.value { names = choices }
            if case .none = option.value { isFlag = true }
            return [
                "name": .string(option.name), "help": .string(option.help), "form": .string(option.valueName),
                "choices": .array(names.map { .string($0) }), "flag": .bool(isFlag),
            ]
        }
        return ["loupe": .array(loupe.map(json)), "figure": .array(figure.map(json))]
    }
}
