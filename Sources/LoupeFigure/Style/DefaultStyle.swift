import LoupeBase
import LoupePlan
import LoupeScene

/// The default look of a scene's loupes: a shadow, and a rim, a ring and a connector in one colour.
///
/// One callout has the accent, and so have several with letters; several without letters have one hue each, so that the colour
/// says what belongs together. Lengths follow from the page and its size on paper. The rim of a loupe without a ring is that of
/// the paper that it lies on. Where all loupes stand beside the page, they lie flat on the paper, without shadows. Only the
/// accent depends on the page's hues too (`PageTone`).
struct DefaultStyle: Hashable, Sendable {
    /// The parts of a loupe whose values are given, so that the style leaves them alone.
    struct Parts: OptionSet, Hashable, Sendable {
        /// One bit for each part.
        let rawValue: UInt16

        /// The parts whose bits are set.
        init(rawValue: UInt16) { self.rawValue = rawValue }

        static let rimWidth = Parts(rawValue: 1)
        static let rimColor = Parts(rawValue: 2)
        static let shadowBlur = Parts(rawValue: 4)
        static let shadowOffset = Parts(rawValue: 8)
        static let shadowColor = Parts(rawValue: 16)
        static let ringWidth = Parts(rawValue: 32)
        static let ringColor = Parts(rawValue: 64)
        /// That there is one: its style, its width or its colour.
        static let connector = Parts(rawValue: 128)
        static let connectorWidth = Parts(rawValue: 256)
        static let connectorColor = Parts(rawValue: 512)

        /// The parts that each option gives.
        private static let byOption: [(option: PictureOption, parts: Parts)] = [
            (.rimWidth, .rimWidth), (.rimColor, .rimColor), (.shadowBlur, .shadowBlur),
            (.shadowOffset, .shadowOffset), (.shadowColor, .shadowColor), (.ringWidth, .ringWidth),
            (.ringColor, .ringColor), (.connector, .connector), (.connectorWidth, [.connector, .connectorWidth]),
            (.connectorColor, [.connector, .connectorColor]),
        ]

        /// The parts that a loupe's options give.
        init(givenBy options: OptionValues) {
            self = Self.byOption.reduce(into: []) { if options.has($1.option) { $0.formUnion($1.parts) } }
        }
    }

    /// For each loupe of the scene.
    var given: [Parts]
    /// The colour of rings, rims and connectors whose colours are not given.
    var accent: Color?
    /// Whether letters say which loupe belongs to which ring.
    private let hasLetters: Bool
    private let pixel: Double
    private let point: Double

    /// A style for the loupes of a scene.
    /// - Parameters:
    ///   - pixel: the length of a pixel of the picture, in canvas pixels.
    ///   - point: the length of a point on paper, in canvas pixels.
    init(given: [Parts], accent: Color? = nil, hasLetters: Bool = false, pixel: Double = 1, point: Double = 0) {
        (self.given, self.accent, self.hasLetters) = (given, accent, hasLetters)
        (self.pixel, self.point) = (pixel, point)
    }

    /// The scene with all that the style adds to its loupes.
    /// - Parameters:
    ///   - tone: of the page.
    ///   - content: where the page has more than bare paper, if that is known.
    func applied(to scene: Scene, tone: PageTone, content: Rect? = nil) -> Scene {
        var scene = scene
        let rect = scene.page?.rect ?? scene.canvas.rect
        let (unit, ring) = widths(on: rect)
        let isPaperless = scene.canvas.background.plainColor?.alpha == 0 && tone.kind != .photograph
        // Of the paper's lightness, so that nobody sees it on paper, and translucent, so that it erases no text.
        let white = Casing(width: unit, color: Color(red: 255, green: 255, blue: 255, alpha: 0x99))
        let dark = Casing(width: unit, color: Self.casingColor)
        // On a photograph all but opaque, as it tells the ring from the picture there: one for all rings, dark where that is
        // dark and about a white rim, else white.
        func strong(at places: [Point], aboutWhite: Bool = false) -> Casing {
            let lightness = places.reduce(0) { sum, place in
                sum + tone.lightness(at: Point(x: (place.x - rect.x) / rect.width, y: (place.y - rect.y) / rect.height))
            }
            let isDark = aboutWhite || lightness < Self.darkGround * Double(places.count)
            let color = isDark ? Self.strongDark : Self.strongLight
            return Casing(width: max(unit, min(Self.rounded(point), ring / 2)), color: color)
        }
        let rings = scene.loupes.filter { $0.callout?.ring != nil }.flatMap { $0.pointsOfRing }
        let isFlat = scene.loupes.allSatisfy { $0.isBeside(content ?? rect) }
        let colors = ringColors(in: scene, tone, on: rect)
        for (index, given) in zip(scene.loupes.indices, given) {
            let isOnPage = rect.contains(scene.loupes[index].center)
            let ground = isOnPage ? tone.kind : scene.canvas.background.isDark ? .dark : .light
            var casing: Casing? = tone.kind == .light ? white : dark
            if tone.kind == .photograph { casing = strong(at: rings) }
            if isPaperless { casing = nil }
            let color = colors[index] ?? accent ?? tone.accent
            if !given.contains(.ringWidth) { scene.loupes[index].callout?.ring?.width = ring }
            if !given.contains(.ringColor) { scene.loupes[index].callout?.ring?.color = color }
            scene.loupes[index].callout?.ring?.casing = casing
            addFrame(
                to: &scene.loupes[index], given, isFlat: isFlat, on: ground,
                ground == .photograph
                    ? strong(at: [scene.loupes[index].center], aboutWhite: scene.loupes[index].callout?.ring == nil)
                    : nil,
                unit: unit)
            addLine(
                to: &scene.loupes[index], given, color: scene.loupes[index].callout?.ring?.color ?? color, casing,
                unit: unit)
        }
        return scene
    }

