import LoupeBase
import LoupeScene

/// A figure that flags, a job, Python, a page or the editor ask for: a page with loupes, in positions that may be
/// relative, and without any of the page's pixels.
public struct Request: Hashable, Sendable {
    /// The size of the picture beside the canvas that the options describe.
    public enum Enlargement: Hashable, Sendable {
        /// A factor of every length.
        case factor(Double)
        /// So that the canvas gets this width, in pixels.
        case width(Double)
        /// So that the canvas gets this height, in pixels.
        case height(Double)
    }

    /// Those of the page, and those that flags say of loupes.
    package let options: OptionValues
    /// Each `--callout`.
    private(set) var callouts: [GivenCallout]
    /// The words of each `--loupe`.
    let words: [OptionValues]
    /// How the picture is enlarged, by `--scale`, or to have a length and a resolution; nil where nothing says it.
    public let enlargement: Enlargement?
    /// The first option that only a page can have; nil where there is none.
    public let firstFlag: String?
    /// `--width` and `--height`, from which the least size of text follows.
    package var paper = FigureText.Paper()
    /// Whether vectors keep their size, as in a PDF, an SVG and a live page.
    package var writesVectors = false

    /// Reads options, each once.
    /// - Parameter enlargement: by `--width` and `--dpi`.
    /// - Throws: what is wrong with the first value that is none.
    public init(_ given: GivenOptions, enlargement: Enlargement? = nil) throws(ComposeError) {
        options = try OptionValues(given)
        let scale = options.number(.scale)
        if scale != nil, enlargement != nil {
            throw ComposeError(
                .usage, "--scale: --width and --dpi say how many pixels there are; leave one of the three out")
        }
        self.enlargement = scale.map { .factor($0) } ?? enlargement
        let ofAnyInput = [PictureOption.scale.name, PictureOption.alt.name]
        firstFlag = given.entries.first { !ofAnyInput.contains($0.name) }?.shown
        words = try given.each(.loupe) { (entry, index) throws(ComposeError) in
            let word = try OptionValues(GivenOptions(words: entry, index: index))
            if let shape = word.shape, shape.size == nil {
                throw ComposeError(
                    .usage, "\(word.shown(.shape)): only a callout's region has a form without a size; write shape=WxH")
            }
            return word
        }
        callouts = try given.each(.callout, GivenCallout.init)
    }

    /// Whether nothing is asked for but the page itself, at any scale and with any alternative text.
    public var asksNothing: Bool { firstFlag == nil }

    /// The option that says how the picture is enlarged, for errors.
    var enlargementFlag: String { options.has(.scale) ? "--scale" : "--dpi" }

    /// What the picture shows, for readers who can't see it; nil where no option says it.
    public var alt: String? { options.text(.alt) }

    /// Whether no default style adds what is not given.
    public var isPlain: Bool { options.has(.plain) }

    /// Whether the picture is transparent where the page is, and around it: nobody asks for a background.
    package var keepsTransparency: Bool { !options.has(.background) && !options.has(.frame) }

    /// The images that the scene shows beside the page, by the options that name them.
    public var otherFiles: [(option: String, path: ImagePath)] {
        var files: [(option: String, path: ImagePath)] = []
        if let versus = options.versus { files.append((PictureOption.versus.name, versus)) }
        for path in options.compared { files.append((PictureOption.compareWith.name, path)) }
        return files
    }

    /// The images that the scene shows beside the page.
    public var otherImages: [ImagePath] { otherFiles.map { $0.path } }

    /// Whether no option says how loupes are filtered.
    package var leavesFiltersOpen: Bool {
        !options.has(.filter) && !(words + callouts.map { $0.own }).contains { $0.has(.filter) }
    }

    /// Whether there are loupes.
    public var hasLoupes: Bool {
        options.has(.at) || options.has(.callout) || options.has(.loupe)
    }

    /// The one colour of the background that the options ask for.
    package var plainBackground: Color? {
        options.color(.background) ?? options.frame(on: .light)?.background.plainColor
    }

    /// Whether the page's contrast decides which connectors there are.
    public var choosesConnectors: Bool {
        !callouts.allSatisfy { DefaultStyle.Parts(givenBy: options.overridden(by: $0.own)).contains(.connector) }
    }

    /// Whether the page's contrast is needed, once its tone is known: a photograph has no paper for connectors.
    public func needsContrast(on tone: PageTone) -> Bool {
        needsContrast || choosesConnectors && tone.kind != .photograph
    }

    /// Whether the page's contrast is needed at any rate, as loupes or text have to be placed.
    public var needsContrast: Bool {
        if options.first(of: [.place, .letters, .zoomLabel, .pixelSize]) != nil { return true }
        return callouts.contains { $0.target.center == nil || $0.own.has(.label) } || words.contains { !$0.has(.at) }
    }
}

// MARK: - Views that cut no words

extension Request {
    /// Whether views depend on where a page of a kind has words.
    public func sparesWords(on tone: PageTone) -> Bool { tone.kind != .photograph && !viewsToFind.isEmpty }

