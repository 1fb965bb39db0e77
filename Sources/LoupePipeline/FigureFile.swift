import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeSystem

/// A finished figure, to be checked: its file, and the scene that it stores where Loupe made it.
package struct FigureFile {
    /// The file.
    package let image: ImageFile
    /// What was drawn; nil for a figure of another program, and for one without its scene.
    package let scene: SceneFile?
    private let name: Path

    /// Reads the scene that a figure stores. Its images may be missing.
    /// - Parameters:
    ///   - name: the figure's path, beside which the images lie; `-` for standard input.
    ///   - allowsOutside: whether the scene may name files that do not lie below its folder.
    /// - Throws: `ImageError`; `PipelineError.storedScene` where the stored scene is broken.
    package init(_ image: ImageFile, at name: Path, allowsOutside: Bool = false) throws {
        (self.image, self.name) = (image, name)
        guard let text = try Self.storedScene(in: image) else {
            scene = nil
            return
        }
        do {
            let record = try SceneRecord(parsing: Array(text.utf8))
            scene = SceneFile(
                record.scene, images: ImageSource(besideDocument: name, allowsOutside: allowsOutside))
        } catch {
            throw PipelineError.storedScene(name: name.inputName, error)
        }
    }

    /// The text of the scene that a figure stores; nil where it stores none.
    static func storedScene(in image: ImageFile) throws -> String? {
        let keyword = SelfDescription.sceneKeyword
        switch image.fileFormat {
        case .png: return try image.text(keyword)
        case .pdf where image.page == 1: return StoredJSON.read(named: keyword, from: try image.contents(), .pdf)
        case .svg: return StoredJSON.read(named: keyword, from: try image.contents(), .svg)
        default: return nil
        }
    }

    /// Checks the figure.
    /// - Parameters:
    ///   - width: on paper, in inches; nil takes what the file says.
    ///   - pixels: how large it may be.
    /// - Throws: `ImageError` where the figure can't be drawn.
    package func check(
        width: Double? = nil, limits: FigureLimits = FigureLimits(), pixels: ImageLimits = ImageLimits()
    ) throws -> FigureReport {
        var report = FigureReport(width: try width ?? image.paperWidth(), hasScene: scene != nil)
        if report.width == nil {
            report.unchecked.append(
                "sizes on paper: the file does not say how wide it is printed; name the width with --width 85mm")
        }
        if image.pageCount > 1 {
            report.unchecked.append(
                "other pages: the file has \(image.pageCount), of which page \(image.page ?? 1) is checked; name another by #N"
            )
        }
        if !image.isVector {
            let drawn = try image.image(limits: pixels)
            checkResolution(drawn.size, limits, &report)
            if let scene { try check(scene, on: drawn, limits, &report) }
        } else if let scene {
            // As large as it is usually drawn, so that thin lines have their own colour.
            let canvas = scene.scene.canvas
            let longer = max(canvas.width, canvas.height)
            let factor = (Request.usualSide + longer - 1) / longer
            try image.check(pixels)
            if let drawn = try image.drawn(ImageSize(width: factor * canvas.width, height: factor * canvas.height)) {
                try check(scene, on: drawn, scaledBy: factor, limits, &report)
            }
        }
        if let facts = try image.pdfFacts() { try check(facts, limits, &report) }
        if image.isVector, let undrawn = image.undrawn { report.unchecked.append("what is left out here: \(undrawn)") }
        try checkAlternativeText(&report)
        if scene == nil {
            if image.format != .pdf {
                report.unchecked.append(
                    "text: how large it is can be read from a PDF alone; write the figure as one, too")
            }
            report.unchecked.append(
                "insets, lines and scale bars: the file has no scene, as Loupe stores it in its figures")
        }
        return report
    }

    private func checkAlternativeText(_ report: inout FigureReport) throws {
        func holds(_ words: String...) throws -> Bool {
            let bytes = try image.contents()
            return words.contains { bytes.last(Array($0.utf8)) != nil }
        }
        if let scene = scene?.scene {
            guard scene.alt == nil else { return }
            report.unchecked.append(
                "the alternative text: it is the sentence that the command makes of the loupes; --alt TEXT says what they show"
            )
            return
        }
        var hasText = false
        switch image.fileFormat {
        case .png: hasText = try image.text(SelfDescription.alternativeKeyword) != nil
        case .svg: hasText = try holds("<title", "<desc", "aria-label")
        case .pdf:
            // It may also be in objects that are packed.
            guard try !holds("/Alt") else { return }
            report.unchecked.append("the alternative text: this PDF has none that can be read without unpacking it")
            return
        default:
            report.unchecked.append("the alternative text: only those of a PNG, SVG or PDF are read")
            return
        }
        if hasText { return }
        report.findings.append(
            FigureFinding(
                .warning, .alternativeText, "file", "it does not say what it shows to readers who can't see it",
                fix: "say it with --alt TEXT, or where the figure is published"))
    }

    private func checkResolution(_ size: ImageSize, _ limits: FigureLimits, _ report: inout FigureReport) {
        guard let width = report.width else { return }
        let needed = Int(limits.resolution.rounded())
        let fitting = (Double(size.width) / limits.resolution * 254).rounded(.down) / 10
        report.addResolution(
            of: "file", "it", Double(size.width) / width, limits,
            fix:
                "draw it with more pixels (--width and --dpi \(needed)) or as a PDF, or print it at most \(fitting) mm wide"
        )
    }

    /// The pictures and texts of a scene's PDF are checked as the scene's.
    private func check(_ facts: PDFFacts, _ limits: FigureLimits, _ report: inout FigureReport) throws {
        for font in facts.fonts where !font.isEmbedded {
            report.findings.append(
                FigureFinding(
                    .error, .fonts, "font \(font.name)", "it is not embedded, so each reader shows another one",
                    fix: "embed fonts when the PDF is written"))
        }
        for font in facts.fonts where font.isType3 {
            report.findings.append(
                FigureFinding(
                    .warning, .fonts, "font \(font.name)",
                    "its letters are drawings (Type 3), which some publishers refuse",
                    fix: "write the PDF with TrueType fonts; in matplotlib, rcParams[\"pdf.fonttype\"] = 42"))
        }
        guard scene == nil, let own = try image.paperWidth(), own > 0 else { return }
        let scale = (report.width ?? own) / own
        for (index, picture) in facts.pictures.enumerated() {
            report.addResolution(
                of: "images[\(index)]", "the picture of \(picture.width)×\(picture.height) pixels",
                picture.pixelsPerInch / scale, limits,
                fix: "put one with more pixels in, or print the figure smaller")
        }
        let fonts = Dictionary(grouping: facts.texts, by: \.font).mapValues { $0.map(\.size).min() ?? 0 }
        for (font, size) in fonts.sorted(by: { $0.key < $1.key }) where size * scale < limits.textSize - 0.005 {
            let points = (size * scale).hundredths
            report.findings.append(
                FigureFinding(
                    .error, .textSize, "text in \(font)",
                    "its smallest text has \(points) pt on paper; at least \(limits.textSize.jsonText) pt is needed",
                    measure: .init(size * scale, limit: limits.textSize, unit: "pt"),
                    fix: "make it larger, or print the figure larger"))
        }
    }

    private func check(
        _ file: SceneFile, on picture: Image, scaledBy factor: Int = 1, _ limits: FigureLimits,
        _ report: inout FigureReport
    ) throws {
        let scene = file.scene
        guard picture.width == factor * scene.canvas.width, picture.height == factor * scene.canvas.height else {
            report.unchecked.append(
                "the scene: the file has \(picture.width)×\(picture.height) pixels, and its scene a canvas of "
                    + "\(scene.canvas.width)×\(scene.canvas.height); it was changed since it was drawn")
            return
        }
        let check = FigureCheck(
            scene, images: traits(of: scene.imagePaths, in: file.images, &report.unchecked),
            pixelsPerInch: report.width.map { Double(scene.canvas.width) / $0 }, limits: limits)
        // On paper.
        let (pixels, width) = (picture.flattened.pixels, picture.width)
        report.findings += check.findings { point in
            let (x, y) = (Int(point.x * Double(factor)), Int(point.y * Double(factor)))
            let index = (min(max(y, 0), picture.height - 1) * width + min(max(x, 0), width - 1)) * 4
            return Color(
                red: pixels[index], green: pixels[index + 1], blue: pixels[index + 2], alpha: pixels[index + 3]
            ).over(.defaultRim)
        }
    }

    /// The traits of the images that can be read.
    /// - Parameter unchecked: gets a sentence for each image: what of it is not checked, and why.
    private func traits(
        of paths: [ImagePath], in images: ImageSource, _ unchecked: inout [String]
    ) -> [ImagePath: ImageTraits] {
        var traits: [ImagePath: ImageTraits] = [:]
        for path in paths {
            let (name, isOutside) = (path.description.quotable, images.refusal(of: path) != nil)
            if !isOutside, path != "-", let known = try? images.traits(of: path) {
                traits[path] = known
                unchecked.append(
                    known.isVector
                        ? "text and lines within '\(name)': they are the page's own; check it by itself"
                        : "text within '\(name)': its pixels do not say how large it is")
            } else {
                let reason =
                    isOutside
                    ? "it lies outside of the figure's folder; use --allow-outside"
                    : "it can't be read beside the figure"
                unchecked.append("the resolution of '\(name)', and text and lines within it: \(reason)")
            }
        }
        return traits
    }
}

