import CMath
import LoupeGeometry
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

/// What the loupes of a scene look like where nobody says: a white rim with a hairline around it, a shadow, and a ring and
/// a connector in a colour that stands out from the page, with a casing.
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
    /// Of rings and connectors whose colours are not given.
    public var accent: Accent
    /// Whether it chooses the colours of scale bars and of the labels at loupes and rings: white with a black halo on a dark
    /// page, and else black with a white one.
    public var colorsText: Bool

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
    /// Around a rim on a light page: the first of these with which rim and hairline are seen.
    private static let hairlines = [0x33, 0x4d, 0x66, 0x80, 0xa6].map { Color(red: 0, green: 0, blue: 0, alpha: $0) }
    /// The same on a dark page.
    private static let lightHairlines = [0x33, 0x4d, 0x66, 0x80, 0xa6].map {
        Color(red: 255, green: 255, blue: 255, alpha: $0)
    }
    private static let casings = [Color.defaultRim, Color.defaultInk]
    /// How much of a pixel a hairline of one pixel covers at least nearly everywhere: it runs between two of them.
    private static let hairlineCoverage = 0.5
    /// A line is seen where it or its casing differs by this contrast from the page.
    private static let seen = 0.21
    /// The part of the points along a line at which it should be seen. The page between them is not looked at, so this and
    /// the contrast are a little more than what has to hold: 95 % of the length and 0.2.
    private static let share = 0.97

    /// The canvas points whose colours decide about the style's.
    public func probes(of scene: Scene) -> [Point] {
        Self.places(of: scene).flatMap { $0.rim + $0.callout } + (colorsText ? Self.textProbes(of: scene) : [])
    }

    /// The scene with the colours of the style that suit its page.
    ///
    /// - Parameters:
    ///   - scene: As `shaped` returned it, perhaps with loupes moved.
    ///   - page: The page's opaque colours at the points of `probes`, in their order; without any, a white page is assumed.
    public func colored(_ scene: Scene, page: [Color]) -> Scene {
        var scene = scene
        var rest = page[...]
        var callouts: [[Color]] = []
        for (index, place) in Self.places(of: scene).enumerated() {
            if !page.isEmpty {
                Self.color(rimOf: &scene.loupes[index], at: place.rim, Array(rest.prefix(place.rim.count)))
            }
            rest = rest.dropFirst(place.rim.count)
            callouts.append(Array(rest.prefix(place.callout.count)))
            rest = rest.dropFirst(place.callout.count)
        }
        let accent = accent(on: callouts.flatMap { $0 })
        for (index, given) in zip(scene.loupes.indices, given) {
            Self.color(calloutOf: &scene.loupes[index], given, accent, on: callouts[index])
        }
        if colorsText { Self.color(textOf: &scene, on: Array(rest)) }
        return scene
    }

    // MARK: - Text

    /// Points under the text. In a loupe they are those of the page that it shows there.
    private static func textProbes(of scene: Scene) -> [Point] {
        let labels = scene.labels.filter { $0.anchor.isAtLoupe }
        let runs = scene.scaleBars.compactMap { $0.plan(in: scene)?.run } + labels.compactMap { TextRun($0, in: scene) }
        let points = runs.flatMap { run -> [Point] in
            let box = run.estimatedBox
            return (0..<15).map { index in
                Point(
                    x: box.x + box.width * (0.1 + 0.2 * Double(index % 5)),
                    y: box.y + box.height * (0.2 + 0.3 * Double(index / 5)))
            }
        }
        let shown = points.map { point -> Point in
            guard let loupe = scene.loupes.last(where: { Border(of: $0).contains(point) }) else { return point }
            return scene.shownFocus(of: loupe) + (1 / loupe.zoom) * (point - loupe.center)
        }
        return onCanvas(shown, of: scene)
    }

    /// All text alike, so that letters that belong together look so. The halo serves where the page is unlike most of it.
    private static func color(textOf scene: inout Scene, on page: [Color]) {
        let color = isDark(page) ? Color.defaultRim : .defaultInk
        for index in scene.labels.indices where scene.labels[index].anchor.isAtLoupe {
            scene.labels[index].style.setColor(color)
        }
        for index in scene.scaleBars.indices { scene.scaleBars[index].style.setColor(color) }
    }

    private static func onCanvas(_ points: [Point], of scene: Scene) -> [Point] {
        let (width, height) = (Double(scene.canvas.width), Double(scene.canvas.height))
        return points.filter { 0..<width ~= $0.x && 0..<height ~= $0.y }
    }

    private func accent(on page: [Color]) -> Color {
        if case .color(let color) = accent { return color }
        let page = page.map(OKLab.init)
        var best = (color: Accent.palette[0], contrast: -1.0)
        for color in Accent.palette {
            let lab = OKLab(color)
            let contrast = page.isEmpty ? 0 : page.reduce(0) { $0 + lab.contrast(to: $1) } / Double(page.count)
            if contrast > best.contrast { best = (color, contrast) }
        }
        return best.color
    }

    private static func color(calloutOf loupe: inout Loupe, _ given: Parts, _ accent: Color, on page: [Color]) {
        if loupe.callout?.ring != nil, !given.contains(.ringColor) { loupe.callout?.ring?.color = accent }
        if let connector = loupe.callout?.connector, !given.contains(.connectorColor) {
            var color = accent
            let alpha = Int(accent.alpha) * Int(connector.shape.style.defaultColor.alpha) / 255
            color.alpha = UInt8(alpha)
            loupe.callout?.connector?.color = color
        }
        guard let line = loupe.callout?.ring?.color ?? loupe.callout?.connector?.color else { return }
        let light = isDark(page) ? [casings[1], casings[0]] : casings
        let casing = first(of: light, beside: line, on: page)
        if loupe.callout?.ring?.casing != nil { loupe.callout?.ring?.casing?.color = casing }
        if loupe.callout?.connector?.casing != nil { loupe.callout?.connector?.casing?.color = casing }
    }

    /// - Parameters:
    ///   - points: Beside the rim.
    ///   - page: The page's colours there.
    private static func color(rimOf loupe: inout Loupe, at points: [Point], _ page: [Color]) {
        guard let rim = loupe.rim, rim.casing != nil, !page.isEmpty else { return }
        // The hairline lies on the shadow.
        let shadowed = zip(points, page).map { loupe.shadowed($1, at: $0) }
        loupe.rim?.casing?.color = first(
            of: isDark(page) ? lightHairlines : hairlines, covering: hairlineCoverage, over: shadowed,
            beside: rim.color, on: page)
    }

    /// Whether half of a page's colours are darker than a middle grey.
    private static func isDark(_ page: [Color]) -> Bool {
        2 * page.filter { OKLab($0).lightness < 0.5 }.count > page.count
    }

    /// The first colour with which a line or its casing is seen nearly everywhere, else the one that is seen most.
    ///
    /// - Parameters:
    ///   - casings: Possible colours of the casing.
    ///   - coverage: How much of its pixels the casing covers.
    ///   - ground: What the casing lies on where that is not the page itself.
    ///   - line: The line's colour.
    ///   - page: The page's colours along the line.
    private static func first(
        of casings: [Color], covering coverage: Double = 1, over ground: [Color]? = nil, beside line: Color,
        on page: [Color]
    ) -> Color {
        var best = (color: casings[0], share: -1.0)
        for casing in casings {
            var count = 0
            var thin = casing
            thin.alpha = UInt8((Double(casing.alpha) * coverage).rounded())
            for (index, color) in page.enumerated() {
                let (below, cased) = (OKLab(color), thin.over(ground?[index] ?? color))
                if max(OKLab(line.over(color)).contrast(to: below), OKLab(cased).contrast(to: below)) >= seen {
                    count += 1
                }
            }
            let share = page.isEmpty ? 1 : Double(count) / Double(page.count)
            if share >= Self.share { return casing }
            if share > best.share { best = (casing, share) }
        }
        return best.color
    }

    // MARK: - Where lines run

    /// Points of a loupe's lines that lie on the canvas.
    private struct Place {
        var rim: [Point]
        /// Of ring and connector.
        var callout: [Point]
    }

    private static func places(of scene: Scene) -> [Place] {
        scene.loupes.map { loupe in
            let casing = loupe.rim?.casing?.width
            let rim = casing.map { Border(of: loupe).points(outside: $0 / 2) } ?? []
            let plan = CalloutPlan(of: loupe, in: scene)
            let ring = plan.flatMap { plan in plan.ring.map { plan.source.points(outside: $0.reach / 2) } } ?? []
            return Place(
                rim: onCanvas(rim, of: scene), callout: onCanvas(ring + (plan?.connectorPoints ?? []), of: scene))
        }
    }
}

