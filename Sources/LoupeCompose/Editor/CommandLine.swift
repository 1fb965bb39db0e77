import LoupeBase
import LoupePlan
import LoupeScene

/// What comes out of an editor, as the command takes it.
extension FigureEditor {
    /// The scene in JSON, with everything that the style and the page's colours say.
    /// - Parameter scene: the complete one, as ``EditedPage/completed(_:)`` returns it.
    package func document(of scene: Scene) -> String {
        var names: [ImagePath: ImagePath] = [:]
        for (number, name) in brief.images.enumerated() { names[ImagePath("\(number)")] = ImagePath(name) }
        return SceneEncoder().encode(scene.renamingImages { names[$0] ?? $0 })
    }

    /// The command that draws the figure, in one line for a shell. That of a scene draws the saved scene.
    package var commandLine: String {
        guard page.isPage else {
            return [brief.command[0], brief.sceneName, "-o", brief.output].map { $0.forShell }.joined(separator: " ")
        }
        return (brief.command + ["-o", brief.output] + words).map { $0.forShell }.joined(separator: " ")
    }

    /// The options of the loupes, their style and the text.
    var words: [String] {
        var words = figure.frame.map { ["--frame=\($0.rawValue)"] } ?? []
        for (index, edited) in figure.loupes.enumerated() {
            words += ["--loupe", loupeText(edited, mark: figure.text.marks[index])]
        }
        if figure.loupes.isEmpty { return figure.text.pixelSize == nil ? words : words + textWords }
        if figure.isPlain { words.append("--plain") }
        if let accent = figure.accent, !figure.isPlain, hasAccent { words += ["--accent", accent.hex] }
        return words + textWords
    }

    /// The options of the text.
    private var textWords: [String] {
        var text = figure.text
        if text.isEmpty { return [] }
        if figure.loupes.isEmpty { (text.letters, text.showsZoom) = (nil, false) }
        let values: [(PictureOption, String?)] = [
            (.letters, text.letters?.rawValue), (.pixelSize, pixelSize?.text),
            (.barCorner, text.pixelSize == nil ? nil : text.barCorner?.optionName),
            (.labelFont, text.family == FigureText().family ? nil : text.family),
            (.labelSize, text.size?.jsonText), (.labelColor, text.color?.hex),
        ]
        let words = values.flatMap { option, value in value.map { ["--\(option.name)", $0] } ?? [] }
        return text.showsZoom ? words + ["--zoom-label"] : words
    }

    /// How large a pixel of the page is, for scale bars.
    var pixelSize: PhysicalLength? {
        figure.text.pixelSize.map { length in
            // Without the last digits, which the way to canvas pixels and back may change.
            let value = length.value / page.facts.pixelsPerCanvasPixel(of: page.scene)
            return PhysicalLength(value < 1e-3 ? value : (value * 1e9).rounded() / 1e9, length.unit)
        }
    }

    /// Whether a ring or a connector takes the accent's colour; the command refuses an accent that nothing takes.
    private var hasAccent: Bool {
        figure.loupes.contains { edited in
            edited.loupe.callout?.ring != nil && !edited.given.has("callout.ring.color")
                || edited.loupe.callout?.connector != nil && !edited.given.has("callout.connector.color")
        }
    }

    /// The words of `--loupe`.
    private func loupeText(_ edited: EditedLoupe, mark: String?) -> String {
        let (loupe, given) = (edited.loupe, edited.given)
        var words = ["at=\(loupe.center.text)"]
        if !edited.magnifiesInPlace { words.append("focus=\(loupe.focus.text)") }
        switch loupe.shape {
        case .circle(let radius): words.append("radius=\(radius.jsonText)")
        case .rectangle(let shape):
            let (size, corner) = ("\(shape.width.jsonText)x\(shape.height.jsonText)", shape.corner)
            words.append("shape=\(size):\(corner.radii.text):\(corner.exponent.jsonText)")
        }
        words.append("zoom=\(loupe.zoom.jsonText)")
        if loupe.filter != .auto { words.append("filter=\(loupe.filter.rawValue)") }
        let written = SceneFields.loupe.write(loupe)
        // The words of lines, of a shadow, and of aids, with the parts that are given or that no style sets.
        for key in ["rim", "shadow", "ring", "connector", "grid", "mark"] {
            let options = PictureOption.words.filter { $0.word == key }
            let path = key == "ring" || key == "connector" ? "callout.\(key)" : key
            guard written.value(at: path) != nil else { continue }
            let values = options.map { option -> String? in
                let field = option.field ?? "\(path).style"
                guard !DefaultStyle.Parts.paths.contains(field) || given.has(field) else { return nil }
                return written.value(at: field)?.word
            }
            let parts = values.compactMap { $0 }
            if !parts.isEmpty { words.append("\(key)=\(parts.joined(separator: ":"))") }
            if parts.isEmpty, key == "ring" { words.append(key) }
        }
        if loupe.outside != .background { words.append("outside=\(loupe.outside.rawValue)") }
        if loupe.strokes != .scale { words.append("strokes=\(loupe.strokes.rawValue)") }
        if loupe.opacity < 1 { words.append("opacity=\(loupe.opacity.jsonText)") }
        if let mark { words.append("label=\(mark)") }
        return words.joined(separator: " ")
    }
}

extension JSONValue {
    /// A number, a text or a point as the command line writes it.
    fileprivate var word: String? {
        switch self {
        case .number(let number): number.jsonText
        case .string(let text): text
        case .array(let parts): parts.compactMap { $0.word }.joined(separator: ",")
        default: nil
        }
    }
}

extension Point {
    /// As the command line writes it.
    fileprivate var text: String { "\(x.jsonText),\(y.jsonText)" }
}
