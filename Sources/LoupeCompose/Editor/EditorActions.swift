import LoupeBase
import LoupePlan
import LoupeScene

/// What a panel asks of an editor: `{"do": "add", "at": [x, y]}`, `{"do": "set", "field": "zoom", "value": 3}` and so on.
extension FigureEditor {
    /// An action that can be done, by its name.
    private enum Action: String, CaseIterable {
        case select, add, delete, undo, redo, place, placeAll, set, style
    }

    /// Does what a document asks for.
    /// - Throws: `DocumentError` for what it can't do; nothing has changed then.
    package mutating func perform(_ document: JSONReader) throws(DocumentError) {
        var request = document
        let action = try request.required("do").choice(of: Action.self)
        switch action {
        case .select:
            let index = try request.optional("loupe")
            let count = figure.loupes.count
            select(try index.map { value throws(DocumentError) in try value.integer(in: 0...max(0, count - 1)) })
        case .add: add(showing: try request.optional("at").map { at throws(DocumentError) in try at.point() })
        case .delete: delete()
        case .undo: undo()
        case .redo: redo()
        case .place: placeSelected()
        case .placeAll: placeAll()
        case .set:
            let field = try request.required("field")
            let value = try request.required("value")
            try set(field, to: value)
        case .style:
            let connector = try request.required("connector")
            setStyle(try connector.isNull ? nil : connector.choice(of: Connector.Style.self))
        }
        try request.finish()
    }

    /// A field of a panel, beside the parts of the selected loupe's look, which are named by their paths in its
    /// document: `shadow.offset.0`. Of those, null is what the style chooses.
    package enum Field: String, CaseIterable, Sendable {
        // Fields of the selected loupe.
        case centerX, centerY, focusX, focusY, radius, zoom, shows, shape, width, height, filter, outside, opacity
        case ring, connector, grid, mark
        // Fields of the figure.
        case accent, plain, frame, letters, zoomLabel, pixelSize
    }

    private mutating func set(_ name: JSONReader, to value: JSONReader) throws(DocumentError) {
        var edited = self
        let path = try name.string()
        switch Self.look.contains(path) ? nil : try name.choice(of: Field.self) {
        case .accent: edited.figure.accent = try value.isNull ? nil : value.color()
        case .plain: edited.setPlain(try value.bool())
        case .frame: edited.setFrame(try value.isNull ? nil : value.choice(of: PageFrame.Name.self))
        case .letters:
            edited.figure.text.letters = try value.isNull ? nil : value.choice(of: FigureText.Letters.self)
        case .zoomLabel: edited.figure.text.showsZoom = try value.bool()
        case .pixelSize: edited.figure.text.pixelSize = try value.isNull ? nil : edited.canvasPixel(of: value)
        case let field:
            guard let selection else { throw value.error("no loupe is selected; select one") }
            if let field {
                try edited.set(field, of: selection, to: value)
            } else {
                try edited.setLook(path, of: selection, to: value)
            }
        }
        let figure = edited.figure
        change("\(path) \(selection ?? -1)") { $0.figure = figure }
    }

