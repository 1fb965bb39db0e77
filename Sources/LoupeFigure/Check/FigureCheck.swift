import LoupeBase
import LoupePlan
import LoupeScene

/// Checks what journals ask of figures with insets, as far as the scene of a figure and its picture show it.
package struct FigureCheck: Sendable {
    let scene: Scene
    let limits: FigureLimits
    /// Canvas pixels on an inch of paper; nil where nobody knows how large the figure is printed.
    let pixelsPerInch: Double?
    /// What is known of the scene's images.
    let images: [ImagePath: ImageTraits]

    /// A check of a scene.
    /// - Parameters:
    ///   - pixelsPerInch: canvas pixels on an inch of paper. Without it, nothing is said about sizes on paper.
    ///   - images: by path, those of them that are known.
    package init(
        _ scene: Scene, images: [ImagePath: ImageTraits] = [:], pixelsPerInch: Double?,
        limits: FigureLimits = FigureLimits()
    ) {
        (self.scene, self.images, self.pixelsPerInch, self.limits) = (scene, images, pixelsPerInch, limits)
    }

    /// What is found: by rule, then by element.
    /// - Parameter picture: returns the opaque colour of the drawn figure's pixel that holds a canvas point.
    package func findings(on picture: (Point) -> Color) -> [FigureFinding] {
        origins + bars + contrasts(on: picture) + lineWidths + textSizes + resolutions
    }

    static func loupe(_ index: Int) -> String { "loupes[\(index)]" }

    // MARK: - Origins

    private var origins: [FigureFinding] {
        zip(scene.loupes.indices, LinePlaces.all(of: scene)).compactMap { origin(ofLoupe: $0, $1) }
    }

    private func origin(ofLoupe index: Int, _ places: LinePlaces) -> FigureFinding? {
        let loupe = scene.loupes[index]
        if Border(of: loupe).block(grownBy: 0).intersection(scene.canvas.pixels).isEmpty {
            return FigureFinding(
                .error, .origin, Self.loupe(index), "it lies off the canvas, so nothing of it is seen", fix: "move it")
        }
        let ring = places.ring.filter { isUncovered($0.point) }
        if 10 * ring.count >= places.ring.count, !ring.isEmpty { return nil }
        if places.connector.contains(where: { isUncovered($0.point) }) { return nil }
        let marks = marks(ofLoupe: index)
        if marks.loupe.contains(where: { marks.ring.contains($0) }) { return nil }
        let fix =
            "add a ring or a connector (--callout, or \"callout\" of the loupe), or the same letter at the loupe and at what it shows (--letters a)"
        if loupe.callout != nil {
            return FigureFinding(
                .error, .origin, Self.loupe(index),
                "its ring or connector lies under a loupe or off the canvas, so nothing marks what it shows",
                fix: "move the loupe or what covers the mark (--place page finds places)")
        }
        if Border(of: loupe).contains(scene.shownFocus(of: loupe)) {
            return FigureFinding(
                .warning, .origin, Self.loupe(index),
                "it lies over what it shows, and nothing marks how much of the page that is",
                fix: "place it beside that with a ring (--callout FOCUS@CENTER)")
        }
        return FigureFinding(.error, .origin, Self.loupe(index), "nothing marks what it shows", fix: fix)
    }

    /// Whether no loupe covers a point of a callout.
    func isUncovered(_ point: Point) -> Bool {
        scene.canvas.contains(point) && !scene.loupes.contains { Border(of: $0).contains(point) }
    }

    /// The texts at a loupe and at its ring.
    func marks(ofLoupe index: Int) -> (loupe: [String], ring: [String]) {
        var marks: (loupe: [String], ring: [String]) = ([], [])
        for label in scene.labels {
            switch label.anchor {
            case .loupe(index, _, _, _): marks.loupe.append(label.text)
            case .ring(index, _, _): marks.ring.append(label.text)
            default: break
            }
        }
        return marks
    }

    // MARK: - Scale bars

    private var bars: [FigureFinding] {
        let all = scene.scaleBars.enumerated().compactMap { bar($1, at: "scaleBars[\($0)]") }
        guard !scene.scaleBars.isEmpty else { return all }
        let unscaled = scene.loupes.indices.filter { index in
            let factor = TextRun.factor(scene.loupes[index].zoom)
            return !scene.scaleBars.contains { $0.subject == .loupe(index) }
                && !marks(ofLoupe: index).loupe.contains { $0.holds(factor) }
        }
        return all
            + unscaled.map { index in
                FigureFinding(
                    .warning, .scaleBar, Self.loupe(index),
                    "the figure has a scale bar, and this loupe says neither a length nor its zoom factor",
                    fix: "add a scale bar of the loupe (--pixel-size) or its zoom factor (--zoom-label)")
            }
    }

    private func bar(_ bar: ScaleBar, at element: String) -> FigureFinding? {
        guard let rect = bar.plan(in: scene)?.bar.rect else {
            return FigureFinding(
                .error, .scaleBar, element, "it is not drawn, as nothing says how large a pixel is",
                fix: "say it with \"pixelSize\"")
        }
        if scene.canvas.rect.contains(rect) { return nil }
        return FigureFinding(
            .error, .scaleBar, element, "a part of it lies off the canvas",
            fix: "make it shorter, or place it in another corner (--bar-corner)")
    }

    // MARK: - Sizes on paper

    /// Lines with their widths, in canvas pixels.
    private var lines: [(element: String, width: Double)] {
        var lines: [(element: String, width: Double)] = []
        func add(_ element: String, _ width: Double?) { if let width, width > 0 { lines.append((element, width)) } }
        for (index, layer) in scene.layers.enumerated() {
            for (number, stroke) in layer.strokes.enumerated() {
                add("layers[\(index)].strokes[\(number)]", stroke.width)
            }
        }
        for (index, loupe) in scene.loupes.enumerated() {
            let name = Self.loupe(index)
            add("\(name).rim", loupe.rim?.width)
            add("\(name).callout.ring", loupe.callout?.ring?.width)
            add("\(name).callout.connector", loupe.callout?.connector?.shape.width)
            add("\(name).grid", loupe.grid?.width)
            add("\(name).mark", loupe.mark?.width)
            add("\(name).versus.divider", loupe.split?.divider?.width)
        }
        for (index, bar) in scene.scaleBars.enumerated() { add("scaleBars[\(index)]", bar.width) }
        return lines
    }

    private var lineWidths: [FigureFinding] {
        guard let pixelsPerInch else { return [] }
        return lines.compactMap { line in
            let width = line.width / pixelsPerInch * 72
            guard width < limits.lineWidth - 1e-9 else { return nil }
            return FigureFinding(
                .error, .lineWidth, line.element,
                "it is \(width.hundredths) pt wide on paper; at least \(limits.lineWidth.hundredths) pt is needed",
                measure: .init(width, limit: limits.lineWidth, unit: "pt"),
                fix:
                    "make it \((limits.lineWidth / 72 * pixelsPerInch).roundedUp) canvas pixels wide, or print the figure larger"
            )
        }
    }

    private var textSizes: [FigureFinding] {
        guard let pixelsPerInch else { return [] }
        let texts =
            scene.labels.enumerated().map { ("labels[\($0)]", $1.style.size) }
            + scene.scaleBars.enumerated().map { ("scaleBars[\($0)]", $1.style.size) }
        return texts.compactMap { element, size in
            let points = size / pixelsPerInch * 72
            guard points < limits.textSize - 1e-9 else { return nil }
            return FigureFinding(
                .error, .textSize, element,
                "its text has \(points.hundredths) pt on paper; at least \(limits.textSize.hundredths) pt is needed",
                measure: .init(points, limit: limits.textSize, unit: "pt"),
                fix:
                    "make the text \((limits.textSize / 72 * pixelsPerInch).roundedUp) canvas pixels large (letters by --label-size; other text has four fifths of that), or print the figure larger"
            )
        }
    }

    // MARK: - Resolution

    private var resolutions: [FigureFinding] {
        guard let pixelsPerInch else { return [] }
        return scene.layers.enumerated().compactMap { index, layer in
            // Pixels that are shown as squares are there to be seen.
            guard let path = layer.imagePath, let image = images[path], !image.isVector, layer.filter != .nearest
            else { return nil }
            let (across, down) = (
                Double(image.size.width) / layer.rect.width, Double(image.size.height) / layer.rect.height
            )
            let density = pixelsPerInch * min(across, down)
            guard density < limits.resolution - 0.5 else { return nil }
            return FigureFinding(
                .error, .resolution, "layers[\(index)]",
                "its image has \(density.wholeText) pixels an inch on paper; at least \(limits.resolution.wholeText) are needed",
                measure: .init(density, limit: limits.resolution, unit: "ppi"),
                fix: "take an image with more pixels, or print the figure smaller")
        }
    }
}

extension Double {
    /// Rounded up to tenths.
    fileprivate var roundedUp: String { ((self * 10).rounded(.up) / 10).hundredths }

    /// Rounded to a whole number.
    fileprivate var wholeText: String { rounded().hundredths }
}

extension String {
    /// Whether a zoom factor is a part of this text: `14×` does not hold `4×`.
    fileprivate func holds(_ factor: String) -> Bool {
        let (all, part) = (Array(utf8), Array(factor.utf8))
        guard part.count <= all.count else { return false }
        let numerals = Set("0123456789.".utf8)
        return (0...all.count - part.count).contains { start in
            let isWhole = start == 0 || !numerals.contains(all[start - 1])
            return isWhole && all[start..<start + part.count].elementsEqual(part)
        }
    }
}