    /// The width of a thin line, and that of a ring, on a page, in canvas pixels: a line has a 640th of the page's shorter side, but
    /// at least a pixel, and a quarter of a point.
    func widths(on page: Rect) -> (line: Double, ring: Double) {
        let unit = max(pixel, (page.shorterSide / 640 * 1000).rounded() / 1000, Self.rounded(point / 4))
        // Thinner on small pages.
        let small = Self.rounded(page.shorterSide / 160).clamped(to: 2 * pixel...3 * pixel)
        return (unit, unit > pixel ? 3 * unit : small)
    }

    /// The colours of callouts for which no accent is given: that of the page for all, or where there are several without letters
    /// a hue each. It is the first of those left that stands out from the page under the ring, or else the one that does most. No
    /// two are alike, as long as there are others.
    private func ringColors(in scene: Scene, _ tone: PageTone, on page: Rect) -> [Int: Color] {
        func clearest(of colors: [Color], for rings: [Int]) -> Color {
            let grounds = rings.flatMap { scene.loupes[$0].pointsOfRing }.map { point in
                OKLab(tone.color(at: Point(x: (point.x - page.x) / page.width, y: (point.y - page.y) / page.height)))
            }
            func contrast(_ color: Color) -> Double {
                grounds.reduce(1) { min($0, Self.contrast(OKLab(color), on: $1)) }
            }
            return colors.first { contrast($0) >= 1 } ?? colors.max { contrast($0) < contrast($1) } ?? tone.accent
        }
        guard accent == nil else { return [:] }
        let callouts = scene.loupes.indices.filter { scene.loupes[$0].callout != nil }
        var colors: [Int: Color] = [:]
        guard callouts.count > 1, !hasLetters else {
            // Plots alike have one accent, whatever a callout shows.
            let color =
                tone.kind == .photograph ? clearest(of: [tone.accent] + tone.hues, for: callouts) : tone.accent
            for index in callouts { colors[index] = color }
            return colors
        }
        var used: [OKLab] = []
        for index in callouts {
            if used.count == tone.hues.count { used = [] }
            func distance(_ hue: Color) -> Double { used.reduce(1) { min($0, $1.distance(to: OKLab(hue))) } }
            let left = tone.hues.filter { distance($0) > 0 }
            let unlike = left.filter { distance($0) >= Self.leastHueDistance }
            let hue = clearest(of: unlike.isEmpty ? left : unlike, for: [index])
            colors[index] = hue
            used.append(OKLab(hue))
        }
        return colors
    }