    private mutating func set(_ field: Field, of index: Int, to value: JSONReader) throws(DocumentError) {
        let (width, height) = (canvas.width, canvas.height)
        switch field {
        case .centerX, .centerY:
            let magnifiedInPlace = figure.loupes[index].magnifiesInPlace
            if field == .centerX {
                figure.loupes[index].loupe.center.x = try value.number(in: -width...2 * width)
            } else {
                figure.loupes[index].loupe.center.y = try value.number(in: -height...2 * height)
            }
            if magnifiedInPlace { figure.loupes[index].loupe.focus = figure.loupes[index].loupe.center }
        case .focusX: figure.loupes[index].loupe.focus.x = try value.number(in: 0...width)
        case .focusY: figure.loupes[index].loupe.focus.y = try value.number(in: 0...height)
        case .radius: setRadius(try value.number(in: Loupe.radiusRange), of: index, false)
        case .zoom: setZoom(try value.number(in: Loupe.zoomRange), of: index, false)
        case .shows: setShows(try value.choice(of: Shows.self), of: index)
        case .shape: setShape(try value.choice(of: ShapeName.self), of: index)
        case .width, .height:
            guard case .rectangle(let old) = figure.loupes[index].loupe.shape else {
                throw value.error("the loupe is a disc; make it a rectangle")
            }
            let side = try value.number(in: Loupe.Rectangle.sideRange)
            var new = old
            if field == .width { new.width = side } else { new.height = side }
            new.corner.radii = min(new.width, new.height) / min(old.width, old.height) * old.corner.radii
            figure.loupes[index].loupe.shape = .rectangle(new)
        case .filter, .outside, .opacity: try setField(field.rawValue, of: index, to: value)
        case .grid: figure.loupes[index].loupe.grid = try value.bool() ? TexelGrid() : nil
        case .mark: figure.loupes[index].loupe.mark = try value.bool() ? TexelMark() : nil
        case .ring:
            setCallout(of: index, ring: try value.bool(), connector: figure.loupes[index].loupe.callout?.connector)
        case .connector:
            let style = try value.isNull ? nil : value.choice(of: Connector.Style.self)
            let old = figure.loupes[index].loupe.callout?.connector
            let width = old?.shape.width ?? Connector.defaultWidth
            let color = figure.loupes[index].given.has("callout.connector.color") ? old?.color : nil
            setCallout(
                of: index, ring: figure.loupes[index].loupe.callout?.ring != nil,
                connector: style.map { Connector($0.shape(width: width), color: color, casing: old?.casing) })
        case .accent, .plain, .frame, .letters, .zoomLabel, .pixelSize: break
        }
    }

    // MARK: - What a loupe shows

    private enum Shows: String, CaseIterable {
        /// What lies under the loupe.
        case below
        /// Another place.
        case elsewhere
    }

    private mutating func setShows(_ shows: Shows, of index: Int) {
        guard figure.loupes[index].magnifiesInPlace != (shows == .below) else { return }
        switch shows {
        case .below:
            figure.loupes[index].loupe.focus = figure.loupes[index].loupe.center
            setCallout(of: index, ring: false, connector: nil)
        case .elsewhere:
            setCallout(of: index, ring: true, connector: Callout.usual.connector)
            figure.loupes[index].loupe.center = besideFocus(of: figure.loupes[index].loupe)
        }
    }

    private mutating func setCallout(of index: Int, ring: Bool, connector: Connector?) {
        let old = figure.loupes[index].loupe.callout
        if ring && old?.ring == nil || connector != nil && old?.connector == nil { releaseLook(of: index) }
        let callout = Callout(ring: ring ? old?.ring ?? Callout.Ring() : nil, connector: connector)
        figure.loupes[index].loupe.callout = callout == Callout() ? nil : callout
        figure.removeLabelsWithoutRings()
    }

    private enum ShapeName: String, CaseIterable { case disc, rectangle }

    private mutating func setShape(_ shape: ShapeName, of index: Int) {
        let loupe = figure.loupes[index].loupe
        switch (shape, loupe.shape) {
        case (.disc, .rectangle): figure.loupes[index].loupe.shape = .circle(radius: loupe.radius)
        case (.rectangle, .circle(let radius)):
            let (width, height) = ((3 * radius).rounded(), 2 * radius)
            let corner = Corner(radius: Loupe.Rectangle.defaultCornerRadius(width: width, height: height))
            figure.loupes[index].loupe.shape = .rectangle(.init(width: width, height: height, corner: corner))
            guard !figure.loupes[index].magnifiesInPlace else { return }
            // It stays on the canvas across, if it has room there.
            let room = min(width / 2, canvas.width / 2)
            figure.loupes[index].loupe.center.x = loupe.center.x.clamped(to: room...(canvas.width - room))
        default: break
        }
    }

    // MARK: - Looks

    /// Lets the style fill in the parts of the look that are not set. Parts that exist stay.
    private mutating func releaseLook(of index: Int) {
        guard figure.loupes[index].hasFixedLook else { return }
        let loupe = figure.loupes[index].loupe
        figure.loupes[index].hasFixedLook = false
        let written = SceneFields.loupe.write(loupe)
        // All parts that exist.
        figure.loupes[index].given = DefaultStyle.Parts.paths.reduce(into: []) { given, path in
            let keys = path.split(separator: ".")
            let isThere = keys.count == 2 || written.value(at: keys.dropLast().joined(separator: ".")) != nil
            if isThere { given.formUnion(DefaultStyle.Parts(at: path)) }
        }
        if loupe.rim == nil { figure.loupes[index].loupe.rim = Loupe.Rim(width: 0, color: .defaultRim) }
        if loupe.shadow == nil {
            figure.loupes[index].loupe.shadow = Loupe.Shadow(offset: .zero, blur: 0, color: .transparent)
        }
    }

