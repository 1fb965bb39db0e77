import LoupeGeometry
import LoupePlan
import LoupeScene

/// What figures of journals have beside their pictures: matching letters at loupes and rings, zoom factors, and scale bars
/// in the page and in each loupe. It finds places for them.
public struct FigureText: Hashable, Sendable {
    /// What loupes are counted by.
    public enum Letters: String, Hashable, Sendable, CaseIterable {
        /// a, b, c …
        case lowercase = "a"
        /// A, B, C …
        case uppercase = "A"
        /// 1, 2, 3 …
        case numbers = "1"

        /// The mark of a loupe: after z come aa, ab and so on.
        public func mark(_ index: Int) -> String {
            if self == .numbers { return "\(index + 1)" }
            let first: UInt8 = self == .lowercase ? 97 : 65
            var (letters, rest) = ([first + UInt8(index % 26)], index / 26)
            while rest > 0 {
                letters.append(first + UInt8((rest - 1) % 26))
                rest = (rest - 1) / 26
            }
            return String(decoding: letters.reversed(), as: UTF8.self)
        }
    }

    /// Marks of loupes and of the rings around what they show; nil for none.
    public var letters: Letters?
    /// Marks of single loupes in place of those, by their index.
    public var marks: [Int: String] = [:]
    /// Whether each loupe says its zoom factor, such as 4×.
    public var showsZoom = false
    /// What a canvas pixel shows at magnification 1, for scale bars; nil for none.
    public var pixelSize: PhysicalLength?
    /// Where scale bars lie. Nil: at the lower right of loupes, and in a corner of the page that neither a loupe nor a ring
    /// reaches.
    public var barCorner: CornerPosition?
    /// The font's family.
    public var family = "sans-serif"
    /// The size of letters, in canvas pixels; other text has four fifths of it. Nil for a thirtieth of the canvas's shorter
    /// side, and at least 11.
    public var size: Double?
    /// Nil for black or white, with a halo of the other.
    public var color: Color?

    /// No text.
    public init() {}

    /// The scene with its text. Colours are those for a white page.
    public func added(to scene: Scene) -> Scene {
        var scene = scene
        let size = size(on: scene.canvas)
        var taken: [Rect] = []
        if let pixelSize {
            scene.pixelSize = pixelSize
            addBars(to: &scene, style: style(size: small(size), weight: 400), &taken)
        }
        if letters != nil || !marks.isEmpty { addMarks(to: &scene, style(size: size, weight: 700), &taken) }
        if showsZoom {
            for index in scene.loupes.indices {
                let style = style(size: small(size), weight: 400)
                let angle = pixelSize == nil || barCorner?.isTop == true ? 90.0 : -90
                let anchor = Label.Anchor.loupe(index: index, angle: angle, side: .inside, distance: style.size * 0.6)
                scene.labels.append(Label(TextRun.factor(scene.loupes[index].zoom), at: anchor, style: style))
            }
        }
        return scene
    }

    private func size(on canvas: Scene.Canvas) -> Double {
        size ?? max(11, (Double(min(canvas.width, canvas.height)) / 30).rounded())
    }

    /// The look of a title beside a scene's page, on the scene's background.
    public func titleStyle(of scene: Scene) -> TextStyle {
        let colors =
            switch scene.canvas.background {
            case .color(let color): [color]
            case .gradient(let gradient): [gradient.from, gradient.to]
            }
        let isDark =
            colors.allSatisfy { $0.alpha > 0x80 }
            && colors.reduce(0) { $0 + OKLab($1).lightness } < 0.6 * Double(colors.count)
        return TextStyle(
            family: family, size: size(on: scene.canvas), color: color ?? (isDark ? .defaultRim : .defaultInk))
    }

    private func small(_ size: Double) -> Double { max(min(size, 10), (size * 0.8).rounded()) }

