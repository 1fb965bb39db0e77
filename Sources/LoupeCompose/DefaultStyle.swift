import LoupeBase
import LoupePlan
import LoupeScene

/// The colour of rings and connectors.
package enum Accent: Hashable, Sendable {
    /// That of the page's kind.
    case auto
    /// This one.
    case color(Color)
}

/// The default look of a scene's loupes: a rim, a shadow, and a ring and a connector in one colour.
///
/// Lengths follow from the loupe and the canvas, colours from the page's kind, so that all callouts of a page look
/// alike wherever they lie. Only the accent depends on the page's hues too (`PageTone`): light and dark pages get another
/// one where three quarters of what has a colour have the accent's hue.
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
    package var accent: Accent
    private let pixel: Double

    /// A style for the loupes of a scene.
    /// - Parameter pixel: the length of a pixel of the picture, in canvas pixels.
    package init(given: [Parts], accent: Accent = .auto, pixel: Double = 1) {
        (self.given, self.accent, self.pixel) = (given, accent, pixel)
    }

    /// The scene with all that the style adds to its loupes.
    /// - Parameter tone: of the page.
    package func applied(to scene: Scene, tone: PageTone) -> Scene {
        var scene = scene
        let canvas = scene.canvas
        // A thin line, in canvas pixels: a 640th of the canvas's shorter side, but at least a pixel.
        let unit = pixel * max(1, Self.rounded(Double(min(canvas.width, canvas.height)) / pixel / 640))
        let isPaperless = canvas.background.plainColor?.alpha == 0
        for (index, given) in zip(scene.loupes.indices, given) {
            // Of the paper's lightness, so that nobody sees it on paper.
            let color = tone.kind == .light ? Color.defaultRim : Self.casingColor
            let casing = tone.isPlain && isPaperless ? nil : Casing(width: unit, color: color)
            apply(to: &scene.loupes[index], given, tone, casing, unit: unit)
        }
        return scene
    }

    private func apply(to loupe: inout Loupe, _ given: Parts, _ tone: PageTone, _ casing: Casing?, unit: Double) {
        let radius = loupe.radius
        let rim = Self.rim(of: tone.kind, radius: radius, unit: unit)
        if !given.has("rim.width") {
            let color = given.has("rim.color") ? loupe.rim?.color : nil
            loupe.rim = Loupe.Rim(width: min(radius, rim.width), color: color ?? rim.color)
        } else if !given.has("rim.color") {
            loupe.rim?.color = rim.color
        }
        if let own = loupe.rim, own.width > 0 { loupe.rim?.casing = tone.isPlain ? nil : casing }
        var shadow = loupe.shadow ?? Loupe.Shadow(offset: .zero, blur: 0, color: .defaultShadow)
        if !given.has("shadow.blur") { shadow.blur = Self.rounded(radius / 5) }
        if !given.has("shadow.offset") { shadow.offset = Vector(dx: 0, dy: Self.rounded(radius / 16)) }
        if !given.has("shadow.color") { shadow.color = Self.shadowColor }
        loupe.shadow = shadow
        let accent = if case .color(let color) = accent { color } else { tone.accent }
        if loupe.callout?.ring != nil {
            if !given.has("callout.ring.width") { loupe.callout?.ring?.width = 3 * unit }
            if !given.has("callout.ring.color") { loupe.callout?.ring?.color = accent }
            loupe.callout?.ring?.casing = casing
        }
        if let connector = loupe.callout?.connector {
            let style = connector.shape.style
            if !given.has("callout.connector.width"), connector.shape.width != nil {
                loupe.callout?.connector?.shape = style.shape(width: (style == .arrow ? 3 : 2) * unit)
            }
            if !given.has("callout.connector.color") {
                var color = accent
                // A cone is a light wash.
                if style == .cone { color.alpha = UInt8(Int(accent.alpha) * Self.coneAlpha / 255) }
                loupe.callout?.connector?.color = color
            }
            loupe.callout?.connector?.casing = style == .cone ? nil : casing
        }
    }

    /// A thin grey line on light paper, where a white band would look like a gap, dark enough to stand out from the shadow;
    /// lighter on dark paper; white in photographs.
    private static func rim(of kind: PageTone.Kind, radius: Double, unit: Double) -> (width: Double, color: Color) {
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
    /// The scene with scale bars and labels at loupes and rings in black or white, each by what lies under it.
    package static func coloringText(of scene: Scene, on facts: PageFacts) -> Scene {
        guard let page = scene.page?.rect else { return scene }
        var scene = scene
        func color(_ run: TextRun) -> Color {
            scene.lightness(under: run.estimatedBox, page, facts) < 0.6 ? .defaultRim : .defaultInk
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
    /// The mean lightness of what a box lies on: what a loupe shows there, the page, or the background.
    /// - Parameter page: where the page lies; on a canvas with several pages, the first.
    fileprivate func lightness(under box: Rect, _ page: Rect, _ facts: PageFacts) -> Double {
        let box = shown(under: box)
        var page = page
        let layer = layers.last { $0.imagePath != nil && $0.rect.contains(box.center) }
        page = layer?.rect ?? page
        let tone = layer?.imagePath.flatMap { facts.otherTones[$0] } ?? facts.tone
        guard page.contains(box.center) else {
            return switch canvas.background {
            case .color(let color): OKLab(color.over(.defaultRim)).lightness
            case .gradient(let gradient): (OKLab(gradient.from).lightness + OKLab(gradient.to).lightness) / 2
            }
        }
        let (x, y) = (Double(facts.size.width) / page.width, Double(facts.size.height) / page.height)
        let texels = Rect(
            x: (box.x - page.x) * x, y: (box.y - page.y) * y, width: box.width * x, height: box.height * y)
        return tone.lightness(under: texels, of: facts.size)
    }
}

extension TextStyle {
    /// Another colour, with the halo that suits it.
    mutating func setColor(_ color: Color) {
        self.color = color
        halo?.color = TextStyle.halo(of: color)
    }
}

extension Label.Anchor {
    /// Whether it is at a loupe or at its ring.
    fileprivate var isAtLoupe: Bool { if case .point = self { false } else { true } }
}
