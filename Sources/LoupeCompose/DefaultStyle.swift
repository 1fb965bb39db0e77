import LoupeBase
import LoupePlan
import LoupeScene

/// The default look of a scene's loupes: a rim, a shadow, and a ring and a connector in one colour.
///
/// Lengths follow from the loupe and the page, colours from the page's kind, so that all callouts of a page look alike
/// wherever they lie. A loupe beside the page has the rim of the paper that it lies on. Where all loupes stand beside the
/// page, they lie flat on the paper, without shadows. Only the accent depends on the page's hues too (`PageTone`).
package struct DefaultStyle: Hashable, Sendable {
    /// The parts of a loupe whose values are given, so that the style leaves them alone.
    package struct Parts: OptionSet, Hashable, Sendable {
        /// One bit for each part.
        package let rawValue: UInt16

        /// The parts whose bits are set.
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Where a scene has the parts, in the order of their bits.
        package static let paths = [
            "rim.width", "rim.color", "shadow.blur", "shadow.offset", "shadow.color", "callout.ring.width",
            "callout.ring.color", "callout.connector.width", "callout.connector.color",
        ]

        /// The part at a path or below it; empty where a loupe has no such part.
        package init(at path: String) {
            rawValue = Self.paths.firstIndex { path == $0 || path.hasPrefix($0 + ".") }.map { 1 << UInt16($0) } ?? 0
        }

        /// Whether the part at a path is given.
        package func has(_ path: String) -> Bool { !isDisjoint(with: Parts(at: path)) }
    }

    /// For each loupe of the scene.
    package var given: [Parts]
    /// The colour of rings and connectors whose colours are not given.
    package var accent: Color?
    private let pixel: Double

    /// A style for the loupes of a scene.
    /// - Parameter pixel: the length of a pixel of the picture, in canvas pixels.
    package init(given: [Parts], accent: Color? = nil, pixel: Double = 1) {
        (self.given, self.accent, self.pixel) = (given, accent, pixel)
    }

    /// The scene with all that the style adds to its loupes.
    /// - Parameters:
    ///   - tone: of the page.
    ///   - content: where the page has more than bare paper, if that is known.
    package func applied(to scene: Scene, tone: PageTone, content: Rect? = nil) -> Scene {
        var scene = scene
        let rect = scene.page?.rect ?? scene.canvas.rect
        // A thin line, in canvas pixels: a 640th of the page's shorter side, but at least a pixel.
        let unit = max(pixel, (rect.shorterSide / 640 * 1000).rounded() / 1000)
        // Thinner on small pages.
        let small = Self.rounded(rect.shorterSide / 160).clamped(to: 2 * pixel...3 * pixel)
        let ring = unit > pixel ? 3 * unit : small
        let isPaperless = scene.canvas.background.plainColor?.alpha == 0 && tone.kind != .photograph
        // Of the paper's lightness, so that nobody sees it on paper, and translucent, so that it erases no text.
        let white = Casing(width: unit, color: Color(red: 255, green: 255, blue: 255, alpha: 0x99))
        let dark = Casing(width: unit, color: Self.casingColor)
        let isFlat = scene.loupes.allSatisfy { $0.isBeside(content ?? rect) }
        for (index, given) in zip(scene.loupes.indices, given) {
            let isOnPage = rect.contains(scene.loupes[index].center)
            let ground = isOnPage ? tone.kind : scene.canvas.background.isDark ? .dark : .light
            let casing = isPaperless ? nil : tone.kind == .light ? white : dark
            addFrame(
                to: &scene.loupes[index], given, isFlat: isFlat, on: ground, ground == .photograph ? dark : nil,
                unit: unit)
            let accent = accent ?? tone.accent
            if !given.has("callout.ring.width") { scene.loupes[index].callout?.ring?.width = ring }
            if !given.has("callout.ring.color") { scene.loupes[index].callout?.ring?.color = accent }
            scene.loupes[index].callout?.ring?.casing = casing
            addLine(to: &scene.loupes[index], given, color: accent, casing, unit: unit)
        }
        return scene
    }

    private func addFrame(
        to loupe: inout Loupe, _ given: Parts, isFlat: Bool, on ground: PageTone.Kind, _ casing: Casing?, unit: Double
    ) {
        func value<Value>(_ path: String, _ own: Value?, _ standard: Value) -> Value {
            given.has(path) ? own ?? standard : standard
        }
        let (rim, own) = (Self.rim(on: ground, radius: loupe.radius, unit: unit), loupe.rim)
        if own != nil || !given.has("rim.width") {
            loupe.rim = Loupe.Rim(
                width: value("rim.width", own?.width, min(loupe.radius, rim.width)),
                color: value("rim.color", own?.color, rim.color), casing: own?.casing)
        }
        if let own = loupe.rim, own.width > 0 { loupe.rim?.casing = casing }
        let isGiven = ["shadow.offset", "shadow.blur", "shadow.color"].contains { given.has($0) }
        guard !isFlat || isGiven else {
            loupe.shadow = nil
            return
        }
        loupe.shadow = Loupe.Shadow(
            offset: value("shadow.offset", loupe.shadow?.offset, Vector(dx: 0, dy: Self.rounded(loupe.radius / 16))),
            blur: value("shadow.blur", loupe.shadow?.blur, Self.rounded(loupe.radius / 5)),
            color: value("shadow.color", loupe.shadow?.color, Self.shadowColor),
            dither: loupe.shadow?.dither ?? false)
    }

    private func addLine(to loupe: inout Loupe, _ given: Parts, color: Color, _ casing: Casing?, unit: Double) {
        guard let shape = loupe.callout?.connector?.shape else { return }
        if !given.has("callout.connector.width"), shape.width != nil {
            loupe.callout?.connector?.shape = shape.style.shape(width: (shape.style == .arrow ? 3 : 2) * unit)
        }
        if !given.has("callout.connector.color") {
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
    private static let coneAlpha = 0x38
}

/// The colours of text.
extension DefaultStyle {
    /// The scene with scale bars and labels at loupes and rings in black or white, each by what lies under it; in photographs
    /// white, as rings are, except over what is almost white.
    package static func coloringText(of scene: Scene, on facts: PageFacts) -> Scene {
        guard let page = scene.page?.rect else { return scene }
        var scene = scene
        func color(_ run: TextRun) -> Color {
            scene.isDark(under: run.estimatedBox, page, facts) ? .defaultRim : .defaultInk
        }
        for index in scene.labels.indices where scene.labels[index].anchor.isAtLoupe {
            guard let run = TextRun(scene.labels[index], in: scene) else { continue }
            scene.labels[index].style.setColor(color(run))
        }
        for index in scene.scaleBars.indices {
            guard let run = scene.scaleBars[index].plan(in: scene)?.run else { continue }
            scene.scaleBars[index].style.setColor(color(run))
        }
        return scene
    }
}

extension Scene {
    /// Whether the middle of a box lies on what asks for light text: what a loupe shows there, the page, or the background.
    /// - Parameter page: where the page lies; on a canvas with several pages, the first.
    fileprivate func isDark(under box: Rect, _ page: Rect, _ facts: PageFacts) -> Bool {
        let center = shown(under: box).center
        let layer = layers.last { $0.imagePath != nil && $0.rect.contains(center) }
        let page = layer?.rect ?? page
        let tone = layer?.imagePath.flatMap { facts.otherTones[$0] } ?? facts.tone
        guard page.contains(center) else { return canvas.background.isDark }
        let place = Point(x: (center.x - page.x) / page.width, y: (center.y - page.y) / page.height)
        let limit = tone.kind == .photograph ? Backdrop.almostWhite : Backdrop.lightEnough
        return tone.lightness(at: place) < limit
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

    /// The lightness from which on text is dark, and in photographs.
    fileprivate static let (lightEnough, almostWhite) = (0.6, 0.8)

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

extension Label.Anchor {
    /// Whether it is at a loupe or at its ring.
    fileprivate var isAtLoupe: Bool { if case .point = self { false } else { true } }
}