extension Border {
    /// Points all around it, at a distance outside of it.
    fileprivate func points(outside distance: Double) -> [Point] {
        let count = 120
        return (0..<count).map { index in
            let angle = 2 * .pi * Double(index) / Double(count)
            let direction = Vector(dx: cos(angle), dy: sin(angle))
            return center + reach(toward: direction, grownBy: distance) * direction
        }
    }
}

extension CalloutPlan {
    /// Points along the middle of each line or arrow, and along both flanks of a cone, from the source to the loupe.
    fileprivate var connectorPoints: [Point] {
        let (start, end) = (source.center, border.center)
        let count = max(2, min(120, Int(start.distance(to: end) / 3)))
        return connector.flatMap { piece -> [Point] in
            // Where the bearing from one centre to the other crosses the sides: each line's two first sides are parallel.
            let lines = piece.polygons.count > 1 ? [piece.hull.sides.prefix(2)] : piece.lines
            return lines.flatMap { sides -> [Point] in
                (0...count).compactMap { index in
                    let point = start + (Double(index) / Double(count)) * (end - start)
                    // Onto the only side, or to the middle between two.
                    let depths = sides.map { $0.depth(of: point) }
                    let shift = depths.count == 1 ? depths[0] : (depths[0] - depths[1]) / 2
                    let moved = point - shift * sides[sides.startIndex].normal
                    return source.isNear(moved, or: border) ? nil : moved
                }
            }
        }
    }
}