/// The results of a check of a figure.
package struct FigureReport: Sendable {
    /// By rule, then by element.
    package var findings: [FigureFinding] = []
    /// What could not be checked, and why, as sentences.
    package var unchecked: [String] = []
    /// How wide the figure is on paper, in inches; nil where nobody says it.
    package let width: Double?
    /// Whether the figure stores its scene.
    let hasScene: Bool

    /// A report without findings.
    init(width: Double?, hasScene: Bool) { (self.width, self.hasScene) = (width, hasScene) }

    /// Adds a finding about pixels that are too large on paper, where they are.
    fileprivate mutating func addResolution(
        of element: String, _ subject: String, _ density: Double, _ limits: FigureLimits, fix: String
    ) {
        guard density < limits.resolution - 0.5 else { return }
        let (has, needed) = (Int(density.rounded()), Int(limits.resolution.rounded()))
        findings.append(
            FigureFinding(
                .error, .resolution, element,
                "\(subject) has \(has) pixels an inch on paper; at least \(needed) are needed",
                measure: .init(density, limit: limits.resolution, unit: "ppi"), fix: fix))
    }

    /// How many findings are of a severity.
    package func count(_ severity: FigureFinding.Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// The report as JSON.
    /// - Parameter name: of the figure.
    package func json(of name: String) -> JSONValue {
        [
            "figure": .string(name), "millimetres": width.map { .number(($0 * 2540).rounded() / 100) } ?? .null,
            "scene": .bool(hasScene), "errors": .number(Double(count(.error))),
            "warnings": .number(Double(count(.warning))), "findings": .array(findings.map(\.json)),
            "unchecked": .array(unchecked.map(JSONValue.string)),
        ]
    }
}

extension FigureFinding {
    fileprivate var json: JSONValue {
        [
            "severity": .string(severity.rawValue), "rule": .string(rule.rawValue), "element": .string(element),
            "problem": .string(problem), "fix": .string(fix),
            "measured": measure.map { .number(($0.value * 1000).rounded() / 1000) } ?? .null,
            "limit": measure.map { .number($0.limit) } ?? .null,
            "unit": measure.map { .string($0.unit) } ?? .null,
        ]
    }
}