    private func style(size: Double, weight: Int) -> TextStyle {
        let halo = Casing(width: max(1, (size * 1.2).rounded() / 10), color: TextStyle.halo(of: color ?? .defaultInk))
        return TextStyle(family: family, size: size, weight: weight, color: color ?? .defaultInk, halo: halo)
    }

    /// The zoom factors of ``alphabet(on:loupes:zooms:)``: quarters up to 8 and halves up to 16.
    package static let usualZooms = (4...32).map { Double($0) / 4 } + (17...32).map { Double($0) / 2 }

    /// The marks and zoom factors that scenes may get whose loupes are edited, in the style's colour; where that is left open,
    /// in black. They may also come up in white then, with a black halo.
    /// - Parameters:
    ///   - loupes: how many there may be.
    ///   - zooms: of loupes, beside the usual ones.
    package func alphabet(
        on canvas: Scene.Canvas, loupes: Int, zooms: [Double]
    ) -> [(text: String, style: TextStyle)] {
        let size = size(on: canvas)
        var marks: [String] = []
        for letters in Letters.allCases { for index in 0..<loupes { marks.append(letters.mark(index)) } }
        for mark in self.marks.values.sorted() where !marks.contains(mark) { marks.append(mark) }
        var factors = Self.usualZooms.map { TextRun.factor($0) }
        for factor in zooms.map({ TextRun.factor($0) }) where !factors.contains(factor) { factors.append(factor) }
        let large = style(size: size, weight: 700)
        let small = style(size: small(size), weight: 400)
        return marks.map { ($0, large) } + factors.map { ($0, small) }
    }

    // MARK: - Letters

    /// Marks at loupes and rings, counted in reading order. All loupes have theirs in the same corner: the first one outside
    /// that is free at all of them, or else inside.
    private func addMarks(to scene: inout Scene, _ style: TextStyle, _ taken: inout [Rect]) {
        let order = scene.loupes.indices.sorted { first, second in
            let (a, b) = (scene.loupes[first], scene.loupes[second])
            // Loupes stand in a row where one's centre lies between the upper and the lower end of the other.
            let isRow = abs(a.center.y - b.center.y) < max(a.halfSides.dy, b.halfSides.dy)
            return isRow ? a.center.x < b.center.x : a.center.y < b.center.y
        }
        let texts = order.enumerated().compactMap { place, index in
            (marks[index] ?? letters?.mark(place)).map { (index: index, text: $0) }
        }
        func labels(_ angle: Double, _ side: Label.Side) -> [Label] {
            let distance = style.size * (side == .outside ? 0.12 : 0.3)
            return texts.map {
                Label($0.text, at: .loupe(index: $0.index, angle: angle, side: side, distance: distance), style: style)
            }
        }
        func areFree(_ labels: [Label]) -> Bool {
            labels.allSatisfy { label in
                TextRun(label, in: scene).map { Self.isFree($0.estimatedBox, in: scene, taken) } ?? false
            }
        }
        let corners = Self.angles.prefix(4).map { labels($0, .outside) }
        let chosen = corners.first(where: areFree) ?? labels(Self.angles[0], .inside)
        for label in chosen {
            scene.labels.append(label)
            if let box = TextRun(label, in: scene)?.estimatedBox { taken.append(box) }
        }
        for (index, text) in texts where scene.loupes[index].callout?.ring != nil {
            let labels = Self.angles.map {
                Label(text, at: .ring(index: index, angle: $0, distance: style.size * 0.2), style: style)
            }
            let label = labels.first { areFree([$0]) } ?? labels[0]
            scene.labels.append(label)
            if let box = TextRun(label, in: scene)?.estimatedBox { taken.append(box) }
        }
    }

    private static let angles = [-135.0, -45, 135, 45, -90, 180, 0, 90]

