import LoupeGeometry
import LoupeMath
import LoupeScene

/// The colour of rings and connectors.
public enum Accent: Hashable, Sendable {
    /// The colour of `palette` that stands out most from the page.
    case auto
    /// This one.
    case color(Color)

    /// The colours among which `auto` chooses; the first is preferred.
    public static let palette = [
        Color(red: 0xe5, green: 0x48, blue: 0x4d), Color(red: 0x00, green: 0x90, blue: 0xff),
        Color(red: 0xff, green: 0xd6, blue: 0x0a), Color(red: 0x30, green: 0xd1, blue: 0x58),
    ]
}

/// The default look of a scene's loupes: a white rim with a hairline around it, a shadow, and a ring and a connector in
/// a colour that stands out from the page, with a casing.
///
/// Lengths follow from the loupe and the canvas, colours from the page. So a style is applied in two steps: `shaped` needs
/// the scene alone, and `colored` the page's colours at the points that `probes` names.
public struct DefaultStyle: Hashable, Sendable {
    /// The parts of a loupe whose values are given, so that the style leaves them alone.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// One bit for each part.
        public let rawValue: UInt16

        /// The parts whose bits are set.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The rim's width; of 0, there is neither rim nor hairline.
        public static let rimWidth = Parts(rawValue: 1)
        /// The rim's colour.
        public static let rimColor = Parts(rawValue: 2)
        /// The shadow's blur.
        public static let shadowBlur = Parts(rawValue: 4)
        /// The shadow's offset.
        public static let shadowOffset = Parts(rawValue: 8)
        /// The shadow's colour.
        public static let shadowColor = Parts(rawValue: 16)
        /// The ring's width.
        public static let ringWidth = Parts(rawValue: 32)
        /// The ring's colour.
        public static let ringColor = Parts(rawValue: 64)
        /// The connector's width.
        public static let connectorWidth = Parts(rawValue: 128)
        /// The connector's colour.
        public static let connectorColor = Parts(rawValue: 256)
    }

    /// For each loupe of the scene.
    public var given: [Parts]
    /// The colour of rings and connectors whose colours are not given.
    public var accent: Accent

    /// Whether it chooses the colours of scale bars and of the labels at loupes and rings: white with a black halo on a dark
    /// page, and else black with a white one.
    public var colorsText: Bool
    /// Parts of the canvas, in canvas pixels, whose texts get colours of their own: the pages of a comparison. Empty where all
    /// texts are alike.
    public var pages: [Rect] = []

    /// A style for the loupes of a scene.
    public init(given: [Parts], accent: Accent = .auto, colorsText: Bool = false) {
        (self.given, self.accent, self.colorsText) = (given, accent, colorsText)
    }

    // MARK: - Lengths

    /// The scene with all that the style adds to its loupes. Colours are those for a white page.
    public func shaped(_ scene: Scene) -> Scene {
        var scene = scene
        let unit = Self.unit(of: scene.canvas)
        for (index, given) in zip(scene.loupes.indices, given) {
            Self.shape(&scene.loupes[index], given, unit: unit)
        }
        return colored(scene, page: [])
    }

    /// A thin line on a canvas, in canvas pixels: a thousandth of its shorter side, but at least 1.
    private static func unit(of canvas: Scene.Canvas) -> Double {
        max(1, rounded(Double(min(canvas.width, canvas.height)) / 1000))
    }

    private static func shape(_ loupe: inout Loupe, _ given: Parts, unit: Double) {
        let radius = loupe.radius
        if !given.contains(.rimWidth) {
            let color = given.contains(.rimColor) ? loupe.rim?.color : nil
            loupe.rim = Loupe.Rim(width: min(radius, max(2, rounded(radius / 30))), color: color ?? .defaultRim)
        }
        if let rim = loupe.rim, rim.width > 0 { loupe.rim?.casing = Casing(width: unit, color: hairlines[2]) }
        var shadow = loupe.shadow ?? Loupe.Shadow(offset: .zero, blur: 0, color: .defaultShadow)
        if !given.contains(.shadowBlur) { shadow.blur = rounded(radius / 5) }
        if !given.contains(.shadowOffset) { shadow.offset = Vector(dx: 0, dy: rounded(radius / 16)) }
        if !given.contains(.shadowColor) { shadow.color = shadowColor }
        loupe.shadow = shadow
        if loupe.callout?.ring != nil {
            if !given.contains(.ringWidth) { loupe.callout?.ring?.width = 3 * unit }
            loupe.callout?.ring?.casing = Casing(width: unit)
        }
        if let connector = loupe.callout?.connector {
            if !given.contains(.connectorWidth), connector.shape.width != nil {
                loupe.callout?.connector?.shape = connector.shape.style.shape(width: 2 * unit)
            }
            loupe.callout?.connector?.casing = Casing(width: unit)
        }
    }

    /// To a hundredth of a pixel, so that scenes are easy to read.
    private static func rounded(_ length: Double) -> Double { (length * 100).rounded() / 100 }

    // MARK: - Colours

    private static let shadowColor = Color(red: 0, green: 0, blue: 0, alpha: 0x66)
    /// How strong a hairline around a rim may be: as weak as possible.
    private static let hairlineAlphas: [UInt8] = [0x33, 0x4d, 0x66, 0x80, 0xa6, 0xcc, 0xe6, 0xff]
    private static let hairlines = hairlineAlphas.map { Color(red: 0, green: 0, blue: 0, alpha: $0) }
    private static let lightHairlines = hairlineAlphas.map { Color(red: 255, green: 255, blue: 255, alpha: $0) }
    /// The part of the points along a line at which it should be seen: a little more than the 95 % of the length that have
    /// to hold. A connector lies under a part of its loupe's rim, where the page's colour says nothing.
    private static let share = (line: 0.955, rim: 0.96, rimAtConnector: 0.975)

    /// The canvas points whose colours decide about the style's.
    public func probes(of scene: Scene) -> [Point] {
        zip(scene.loupes, LinePlaces.all(of: scene)).flatMap { loupe, places -> [Point] in
            let callout = loupe.callout.map(places.probes(of:))
            return places.rim.map { $0.point } + (callout?.ring ?? []) + (callout?.connector ?? [])
        }
            + (colorsText ? Self.texts(of: scene).flatMap { Self.points(under: $0, in: scene) } : [])
    }

    /// The scene with the colours of the style that suit its page.
    ///
    /// - Parameters:
    ///   - scene: As `shaped` returned it, perhaps with loupes moved.
    ///   - page: The page's opaque colours at the points of `probes`, in their order; without any, a white page is assumed.
    public func colored(_ scene: Scene, page: [Color]) -> Scene {
        var scene = scene
        let space = WorkingSpace(scene.blending)
        var rest = page[...]
        var callouts: [CalloutGround] = []
        for (index, places) in LinePlaces.all(of: scene).enumerated() {
            if !page.isEmpty { Self.color(rimOf: &scene.loupes[index], at: places.rim, rest, in: space) }
            rest = rest.dropFirst(places.rim.count)
            let probes = scene.loupes[index].callout.map(places.probes(of:))
            let ring = rest.prefix(probes?.ring.count ?? 0)
            rest = rest.dropFirst(ring.count)
            let connector = rest.prefix(probes?.connector.count ?? 0)
            rest = rest.dropFirst(connector.count)
            callouts.append(CalloutGround(places: places, ring: ring, connector: connector, space: space))
        }
        colorCallouts(of: &scene.loupes, on: callouts, in: space)
        if colorsText { color(textOf: &scene, on: rest, in: space) }
        return scene
    }

    // MARK: - Text

    /// The texts that the style colours: scale bars, then labels at loupes and rings.
    private static func texts(of scene: Scene) -> [TextRun] {
        scene.scaleBars.compactMap { $0.plan(in: scene)?.run }
            + scene.labels.filter { $0.anchor.isAtLoupe }.compactMap { TextRun($0, in: scene) }
    }

    /// Points under a text. In a loupe they are those of the page that it shows there.
    private static func points(under run: TextRun, in scene: Scene) -> [Point] {
        let box = run.estimatedBox
        let points = (0..<15).map { index in
            Point(
                x: box.x + box.width * (0.1 + 0.2 * Double(index % 5)),
                y: box.y + box.height * (0.2 + 0.3 * Double(index / 5)))
        }
        let shown = points.map { point -> Point in
            guard let loupe = scene.loupes.last(where: { Border(of: $0).contains(point) }) else { return point }
            return scene.shownFocus(of: loupe) + (1 / loupe.zoom) * (point - loupe.center)
        }
        return shown.filter(scene.canvas.contains)
    }

    /// The index of the page on which a text lies; the number of pages where it lies on none.
    private func page(of run: TextRun) -> Int { pages.firstIndex { $0.contains(run.anchor) } ?? pages.count }

    /// All text of a page alike, so that letters that belong together look so. The halo serves where the page is unlike most
    /// of it.
    /// - Parameter page: the colours under the texts.
    private func color(textOf scene: inout Scene, on page: some Collection<Color>, in space: WorkingSpace) {
        var grounds = [[Color]](repeating: [], count: pages.count + 1)
        var rest = page[...]
        for run in Self.texts(of: scene) {
            let count = Self.points(under: run, in: scene).count
            grounds[self.page(of: run)] += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        let colors = grounds.map { Self.isDark($0, in: space) ? Color.defaultRim : .defaultInk }
        for index in scene.labels.indices where scene.labels[index].anchor.isAtLoupe {
            guard let run = TextRun(scene.labels[index], in: scene) else { continue }
            scene.labels[index].style.setColor(colors[self.page(of: run)])
        }
        for index in scene.scaleBars.indices {
            guard let run = scene.scaleBars[index].plan(in: scene)?.run else { continue }
            scene.scaleBars[index].style.setColor(colors[self.page(of: run)])
        }
    }

    // MARK: - Callouts and rims

    /// Colours all callouts with the accent, or with the first one with which all are seen, each with the casing that suits it.
    /// Where casings of the accent would differ, another accent is taken with which they are alike: a black casing among white
    /// ones looks like another kind of callout.
    private func colorCallouts(of loupes: inout [Loupe], on grounds: [CalloutGround], in space: WorkingSpace) {
        let page = grounds.flatMap { $0.page }
        let accents = accents(on: page, in: space)
        let hasAccent = zip(loupes, given).map {
            $0.callout != nil && $1.isDisjoint(with: [.ringColor, .connectorColor])
        }
        func colored(_ accent: Color, _ casing: Color?) -> (loupes: [Loupe], share: Double) {
            var colored = loupes
            let shares = colored.indices.map { index in
                Self.color(
                    calloutOf: &colored[index], given[index], accent, casing: hasAccent[index] ? casing : nil,
                    on: grounds[index])
            }
            return (colored, shares.min() ?? 1)
        }
        var best: (loupes: [Loupe], share: Double)?
        for accent in accents {
            let next = colored(accent, nil)
            if next.share > best?.share ?? -1 { best = next }
            if next.share >= Self.share.line { break }
        }
        guard let best else { return }
        let callouts = zip(best.loupes, hasAccent).filter { $0.1 }.compactMap { $0.0.callout }
        let casings = Set(callouts.compactMap { ($0.ring?.casing ?? $0.connector?.casing)?.color })
        let alike = casings.count < 2 ? [] : Self.casings(on: page, in: space)
        for casing in alike {
            for accent in accents {
                let next = colored(accent, casing)
                guard next.share >= Self.share.line else { continue }
                loupes = next.loupes
                return
            }
        }
        loupes = best.loupes
    }

    /// The accent, or all that it may be: first what stands out most from the page.
    private func accents(on page: [Color], in space: WorkingSpace) -> [Color] {
        if case .color(let color) = accent { return [color] }
        let page = page.map { space.lab(space.working($0)) }
        let rated = Accent.palette.enumerated().map { index, color in
            let lab = OKLab(color)
            return (color: color, index: index, contrast: page.reduce(0) { $0 + lab.contrast(to: $1) })
        }
        return rated.sorted { $0.contrast == $1.contrast ? $0.index < $1.index : $0.contrast > $1.contrast }
            .map { $0.color }
    }

    /// - Parameter casing: nil takes the one that suits this callout.
    /// - Returns: The part of ring and connector that will be seen.
    private static func color(
        calloutOf loupe: inout Loupe, _ given: Parts, _ accent: Color, casing: Color?, on ground: CalloutGround
    ) -> Double {
        if loupe.callout?.ring != nil, !given.contains(.ringColor) { loupe.callout?.ring?.color = accent }
        if let connector = loupe.callout?.connector, !given.contains(.connectorColor) {
            var color = accent
            let alpha = Int(accent.alpha) * Int(connector.shape.style.defaultColor.alpha) / 255
            color.alpha = UInt8(alpha)
            loupe.callout?.connector?.color = color
        }
        guard let callout = loupe.callout else { return 1 }
        let best = first(
            of: casing.map { [$0] } ?? casings(on: ground.page, in: ground.space),
            for: ground.forecasts(of: callout), enough: share.line)
        if callout.ring?.casing != nil { loupe.callout?.ring?.casing?.color = best.color }
        if callout.connector?.casing != nil { loupe.callout?.connector?.casing?.color = best.color }
        return best.share
    }

    /// White and black; first the one that is more like the page.
    private static func casings(on page: some Collection<Color>, in space: WorkingSpace) -> [Color] {
        isDark(page, in: space) ? [.defaultInk, .defaultRim] : [.defaultRim, .defaultInk]
    }

    /// - Parameters:
    ///   - points: Along the rim.
    ///   - page: Begins with the page's colours there.
    private static func color(
        rimOf loupe: inout Loupe, at points: [LinePoint], _ page: ArraySlice<Color>, in space: WorkingSpace
    ) {
        guard let rim = loupe.rim, let hairline = rim.casing, !points.isEmpty else { return }
        let page = page.prefix(points.count)
        // The hairline lies on the shadow.
        let forecast = LineForecast(
            LineProfile(rim, hairline), at: points, on: page, in: space,
            under: { [loupe] in loupe.shade(at: $0, near: $1) })
        let candidates = isDark(page, in: space) ? lightHairlines + hairlines : hairlines + lightHairlines
        let enough = loupe.callout?.connector == nil ? share.rim : share.rimAtConnector
        loupe.rim?.casing?.color = first(of: candidates, for: [forecast], enough: enough).color
    }

    /// Whether half of a page's colours are darker than a middle grey.
    private static func isDark(_ page: some Collection<Color>, in space: WorkingSpace) -> Bool {
        2 * page.filter { space.lab(space.working($0)).lightness < 0.5 }.count > page.count
    }

    /// The first colour of a casing with which enough of each line is seen, else the one with which most is; and the part that
    /// is seen of the line that is seen least.
    private static func first(
        of casings: [Color], for lines: [LineForecast], enough: Double
    ) -> (color: Color, share: Double) {
        var best = (color: casings[0], share: -1.0)
        for casing in casings {
            let share = lines.map { $0.share(casing: casing) }.min() ?? 1
            if share > best.share { best = (casing, share) }
            if share >= enough { break }
        }
        return best
    }
}