extension CalloutPlan.Piece {
    /// The sides between which each line runs; for a cone each flank alone.
    fileprivate var lines: [ArraySlice<HalfPlane>] {
        let sides = polygons[0].sides
        return capRadius > 0 ? [sides.prefix(2)] : [sides.prefix(1), sides.dropFirst().prefix(1)]
    }
}

extension Border {
    /// Whether a point lies in this border or in another one.
    fileprivate func isNear(_ point: Point, or other: Border) -> Bool { contains(point) || other.contains(point) }

    fileprivate func contains(_ point: Point) -> Bool {
        switch self {
        case .disc(let disc): point.distance(to: disc.center) < disc.radius
        case .outline(let outline): outline.signedDistance(to: point) > 0
        }
    }
}

extension Loupe {
    /// A colour with the loupe's shadow over it, at a canvas point outside of the loupe.
    fileprivate func shadowed(_ color: Color, at point: Point) -> Color {
        guard let shadow else { return color }
        let depth =
            switch Border(of: self) {
            case .disc(let disc): disc.radius - (point - shadow.offset).distance(to: disc.center)
            case .outline(let outline): outline.signedDistance(to: point - shadow.offset)
            }
        let deviation = max(shadow.blur / 2, 1e-6)
        let strength = 0.5 * erfc(-depth / (deviation * 2.0.squareRoot()))
        var shade = shadow.color
        shade.alpha = UInt8((Double(shade.alpha) * strength).rounded())
        return shade.over(color)
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