    /// Whether a box lies on the canvas, and over no loupe, ring, connector or other text.
    private static func isFree(_ box: Rect, in scene: Scene, _ taken: [Rect]) -> Bool {
        let (width, height) = (Double(scene.canvas.width), Double(scene.canvas.height))
        guard box.minX >= 0, box.minY >= 0, box.maxX <= width, box.maxY <= height else { return false }
        if taken.contains(where: { $0.meets(box) }) { return false }
        return !scene.loupes.contains { loupe in
            let casing = loupe.rim?.casing?.width ?? 0
            if Border(of: loupe).isNear(box, within: casing) { return true }
            guard let plan = CalloutPlan(of: loupe, in: scene) else { return false }
            if let ring = plan.ring, plan.source.isNear(box, within: ring.reach) { return true }
            return plan.connector.contains { piece in
                box.grid.contains { point in piece.hull.sides.allSatisfy { $0.depth(of: point) > -box.height / 6 } }
            }
        }
    }

    // MARK: - Scale bars

    private func addBars(to scene: inout Scene, style: TextStyle, _ taken: inout [Rect]) {
        func bar(_ subject: ScaleBar.Subject, _ corner: CornerPosition) -> ScaleBar? {
            guard let pixelSize = scene.pixelSize else { return nil }
            return ScaleBar(
                of: scene.roundBarLength(pixelSize: pixelSize, in: subject), in: subject, corner: corner,
                width: max(1, (style.size / 5).rounded()), style: style)
        }
        func box(_ bar: ScaleBar?) -> Rect? { bar?.plan(in: scene).map { $0.bar.rect.union($0.run.estimatedBox) } }
        let corners = barCorner.map { [$0] } ?? [.bottomRight, .bottomLeft, .topRight, .topLeft]
        let free = corners.first { corner in
            box(bar(.layer(0), corner)).map { Self.isFree($0, in: scene, taken) } ?? false
        }
        // Loupes first: a bar of the page is drawn over none of them.
        let bars =
            [bar(.layer(0), free ?? corners[0])]
            + scene.loupes.indices.map { bar(.loupe($0), barCorner ?? .bottomRight) }
        for bar in bars.compactMap({ $0 }) {
            if let box = box(bar) { taken.append(box) }
            scene.scaleBars.append(bar)
        }
    }
}

extension TextStyle {
    /// The colour of a halo with which text of a colour can be read on any page: white for dark text, black for light.
    static func halo(of color: Color) -> Color {
        let isDark = OKLab(color).lightness < 0.6
        return isDark
            ? Color(red: 255, green: 255, blue: 255, alpha: 0xd9) : Color(red: 0, green: 0, blue: 0, alpha: 0xb3)
    }
}

extension Rect {
    /// Points all over it, at most a fourth of its sides apart.
    fileprivate var grid: [Point] {
        (0..<25).map { Point(x: x + width * Double($0 % 5) / 4, y: y + height * Double($0 / 5) / 4) }
    }

    fileprivate func meets(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }
}

extension Border {
    /// Whether a point of a box lies within a distance of the enclosed area.
    fileprivate func isNear(_ box: Rect, within distance: Double) -> Bool {
        // The enclosed area is convex, so its point nearest to the box is nearest to one of these, or lies in the box.
        let nearest = Point(
            x: min(max(center.x, box.minX), box.maxX), y: min(max(center.y, box.minY), box.maxY))
        let way = nearest - center
        if way.length == 0 { return true }
        let points = [
            nearest, Point(x: box.minX, y: box.minY), Point(x: box.maxX, y: box.minY),
            Point(x: box.minX, y: box.maxY), Point(x: box.maxX, y: box.maxY), box.center,
        ]
        return points.contains { depth(of: $0) > -distance }
    }

    /// The signed distance to the border, positive inside.
    private func depth(of point: Point) -> Double {
        switch self {
        case .disc(let disc): disc.radius - point.distance(to: disc.center)
        case .outline(let outline): outline.signedDistance(to: point)
        }
    }
}
