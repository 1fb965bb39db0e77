import LoupeBase
import LoupeScene

/// A scene that is complete, and what an editor needs to know of how it came about.
public struct Composition: Hashable, Sendable {
    /// The scene; nothing in it depends on the page any more.
    public var scene: Scene
    /// The text that the request asks for.
    package var text: FigureText
    /// A sentence for each placed region that is magnified less than twice, as there is no room for more, and for each given title
    /// that is cut.
    package var warnings: [String]
}

/// The scene that a request means for a page.
/// - Parameters:
///   - request: what is asked for.
///   - page: the page, as scenes name it.
///   - facts: what the page's pixels say.
///   - otherSize: the size of another image.
/// - Throws: `ComposeError`.
public func compose(
    _ request: Request, page: ImagePath, facts: PageFacts, otherSize: (ImagePath) throws(ComposeError) -> ImageSize
) throws(ComposeError) -> Composition {
    let connectorFacts = facts
    var facts = facts
    // The same where a page's contrast happens to be known, as in an editor.
    if !request.needsContrast { facts.contrast = nil }
    var placed = try Placing(request: request, page: page, facts: facts).placed()
    for sparing in try request.sparingWords(of: placed, on: page, facts) {
        let other = try Placing(request: sparing, page: page, facts: facts).placed()
        guard request.magnifiesWords(other) else { continue }
        placed = other
        break
    }
    var scene = request.withConnectorsOverPaper(placed, connectorFacts)
    if !facts.isSVG, scene.loupes.contains(where: { $0.strokes == .keep }) {
        let problem = "the page is no SVG that librsvg draws, so its strokes are not known"
        throw ComposeError(.usage, "--strokes keep: \(problem); leave it out")
    }
    let text = try request.text(on: scene, of: page, marks: placed.marks, facts)
    try request.checkText(of: scene, text)
    scene = text.added(to: scene, contrast: facts.contrast)
    scene = try request.compared(scene, page: page, text: text, facts: facts, otherSize)
    scene = DefaultStyle.coloringText(of: scene, on: facts, given: text.color)
    if request.keepsTransparency, !facts.isOpaque {
        scene.canvas.background = .color(.transparent)
    } else if request.keepsTransparency, facts.isVector, scene.page?.rect == scene.canvas.rect {
        // Some of it shows at the edge of a page that ends within a viewer's pixel.
        scene.canvas.background = .color(facts.tone.paper)
    }
    let (enlarged, factor) = try request.enlarged(scene, facts)
    let filters = FilterChoice(includesPage: !request.options.has(.pageFilter) && !facts.isVector, scale: factor)
    scene = filters.applied(to: enlarged, pageSize: facts.size, isPixelArt: facts.isPixelArt)
    if factor != 1 { try scene.checkRanges(named: request.enlargementFlag) }
    let warnings = placed.regions.keys.sorted().compactMap { index -> String? in
        let zoom = placed.scene.loupes[index].zoom
        guard zoom < FocusRegion.leastZoom, !request.findsView(ofLoupe: index) else { return nil }
        let name = placed.scene.name(ofLoupe: index)
        return "\(name) magnifies its region only \(zoom.hundredths) times; name a smaller one"
    }
    let titles = request.options.texts(.titles) ?? []
    let cuts = titles.filter { title in !scene.labels.contains { $0.text == title } }.map {
        "the title '\($0.quotable)' is wider than its page, and is cut; give a shorter one"
    }
    return Composition(scene: scene, text: text, warnings: warnings + cuts)
}

extension Scene {
    /// Refuses lengths that scaling has moved out of the ranges that scenes may have.
    /// - Parameter name: of the option that scales.
    public func checkRanges(named name: String) throws(ComposeError) {
        let decoder = SceneDecoder { _ in ImageSize(width: 1, height: 1) }
        do {
            _ = try decoder.decode(Array(SceneEncoder().encode(self).utf8))
        } catch let error as DocumentError {
            let other = name == "--scale" ? "scale" : "resolution"
            throw ComposeError(.usage, "\(name): \(error.description); use another \(other)")
        } catch {
            // The sizes above can be read.
        }
    }
}

// MARK: - Scale

extension Request.Enlargement {
    /// How many times as large a canvas becomes.
    public func factor(on canvas: Scene.Canvas) throws(ComposeError) -> Double {
        switch self {
        case .factor(let factor): return factor
        case .width(let width): return try Self.checked(width / Double(canvas.width), canvas)
        case .height(let height): return try Self.checked(height / Double(canvas.height), canvas)
        }
    }