    /// The callouts of a point that have no place, of which nothing says how much they show, nor names one of its pixels. Callouts
    /// are the first loupes of a scene, as there is none of `--at` beside them.
    private var viewsToFind: [Int] { callouts.indices.filter(findsView) }

    /// Whether a loupe shows a point, and how much around it is found.
    func findsView(ofLoupe index: Int) -> Bool {
        guard !isPlain, callouts.indices.contains(index) else { return false }
        let (target, own) = (callouts[index].target, callouts[index].own)
        let saying: [PictureOption] = [.zoom, .radius, .shape, .versus, .grid, .gridColor, .mark, .markColor]
        return target.center == nil && !target.focus.isRegion && target.focus.percentText == nil
            && options.overridden(by: own).first(of: saying) == nil
    }

    /// Whether each box that was found for words magnifies them: one that hardly does is worse than a word that is cut.
    func magnifiesWords(_ loupes: LoupesOverPage) -> Bool {
        loupes.regions.keys.allSatisfy {
            !findsView(ofLoupe: $0) || loupes.scene.loupes[$0].zoom >= BesidePage.enough
        }
    }

    /// The request with a zoom or a region for each callout that leaves both open, so that its view of a drawing cuts no words:
    /// from the best to the least; none where no word is cut anyway, or some are in each view.
    /// - Parameter loupes: placed as the request says it.
    func sparingWords(
        of loupes: LoupesOverPage, on path: ImagePath, _ facts: PageFacts
    ) throws(ComposeError) -> [Request] {
        guard let words = facts.words, sparesWords(on: facts.tone) else { return [] }
        let bare = try PageLayout(options: options, size: facts.size, path: path, tone: facts.tone).scene()
        let page = PlacedPage(size: facts.size, rect: bare.layers[0].rect)
        let whole = WholeWords(
            words, on: page, radius: LoupeRequest.defaultRadius(on: bare.canvas),
            ring: style(of: loupes, facts).widths(on: page.rect).ring)
        let views = viewsToFind
        let points = views.map { callouts[$0].target.focus.resolved(on: page).point }
        let radii = views.map { loupes.scene.loupes[$0].halfSides.dx }
        if let zoom = whole.zoom(ofDiscs: zip(points, radii).map { (point: $0, radius: $1) }) {
            guard zoom != LoupeRequest.defaultZoom else { return [] }
            var result = self
            for index in views { result.callouts[index].own = callouts[index].own.with(.zoom, zoom) }
            return [result]
        }
        return whole.boxes(around: points).map { boxes in
            var result = self
            for (index, box) in zip(views, boxes) { result.callouts[index].target.focus = FocusTarget(box) }
            return result
        }
    }
}

/// Loupes over a page, of which some are still to be placed.
struct LoupesOverPage {
    var scene: Scene
    /// The loupes without a place; their centres mean nothing.
    var unplaced: [Int]
    /// Those of them that are discs of the default radius.
    var discs: [Int]
    /// Those of them that show a region in a rectangle at a zoom that nobody gave.
    var regions: [Int: FocusRegion]
    /// The parts of each loupe's look that are given.
    var given: [DefaultStyle.Parts]
    /// The texts of marks that single loupes have, by index.
    var marks: [Int: String]
}

extension LoupesOverPage {
    fileprivate mutating func add(_ asked: AskedLoupe, _ loupe: Loupe, on page: PlacedPage) {
        let index = scene.loupes.count
        if asked.center == nil {
            unplaced.append(index)
            let region = asked.focus?.resolved(on: page).region
            let isSized = LoupeRequest.isSized(asked.options)
            if region == nil, !isSized { discs.append(index) }
            if case .rectangle = loupe.shape, !isSized, !asked.options.has(.zoom) { regions[index] = region }
        }
        if let label = asked.options.text(.label) { marks[index] = label }
        scene.loupes.append(loupe)
        given.append(DefaultStyle.Parts(givenBy: asked.options))
    }
}

extension Request {
    static let loupeOptions =
        PictureOption.words.filter { !["at", "label"].contains($0.name) }
        + [.versus, .versusAngle, .dividerWidth, .dividerColor, .grid, .mark]

    /// Puts the loupes over the page: that of `--at` or those of `--callout`, then those of `--loupe`.
    func loupes(over path: ImagePath, _ facts: PageFacts) throws(ComposeError) -> LoupesOverPage {
        var bare = try PageLayout(options: options, size: facts.size, path: path, tone: facts.tone).scene()
        if keepsTransparency, !facts.isOpaque { bare.canvas.background = .color(.transparent) }
        let page = try placed(facts, at: bare.layers[0].rect)
        let radius = LoupeRequest.defaultRadius(on: bare.canvas)
        let regionZoom = callouts.compactMap {
            $0.target.focus.resolved(on: page).region?.usualZoom(asLargeAs: radius, on: page.rect)
        }.min()
        var result = LoupesOverPage(scene: bare, unplaced: [], discs: [], regions: [:], given: [], marks: [:])
        for asked in try askedLoupes {
            let request = LoupeRequest(
                asked: asked, page: page, standardRadius: radius, regionZoom: regionZoom,
                pixel: pixel(on: bare, facts), isPlain: isPlain,
                fillsCanvas: page.rect == bare.canvas.rect && keepsTransparency && !options.has(.corner))
            result.add(asked, try request.loupe(), on: page)
        }
        try checkNeeds(result)
        result.scene = styled(result, facts)
        return result
    }