    /// The parts of a look, by their paths; an offset's numbers are set one by one.
    static let look = DefaultStyle.Parts.paths.flatMap { $0 == "shadow.offset" ? [$0 + ".0", $0 + ".1"] : [$0] }

    private mutating func setLook(_ path: String, of index: Int, to value: JSONReader) throws(DocumentError) {
        if value.isNull {
            releaseLook(of: index)
            figure.loupes[index].given.subtract(DefaultStyle.Parts(at: path))
            return
        }
        let loupe = figure.loupes[index].loupe
        if loupe.rim == nil { figure.loupes[index].loupe.rim = Loupe.Rim(width: 0, color: .defaultRim) }
        if loupe.shadow == nil {
            figure.loupes[index].loupe.shadow = Loupe.Shadow(offset: .zero, blur: 0, color: .defaultShadow)
        }
        try setField(path, of: index, to: value)
        if !path.hasPrefix("rim") { figure.loupes[index].loupe.rim = loupe.rim }
        if !path.hasPrefix("shadow") { figure.loupes[index].loupe.shadow = loupe.shadow }
        figure.loupes[index].given.formUnion(DefaultStyle.Parts(at: path))
        // Without a style, a rim without a width is none.
        if figure.isPlain, path == "rim.color" {
            figure.loupes[index].given.formUnion(DefaultStyle.Parts(at: "rim.width"))
        }
    }

    /// Sets a field of a loupe's document.
    private mutating func setField(_ path: String, of index: Int, to value: JSONReader) throws(DocumentError) {
        do throws(DocumentError) {
            let loupe = figure.loupes[index].loupe
            figure.loupes[index].loupe = try SceneFields.loupe.setting(path, to: value.value, of: loupe)
        } catch {
            throw value.error(error.problem)
        }
    }

    /// What a canvas pixel shows, by the length of a pixel of the page.
    private func canvasPixel(of value: JSONReader) throws(DocumentError) -> PhysicalLength {
        guard var length = PhysicalLength(text: try value.string()) else {
            throw value.error("it is no length; write \(PhysicalLength.forms)")
        }
        length.value *= page.facts.pixelsPerCanvasPixel(of: page.scene)
        return length
    }

    /// Gives all loupes the usual look.
    /// - Parameter style: of the connectors of loupes that show another place; nil for rings alone.
    private mutating func setStyle(_ style: Connector.Style?) {
        change { editor in
            (editor.figure.isPlain, editor.figure.accent) = (false, nil)
            for index in editor.figure.loupes.indices {
                editor.figure.loupes[index].given = []
                editor.figure.loupes[index].hasFixedLook = false
                guard !editor.figure.loupes[index].magnifiesInPlace else { continue }
                editor.figure.loupes[index].loupe.callout = Callout(
                    ring: Callout.Ring(), connector: style.map { Connector($0.shape()) })
            }
        }
    }

    /// Puts the page into a frame, and moves the loupes with it.
    private mutating func setFrame(_ frame: PageFrame.Name?) {
        func margin(_ frame: PageFrame.Name?) -> Double { page.scene(in: frame).layers.first?.rect.x ?? 0 }
        let side = margin(frame) - margin(figure.frame)
        let offset = Vector(dx: side, dy: side)
        figure.frame = frame
        for index in figure.loupes.indices {
            figure.loupes[index].loupe.center = figure.loupes[index].loupe.center + offset
            figure.loupes[index].loupe.focus = figure.loupes[index].loupe.focus + offset
        }
    }

    private mutating func setPlain(_ isPlain: Bool) {
        figure.isPlain = isPlain
        guard isPlain else { return }
        for index in figure.loupes.indices
        where figure.loupes[index].given.has("rim.color") && !figure.loupes[index].given.has("rim.width") {
            figure.loupes[index].given.subtract(DefaultStyle.Parts(at: "rim.color"))
        }
    }
}

extension JSONReader {
    fileprivate var isNull: Bool { value == .null }
}