    private static func checked(_ factor: Double, _ canvas: Scene.Canvas) throws(ComposeError) -> Double {
        guard 0.01...64 ~= factor else {
            throw ComposeError(
                .usage,
                "--dpi: the canvas of \(canvas.width)×\(canvas.height) pixels would be drawn \(factor) times as large; allowed is 0.01…64 times"
            )
        }
        return factor
    }
}

extension Request {
    /// The factor of a scene that says all itself: that of `--scale`, or the one that `--width` and `--dpi` ask for.
    /// - Throws: where the enlarged scene has a length that is out of its range.
    package func factor(enlarging scene: Scene) throws(ComposeError) -> Double {
        let factor = try enlargement?.factor(on: scene.canvas) ?? 1
        if factor != 1 { try scene.scaled(by: factor).checkRanges(named: enlargementFlag) }
        return factor
    }

    /// How many times as large pages are drawn that have no pixels, or few, unless something else is asked for: so that an
    /// SVG or PDF has 1,600 pixels on its longer side, and that rings on small pages are no thicker than what they mark.
    private func usualFactor(on canvas: Scene.Canvas, _ facts: PageFacts) -> Int {
        let longer = max(facts.size.width, facts.size.height)
        let isSmall = longer <= 256 && !isPlain && hasLoupes
        let wanted = facts.isVector ? Self.usualSide : isSmall ? 512 : 1
        let most = Scene.Canvas.sideRange.upperBound / max(canvas.width, canvas.height)
        return options.has(.canvas) ? 1 : max(1, min(most, (wanted + longer - 1) / longer))
    }

    /// The longer side of an SVG or PDF that is drawn in pixels, at least.
    package static let usualSide = 1600

    /// The length of a pixel of the picture, in canvas pixels: less than 1 where small pages are enlarged, so that lines and
    /// text are as fine there as on other pages. That of an SVG or PDF is one of the picture as it is usually drawn, so that
    /// lines have the same width on paper at each resolution.
    func pixel(on scene: Scene, _ facts: PageFacts) -> Double {
        if facts.isVector {
            let rect = scene.page?.rect ?? scene.canvas.rect
            return max(rect.width, rect.height) / Double(Self.usualSide)
        }
        let given = try? enlargement?.factor(on: scene.canvas)
        let usual = Double(usualFactor(on: scene.canvas, facts))
        return 1 / min(usual, max(1, given ?? usual).rounded(.down))
    }

    fileprivate func enlarged(_ scene: Scene, _ facts: PageFacts) throws(ComposeError) -> (Scene, factor: Double) {
        let given = try enlargement?.factor(on: scene.canvas)
        let factor =
            given ?? (writesVectors && facts.isVector ? 1 : Double(usualFactor(on: scene.canvas, facts)))
        return (scene.scaled(by: factor).onWholePixels(), factor)
    }
}

// MARK: - Text

extension Request {
    /// The options about the text of figures.
    static let textOptions: [PictureOption] = [
        .letters, .zoomLabel, .pixelSize, .barCorner, .labelFont, .labelSize, .labelColor,
    ]

    /// No text yet, of the size that options ask for.
    func sizedText(on scene: Scene, _ facts: PageFacts) -> FigureText {
        var text = FigureText()
        (text.size, text.pixel) = (options.number(.labelSize), pixel(on: scene, facts))
        // Pages that are compared share the paper.
        let pages = 1 + options.compared.count
        let columns = PageComparison.columns(options.integer(.columns), of: pages)
        text.paper = paper.part(columns: columns, rows: (pages - 1) / columns + 1)
        return text
    }

    /// The text that options ask for.
    /// - Parameter marks: of single loupes, by index.
    fileprivate func text(
        on scene: Scene, of page: ImagePath, marks: [Int: String], _ facts: PageFacts
    ) throws(ComposeError) -> FigureText {
        var text = sizedText(on: scene, facts)
        (text.letters, text.showsZoom, text.marks) = (options.choice(.letters), options.has(.zoomLabel), marks)
        (text.barCorner, text.color) = (options.barCorner, options.color(.labelColor))
        if let family = options.text(.labelFont) { text.family = family }
        if let given = options.pixelSize {
            guard var length = given ?? facts.pixelSize else {
                throw ComposeError(
                    .usage,
                    "--pixel-size auto: \(page.description.quotable) does not say how large its pixels are; give a length, such as --pixel-size 0.65um"
                )
            }
            // The length that a canvas pixel shows; the page may have been scaled to fit the canvas.
            length.value *= facts.pixelsPerCanvasPixel(of: scene)
            guard PhysicalLength.valueRange.contains(length.value) else {
                throw ComposeError(
                    .usage,
                    "--pixel-size: a pixel of the canvas would be \(length.label); allowed are 1e-9 to 1e9 of a unit")
            }
            text.pixelSize = length
        }
        return text
    }