    /// The page on the canvas, with the boxes of all names in the positions.
    private func placed(_ facts: PageFacts, at rect: Rect) throws(ComposeError) -> PlacedPage {
        var page = PlacedPage(size: facts.size, rect: rect)
        for (option, name) in names {
            let box = try facts.box(of: name, for: option)
            let (corner, end) = (page.canvasPoint(box.minX, box.minY), page.canvasPoint(box.maxX, box.maxY))
            page.boxes[name] = Rect(x: corner.x, y: corner.y, width: end.x - corner.x, height: end.y - corner.y)
        }
        return page
    }

    /// The loupes that options ask for, in the order in which they are drawn.
    private var askedLoupes: [AskedLoupe] {
        get throws(ComposeError) {
            let (at, focus) = (options.position(.at), options.focus)
            if !callouts.isEmpty, at != nil || focus != nil {
                throw ComposeError(
                    .usage, "--callout: it says where the loupe is and what it shows; leave out --at and --focus")
            }
            if at == nil, callouts.isEmpty, let flag = options.first(of: Self.loupeOptions) {
                let problem = words.isEmpty ? "there is no loupe" : "it does not apply to the loupes of --loupe"
                throw ComposeError(.usage, "\(flag): \(problem); add a loupe with --at X,Y or --callout FX,FY")
            }
            var asked: [AskedLoupe] = []
            if let at { asked.append(AskedLoupe(options: options, center: at, focus: focus, name: "--focus")) }
            asked += callouts.map { callout in
                AskedLoupe(
                    options: options.overridden(by: callout.own), center: callout.target.center,
                    focus: callout.target.focus, isCallout: true, name: "--callout")
            }
            for (index, word) in words.enumerated() {
                let name = words.count > 1 ? "--loupe[\(index)]" : "--loupe"
                guard word.has(.at) || word.has(.focus) else {
                    throw ComposeError(
                        .usage,
                        "\(name): it says neither where the loupe is, with at=X,Y, nor what it shows, with focus=X,Y")
                }
                asked.append(
                    AskedLoupe(options: word, center: word.position(.at), focus: word.focus, name: "\(name).focus"))
            }
            for loupe in asked { try Self.checkFraction(loupe.focus, loupe.name) }
            return asked
        }
    }

    /// The scene with the default style, which depends on where loupes are.
    func styled(_ loupes: LoupesOverPage, _ facts: PageFacts) -> Scene {
        let scene = loupes.scene
        guard !isPlain else { return scene.ditheringWideShadows() }
        return style(of: loupes, facts).applied(to: scene, tone: facts.tone, content: facts.content(on: scene))
            .ditheringWideShadows()
    }

    private func style(of loupes: LoupesOverPage, _ facts: PageFacts) -> DefaultStyle {
        DefaultStyle(
            given: loupes.given, accent: options.accent, hasLetters: hasLetters(loupes),
            pixel: pixel(on: loupes.scene, facts), point: paper.point(on: loupes.scene.canvas))
    }

    /// Whether letters or other marks say which loupe belongs to which ring.
    func hasLetters(_ loupes: LoupesOverPage) -> Bool { options.has(.letters) || !loupes.marks.isEmpty }

    /// Refuses a focus that was meant as parts of the page.
    private static func checkFraction(_ focus: FocusTarget?, _ name: String) throws(ComposeError) {
        guard let percent = focus?.percentText else { return }
        throw ComposeError(
            .usage, "\(name): it lies in the canvas's first pixel; write \(percent) for that part of the page")
    }

    /// Refuses options that would have no effect.
    private func checkNeeds(_ loupes: LoupesOverPage) throws(ComposeError) {
        if loupes.scene.loupes.isEmpty {
            if let flag = options.first(of: [.accent, .plain]) {
                throw ComposeError(.usage, "\(flag): there is no loupe; add a loupe with --at X,Y or --callout FX,FY")
            }
            if options.has(.place) {
                throw ComposeError(
                    .usage, "--place: there is no loupe; say what one shows with --callout FX,FY or --loupe focus=X,Y")
            }
        }
        if options.has(.place), loupes.unplaced.isEmpty {
            throw ComposeError(
                .usage, "--place: every loupe has a centre already; leave out --place, or @CX,CY or at=X,Y of one")
        }
        guard options.has(.accent) else { return }
        if isPlain {
            throw ComposeError(.usage, "--accent: --plain leaves the default style out; leave out one of them")
        }
        let isSeen = zip(loupes.scene.loupes, loupes.given).contains { loupe, given in
            if loupe.callout?.ring != nil { return !given.contains(.ringColor) }
            return loupe.callout?.connector != nil && !given.contains(.connectorColor)
        }
        guard isSeen else {
            throw ComposeError(
                .usage,
                "--accent: there is no ring or connector without a colour of its own; add one with --callout or --ring-width W"
            )
        }
    }
}