    private func addFrame(
        to loupe: inout Loupe, _ given: Parts, isFlat: Bool, on ground: PageTone.Kind, _ casing: Casing?, unit: Double
    ) {
        func value<Value>(_ part: Parts, _ own: Value?, _ standard: Value) -> Value {
            given.contains(part) ? own ?? standard : standard
        }
        var (rim, own) = (Self.rim(on: ground, radius: loupe.radius, unit: unit), loupe.rim)
        if let ring = loupe.callout?.ring { rim = (ring.width, ring.color) }
        if own != nil || !given.contains(.rimWidth) {
            loupe.rim = Loupe.Rim(
                width: value(.rimWidth, own?.width, min(loupe.radius, rim.width)),
                color: value(.rimColor, own?.color, rim.color), casing: own?.casing)
        }
        own = loupe.rim
        if let own, own.width > 0 { loupe.rim?.casing = casing }
        guard !isFlat || !given.isDisjoint(with: [.shadowOffset, .shadowBlur, .shadowColor]) else {
            loupe.shadow = nil
            return
        }
        loupe.shadow = Loupe.Shadow(
            offset: value(.shadowOffset, loupe.shadow?.offset, Vector(dx: 0, dy: Self.rounded(loupe.radius / 16))),
            blur: value(.shadowBlur, loupe.shadow?.blur, Self.rounded(loupe.radius / 5)),
            color: value(.shadowColor, loupe.shadow?.color, Self.shadowColor),
            dither: loupe.shadow?.dither ?? false)
    }

    private func addLine(to loupe: inout Loupe, _ given: Parts, color: Color, _ casing: Casing?, unit: Double) {
        guard let shape = loupe.callout?.connector?.shape else { return }
        if !given.contains(.connectorWidth), shape.width != nil {
            loupe.callout?.connector?.shape = shape.style.shape(width: (shape.style == .arrow ? 3 : 2) * unit)
        }
        if !given.contains(.connectorColor) {
            loupe.callout?.connector?.color = color
            // A cone is a light wash.
            if shape.style == .cone {
                loupe.callout?.connector?.color.alpha = UInt8(Int(color.alpha) * Self.coneAlpha / 255)
            }
        }
        loupe.callout?.connector?.casing = shape.style == .cone ? nil : casing
    }

    /// A thin grey line on light paper, where a white band would look like a gap, dark enough to stand out from the shadow;
    /// lighter on dark paper; white in photographs.
    private static func rim(on kind: PageTone.Kind, radius: Double, unit: Double) -> (width: Double, color: Color) {
        switch kind {
        case .light: (max(1.5 * unit, rounded(radius / 80)), Color(red: 0x5e, green: 0x63, blue: 0x6b))
        case .dark: (max(1.5 * unit, rounded(radius / 60)), Color(red: 0xd5, green: 0xd9, blue: 0xe0))
        case .photograph: (max(2 * unit, rounded(radius / 40)), .defaultRim)
        }
    }

    /// To a hundredth of a pixel, so that scenes are easy to read.
    private static func rounded(_ length: Double) -> Double { (length * 100).rounded() / 100 }

    private static let shadowColor = Color(red: 0, green: 0, blue: 0, alpha: 0x66)
    private static let casingColor = Color(red: 0, green: 0, blue: 0, alpha: 0x99)
    private static let strongDark = Color(red: 0, green: 0, blue: 0, alpha: 0xcc)
    private static let strongLight = Color(red: 255, green: 255, blue: 255, alpha: 0xcc)
    /// How far two hues of a figure of few callouts are apart, in OKLab: rust and orange are nearer.
    private static let leastHueDistance = 0.15
    /// How well a thin line stands out from what it lies on: 1 where it is seen at once. On dark ground its lightness counts alone,
    /// elsewhere its hue too, by twice what OKLab gives it, as it is too little for lines.
    private static func contrast(_ line: OKLab, on ground: OKLab) -> Double {
        let lightness = abs(line.lightness - ground.lightness)
        if ground.lightness < darkGround { return lightness / 0.4 }
        let (a, b) = (2 * (line.a - ground.a), 2 * (line.b - ground.b))
        return (lightness * lightness + a * a + b * b).squareRoot() / 0.42
    }
    /// The lightness of a photograph below which rings stand out from it by themselves, in OKLab.
    private static let darkGround = 0.45
    private static let coneAlpha = 0x38
}