    /// The scene without the connectors that nobody asked for, where one of them runs over more than paper: a loupe without one
    /// beside others would look forgotten. In a photograph there is no paper.
    fileprivate func withConnectorsOverPaper(_ loupes: LoupesOverPage, _ facts: PageFacts) -> Scene {
        var scene = loupes.scene
        let hasPaper = facts.tone.kind != .photograph
        let kept = hasPaper ? LoupePlacer(scene, contrast: facts.contrast).connectorsOverPaper() : []
        let chosen = scene.loupes.indices.filter {
            scene.loupes[$0].callout?.connector != nil && !loupes.given[$0].contains(.connector)
        }
        guard !chosen.allSatisfy(kept.contains) else { return scene }
        for index in chosen { scene.loupes[index].callout?.connector = nil }
        return scene
    }

    /// Refuses options that would have no effect.
    fileprivate func checkText(of scene: Scene, _ text: FigureText) throws(ComposeError) {
        if scene.loupes.isEmpty, let flag = options.first(of: [.letters, .zoomLabel]) {
            throw ComposeError(
                .usage, "\(flag): there is no loupe to mark; add one with --at, --callout or --loupe")
        }
        if options.has(.barCorner), !options.has(.pixelSize) {
            throw ComposeError(
                .usage, "--bar-corner: there is no scale bar; say how large a pixel is with --pixel-size LENGTH")
        }
        if text.isEmpty, !options.has(.compareWith), let flag = options.first(of: Self.textOptions) {
            throw ComposeError(
                .usage, "\(flag): there is no text; add some with --letters, --zoom-label or --pixel-size")
        }
    }
}

// MARK: - Several pages

extension Request {
    /// The scene with all pages that are compared.
    fileprivate func compared(
        _ scene: Scene, page: ImagePath, text: FigureText, facts: PageFacts,
        _ otherSize: (ImagePath) throws(ComposeError) -> ImageSize
    ) throws(ComposeError) -> Scene {
        let others = options.compared
        if others.isEmpty {
            guard let flag = options.first(of: [.titles, .columns]) else { return scene }
            throw ComposeError(
                .usage, "\(flag): there is nothing to compare; name other pages with --compare-with PAGE,…")
        }
        var scene = scene
        if keepsTransparency { scene.canvas.background = .color(.defaultRim) }
        for other in others {
            let size = try otherSize(other)
            guard size == facts.size else {
                throw ComposeError(
                    .badInput,
                    "--compare-with: '\(other.description.quotable)' has \(size) pixels and '\(page.description.quotable)' \(facts.size); pages that are compared need one size"
                )
            }
        }
        let pages = [page] + others
        let titles = options.texts(.titles) ?? pages.map { $0.title }
        guard titles.count == pages.count else {
            throw ComposeError(
                .usage, "--titles: there are \(titles.count) titles for \(pages.count) pages; give one for each")
        }
        let compared = PageComparison(
            pages: pages, titles: titles, columns: options.integer(.columns), style: text.titleStyle(of: scene)
        ).applied(to: scene)
        let (width, height) = (compared.canvas.width, compared.canvas.height)
        guard Scene.Canvas.sideRange.contains(width), Scene.Canvas.sideRange.contains(height) else {
            throw ComposeError(
                .usage,
                "--compare-with: a canvas of \(width)×\(height) is out of range; allowed is 1…16384 each way; use --columns, or make each page smaller with --canvas WxH"
            )
        }
        return compared
    }
}

extension ImagePath {
    /// The file's name without folder and extension, as a title.
    package var title: String {
        if bytes.elementsEqual("-".utf8) { return "input" }
        let name = description.split(separator: "/").last.map(String.init) ?? ""
        let stem = name.split(separator: ".").dropLast().joined(separator: ".")
        let scalars = (stem.isEmpty ? name : stem).unicodeScalars.filter { $0.value >= 0x20 }
        let title = String(String.UnicodeScalarView(scalars))
        return Label.problem(with: title) == nil ? title : "page"
    }
}