/// What the ring and the connector of a loupe lie on.
private struct CalloutGround {
    let places: LinePlaces
    /// The page's colours at the probes of the ring and at those of the connector.
    let ring: ArraySlice<Color>
    let connector: ArraySlice<Color>
    let space: WorkingSpace

    /// All of them.
    var page: [Color] { Array(ring) + connector }

    func forecasts(of callout: Callout) -> [LineForecast] {
        [
            callout.ring.map { LineForecast(LineProfile($0), at: places.ring, on: ring, in: space) },
            callout.connector.map { LineForecast(LineProfile($0), at: places.connector, on: connector, in: space) },
        ].compactMap { $0 }
    }
}

extension Loupe {
    /// The colour of the loupe's shadow at a canvas point.
    /// - Parameter place: Near that point, in the middle of the rim's casing.
    fileprivate func shade(at point: Point, near place: LinePoint) -> Color {
        guard let shadow else { return .transparent }
        let depth: Double
        switch Border(of: self) {
        case .disc(let disc): depth = disc.radius - (point - shadow.offset).distance(to: disc.center)
        case .outline:
            // As if the border were straight here: its exact distance takes far longer.
            let way = point - shadow.offset - place.point
            depth = -way.dot(place.normal) - (rim?.casing?.width ?? 0) / 2
        }
        let deviation = max(shadow.blur / 2, 1e-6)
        let strength = 0.5 * erfc(-depth / (deviation * 2.0.squareRoot()))
        var shade = shadow.color
        shade.alpha = UInt8((Double(shade.alpha) * strength).rounded())
        return shade
    }
}

extension Label.Anchor {
    /// Whether it is at a loupe or at its ring.
    fileprivate var isAtLoupe: Bool { if case .point = self { false } else { true } }
}

extension TextStyle {
    fileprivate mutating func setColor(_ color: Color) {
        self.color = color
        halo?.color = Self.halo(of: color)
    }
}