/// The colours of text.
extension DefaultStyle {
    /// The scene with scale bars and labels at loupes and rings in black or white, each by what lies under it; in photographs
    /// white, as rings are, except over what is almost white. On other pages, letters have the colour of their ring, darker or
    /// lighter where it is hard to read: black ones would be taken for the page's own.
    /// - Parameter given: the colour of all text, for which a halo is found; nil where each has its own.
    static func coloringText(of scene: Scene, on facts: PageFacts, given: Color? = nil) -> Scene {
        guard let page = scene.page?.rect else { return scene }
        var scene = scene
        if let given {
            for index in scene.labels.indices where scene.labels[index].anchor.isAtLoupe {
                guard let run = TextRun(scene.labels[index], in: scene) else { continue }
                // That of the ground shows least; where the text hardly stands out from it, the other one.
                let ground: Color = scene.isDark(under: run.estimatedBox, page, facts) ? .defaultInk : .defaultRim
                guard given.contrastRatio(to: ground) >= FigureLimits.textContrast.large else { continue }
                scene.labels[index].style.halo?.color = TextStyle.halo(
                    of: ground == .defaultRim ? .defaultInk : .defaultRim)
            }
            return scene
        }
        func color(_ run: TextRun) -> Color {
            scene.isDark(under: run.estimatedBox, page, facts) ? .defaultRim : .defaultInk
        }
        for index in scene.labels.indices where scene.labels[index].anchor.isAtLoupe {
            guard let run = TextRun(scene.labels[index], in: scene) else { continue }
            let plain = color(run)
            let ring = facts.tone.kind == .photograph ? nil : scene.ringColor(of: scene.labels[index])
            scene.labels[index].style.setColor(ring?.readable(toward: plain) ?? plain)
        }
        for index in scene.scaleBars.indices {
            guard let run = scene.scaleBars[index].plan(in: scene)?.run else { continue }
            scene.scaleBars[index].style.setColor(color(run))
        }
        return scene
    }
}

extension Color {
    /// The colour with as much of black or white as it needs to be read on the other one.
    fileprivate func readable(toward end: Color) -> Color {
        let ground: Color = end == .defaultRim ? .defaultInk : .defaultRim
        let steps = (0...10).map { mixed(Double(10 - $0), with: end, Double($0)) }
        return steps.first { $0.contrastRatio(to: ground) >= FigureLimits.textContrast.text } ?? end
    }
}

extension Scene {
    /// The colour of the ring that a letter belongs to; nil for other texts.
    fileprivate func ringColor(of label: Label) -> Color? {
        guard label.style.weight >= 700 else { return nil }
        switch label.anchor {
        case .loupe(let index, _, _, _), .ring(let index, _, _): return loupes[index].callout?.ring?.color
        case .point: return nil
        }
    }

    /// Whether the middle of a box lies on what asks for light text: what a loupe shows there, the page, or the background.
    /// - Parameter page: where the page lies; on a canvas with several pages, the first.
    fileprivate func isDark(under box: Rect, _ page: Rect, _ facts: PageFacts) -> Bool {
        let center = shown(under: box).center
        let layer = layers.last { $0.imagePath != nil && $0.rect.contains(center) }
        let page = layer?.rect ?? page
        let tone = layer?.imagePath.flatMap { facts.otherTones[$0] } ?? facts.tone
        guard page.contains(center) else { return canvas.background.isDark }
        let place = Point(x: (center.x - page.x) / page.width, y: (center.y - page.y) / page.height)
        return tone.lightness(at: place) < Backdrop.leastLightness(underDarkTextOn: tone.kind)
    }
}

extension Backdrop {
    /// Its mean lightness over white, 0 … 1.
    fileprivate var lightness: Double {
        switch self {
        case .color(let color): OKLab(color.over(.defaultRim)).lightness
        case .gradient(let gradient):
            (Backdrop.color(gradient.from).lightness + Backdrop.color(gradient.to).lightness) / 2
        }
    }

    private static let lightEnough = 0.6

    /// The lightness from which on text on a page is dark: on light pages it is all dark, with its light halo, but on what is
    /// almost black.
    fileprivate static func leastLightness(underDarkTextOn kind: PageTone.Kind) -> Double {
        switch kind {
        case .light: 0.4
        case .dark: lightEnough
        case .photograph: 0.8
        }
    }

    /// Whether it asks for light text.
    var isDark: Bool { lightness < Self.lightEnough }
}

extension TextStyle {
    /// Another colour, with the halo that suits it: light for dark text, dark for light.
    mutating func setColor(_ color: Color) {
        self.color = color
        halo?.color = TextStyle.halo(of: color)
    }

    /// The colour of a halo with which text of a colour can be read on any page.
    static func halo(of color: Color) -> Color {
        Backdrop.color(color).isDark
            ? Color(red: 255, green: 255, blue: 255, alpha: 0xd9) : Color(red: 0, green: 0, blue: 0, alpha: 0xb3)
    }
}

extension Loupe {
    /// Points on the outline of what it shows, in canvas pixels.
    fileprivate var pointsOfRing: [Point] {
        let half = (1 / zoom) * halfSides
        return (0..<8).map { step in
            let angle = Double(step) * .pi / 4
            return Point(x: focus.x + half.dx * cos(angle), y: focus.y + half.dy * sin(angle))
        }
    }
}

extension Label.Anchor {
    /// Whether it is at a loupe or at its ring.
    fileprivate var isAtLoupe: Bool { if case .point = self { false } else { true } }
}
