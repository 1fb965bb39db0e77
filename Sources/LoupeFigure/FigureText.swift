import LoupeBase
import LoupePlan
import LoupeScene

/// The text that figures of journals have beside their pictures: matching letters at loupes and rings, zoom factors,
/// and scale bars in the page and in each loupe. It finds places for them.
package struct FigureText: Hashable, Sendable {
    /// A size on paper, in inches; nil where nothing says it. Then figures are 180 mm wide, as a page of a journal is.
    package struct Paper: Hashable, Sendable {
        package var width, height: Double?

        private static let usualWidth = 180 / 25.4

        /// How long a point, a 72nd of an inch, is on a canvas, in canvas pixels.
        func point(on canvas: Scene.Canvas) -> Double {
            if width == nil, let height { return Double(canvas.height) / height / 72 }
            return Double(canvas.width) / (width ?? Self.usualWidth) / 72
        }

        /// The size of one of several pages in rows and columns.
        func part(columns: Int, rows: Int) -> Paper {
            let width = width ?? (height == nil ? Self.usualWidth : nil)
            return Paper(width: width.map { $0 / Double(columns) }, height: height.map { $0 / Double(rows) })
        }
    }

    /// The letters or numbers that loupes are counted by.
    package enum Letters: String, Hashable, Sendable, CaseIterable {
        /// a, b, c …
        case lowercase = "a"
        /// A, B, C …
        case uppercase = "A"
        /// 1, 2, 3 …
        case numbers = "1"

        /// The mark of a loupe: after z come aa, ab and so on.
        package func mark(_ index: Int) -> String {
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
    package var letters: Letters?
    /// Marks of single loupes in place of those, by their index.
    package var marks: [Int: String] = [:]
    /// Whether each loupe says its zoom factor, such as 4×.
    var showsZoom = false
    /// What a canvas pixel shows at magnification 1, for scale bars; nil for none.
    package var pixelSize: PhysicalLength?
    /// Where scale bars lie. Nil: at the lower right of loupes, and in a corner of the page that neither a loupe nor a ring
    /// reaches.
    package var barCorner: CornerPosition?
    /// The font's family.
    package var family = "sans-serif"
    /// The size of letters, in canvas pixels; other text has four fifths of it. Nil for 1/36 of the page's shorter side, or of
    /// that of a page of this area twice as long as wide, about the size of text in plots and interfaces, and at least 11 pixels,
    /// and 7 points on paper.
    package var size: Double?
    /// The size of the canvas on paper.
    package var paper = Paper()
    /// The length of a pixel of the picture, in canvas pixels.
    package var pixel = 1.0
    /// Nil for black or white, with a halo of the other.
    package var color: Color?

    /// No text.
    package init() {}

    /// Whether there is no text.
    package var isEmpty: Bool { letters == nil && marks.isEmpty && !showsZoom && pixelSize == nil }

    /// The scene with its text. Colours are those for a white page.
    /// - Parameter contrast: of the page, whose text and data no text covers if that can be helped.
    package func added(to scene: Scene, contrast: ContrastGrid? = nil) -> Scene {
        let size = size(in: scene)
        var places = TextPlaces(scene, contrast: contrast)
        if let pixelSize {
            places.scene.pixelSize = pixelSize
            addBars(to: &places, style: style(size: small(size), weight: 400))
        }
        if letters != nil || !marks.isEmpty { addMarks(to: &places, style(size: size, weight: 700)) }
        if showsZoom {
            let style = style(size: small(size), weight: 400)
            let texts = scene.loupes.indices.map { (index: $0, text: TextRun.factor(scene.loupes[$0].zoom)) }
            // At the lower right first, across from letters.
            places.addLabels(Self.choices(of: texts, at: scene.loupes, corners: [3, 2, 1, 0], style))
        }
        return places.scene
    }

    /// The size of its letters in a scene, in canvas pixels.
    package func size(in scene: Scene) -> Double {
        let page = scene.page?.rect ?? scene.canvas.rect
        let side = max(page.shorterSide, (page.width * page.height / 2).squareRoot())
        let usual = max(11, (side / 36 / pixel).rounded())
        let least = (Self.leastPoints * paper.point(on: scene.canvas) / pixel).rounded(.up)
        return size ?? min(max(1, pixel * max(usual, least)), TextStyle.sizeRange.upperBound)
    }

    /// The least size of letters on paper: four fifths of it are over the 5 points that journals ask for.
    private static let leastPoints = 7.0

    /// The look of a title beside a scene's page, on the scene's background.
    func titleStyle(of scene: Scene) -> TextStyle {
        let isDark = scene.canvas.background.isDark
        return TextStyle(
            family: family, size: size(in: scene), color: color ?? (isDark ? .defaultRim : .defaultInk))
    }

    private func small(_ size: Double) -> Double {
        max(min(size, 10 * pixel), (size * 0.8 / pixel).rounded() * pixel, 1)
    }

    private func style(size: Double, weight: Int) -> TextStyle {
        let halo = Casing(
            width: max(pixel, (size * 1.2 / pixel).rounded() / 10 * pixel),
            color: TextStyle.halo(of: color ?? .defaultInk))
        return TextStyle(family: family, size: size, weight: weight, color: color ?? .defaultInk, halo: halo)
    }

    // MARK: - Letters

    /// Marks at loupes and rings, counted in the order in which the loupes were asked for. All loupes have theirs in the same corner: outside where that is
    /// free at all of them, or else inside.
    private func addMarks(to places: inout TextPlaces, _ style: TextStyle) {
        let loupes = places.scene.loupes
        let texts = loupes.indices.compactMap { index in
            (marks[index] ?? letters?.mark(index)).map { (index: index, text: $0) }
        }
        places.addLabels(Self.choices(of: texts, at: loupes, corners: [0, 1, 2, 3], style))
        for (index, text) in texts where loupes[index].callout?.ring != nil {
            // A little away, where all is taken by text and data near the ring.
            places.addLabels(
                [0.2, 0.5, 0.9].flatMap { distance in
                    Self.angles(of: loupes[index]).map {
                        [Label(text, at: .ring(index: index, angle: $0, distance: style.size * distance), style: style)]
                    }
                })
        }
    }

    /// Places for texts of loupes, each in the same corner of all: outside, a little away, or inside.
    private static func choices(
        of texts: [(index: Int, text: String)], at loupes: [Loupe], corners: [Int], _ style: TextStyle
    ) -> [[Label]] {
        [(Label.Side.outside, 0.12), (.outside, 0.45), (.inside, 0.3)].flatMap { side, distance in
            corners.map { corner in
                texts.map { index, text in
                    let angle = angles(of: loupes[index])[corner]
                    return Label(
                        text, at: .loupe(index: index, angle: angle, side: side, distance: style.size * distance),
                        style: style)
                }
            }
        }
    }

    /// The directions of a loupe's corners, on circles those of the diagonals, then of its sides, and then others.
    private static func angles(of loupe: Loupe) -> [Double] {
        let half = loupe.halfSides
        let angle = (atan2(half.dy, half.dx) * 18_000 / .pi).rounded() / 100
        return [angle - 180, -angle, 180 - angle, angle, -90, 180, 0, 90] + (0..<8).map { 45 * Double($0) - 157.5 }
    }

    // MARK: - Scale bars

    /// A bar in the page, and one in each loupe, there in the same corner.
    private func addBars(to places: inout TextPlaces, style: TextStyle) {
        let scene = places.scene
        func bar(_ subject: ScaleBar.Subject, _ corner: CornerPosition) -> ScaleBar? {
            guard let pixelSize = scene.pixelSize else { return nil }
            return ScaleBar(
                of: scene.roundBarLength(pixelSize: pixelSize, in: subject), in: subject, corner: corner,
                width: pixel * max(1, (style.size / 5 / pixel).rounded()), style: style)
        }
        let corners = barCorner.map { [$0] } ?? [.bottomRight, .bottomLeft, .topRight, .topLeft]
        for subjects in [[.layer(0)], scene.loupes.indices.map { ScaleBar.Subject.loupe($0) }] {
            places.addBars(corners.map { corner in subjects.compactMap { bar($0, corner) } })
        }
    }
}

/// Finds the emptiest places for text: first those over no loupe, ring, connector or other text, then those over the least
/// of what the page shows.
private struct TextPlaces {
    var scene: Scene
    private let content: PlacementContent?
    /// Loupes, what rings surround, and other text.
    private var taken: [PlacementBody]
    private let lines: [PlacementStrip]

    init(_ scene: Scene, contrast: ContrastGrid?) {
        self.scene = scene
        let marked = scene.loupes.filter { $0.callout?.ring != nil }
        taken = scene.loupes.map { PlacementBody($0) } + marked.map { PlacementBody(sourceOf: $0, in: scene) }
        lines = scene.loupes.compactMap { PlacementStrip(connectorOf: $0, in: scene) }
        let page = scene.page?.rect
        content = contrast.flatMap { contrast in page.map { PlacementContent(contrast, on: $0) } }
    }

    /// Adds the labels of the emptiest of some choices; an earlier one is better where they are alike.
    mutating func addLabels(_ choices: [[Label]]) {
        let boxes = choices.map { $0.compactMap { TextRun($0, in: scene)?.estimatedBox } }
        let isInside = choices.map {
            $0.contains { if case .loupe(_, _, .inside, _) = $0.anchor { true } else { false } }
        }
        let costs = zip(choices, boxes).map { labels, boxes in
            zip(labels, boxes).reduce(0) { cost, label in
                switch label.0.anchor {
                case .loupe(_, _, .inside, _): cost + Self.inLoupe
                case .ring(let index, _, let distance):
                    cost + Self.farFromRing * distance / label.0.style.size
                        + (isNearest(label.1, toRing: true, of: index) ? 0 : Self.ofAnother)
                        + (scene.page?.rect.meets(label.1) == false ? Self.overEdge : 0)
                case .loupe(let index, _, .outside, _):
                    cost + (isNearest(label.1, toRing: false, of: index) ? 0 : Self.ofAnother)
                case .point: cost
                }
            }
        }
        guard let best = emptiest(boxes, costs, isInside: isInside) else { return }
        scene.labels += choices[best]
    }

    /// Adds the bars of the emptiest of some choices.
    mutating func addBars(_ choices: [[ScaleBar]]) {
        let boxes = choices.map { bars in
            bars.compactMap { $0.plan(in: scene).map { $0.bar.rect.union($0.run.estimatedBox) } }
        }
        let isInside = choices.map { $0.contains { if case .loupe = $0.subject { true } else { false } } }
        let costs = zip(boxes, isInside).map { $1 ? Self.inLoupe * Double($0.count) : 0 }
        guard let best = emptiest(boxes, costs, isInside: isInside) else { return }
        scene.scaleBars += choices[best]
    }

    /// Whether a text is clearly nearer to a loupe or its ring than to those of others, and one of a ring than to its loupe.
    private func isNearest(_ box: Rect, toRing: Bool, of index: Int) -> Bool {
        let text = PlacementBody(box)
        let loupe = scene.loupes[index]
        let own = text.distance(to: toRing ? PlacementBody(sourceOf: loupe, in: scene) : PlacementBody(loupe))
        return scene.loupes.indices.allSatisfy { other in
            let (loupe, ring) = (scene.loupes[other], PlacementBody(sourceOf: scene.loupes[other], in: scene))
            if other == index { return !toRing || text.distance(to: PlacementBody(loupe)) > own }
            return text.distance(to: PlacementBody(loupe)) > own + Self.clearance * box.height
                && (loupe.callout?.ring == nil || text.distance(to: ring) > own + Self.clearance * box.height)
        }
    }

    /// What being over another thing costs, and lying in a loupe, a letter's size away from a ring, next to that of another
    /// loupe, or across the page's edge, beside a box full of text and data.
    private static let (overThings, inLoupe, farFromRing, ofAnother, overEdge) = (10.0, 0.3, 0.12, 0.5, 0.5)
    /// How far text keeps off text and data, and off the canvas's edge, in parts of its height.
    private static let clearance = 0.4
    /// How much less a later choice has to cost for each of its boxes, so that texts stand alike unless much is gained.
    private static let gain = 0.06

    private mutating func emptiest(_ choices: [[Rect]], _ costs: [Double], isInside: [Bool]) -> Int? {
        let costs = choices.indices.map { choice -> Double in
            let isInside = isInside[choice]
            var cost = costs[choice]
            for box in choices[choice] {
                if !isFree(box, isInside: isInside) { cost += Self.overThings }
                if let page = scene.page?.rect, box.meets(page), !page.contains(box) { cost += Self.overEdge }
                cost += content?.busy(under: scene.shown(under: box.inset(by: -Self.clearance * box.height))) ?? 0
            }
            return cost
        }
        let best = costs.indices.min { costs[$0] < costs[$1] - Self.gain * Double(choices[$0].count) }
        if let best { taken += choices[best].map { PlacementBody($0) } }
        return best
    }

    /// Whether a box lies on the canvas, and over no ring, connector or other text, nor over a loupe unless it is inside of it.
    private func isFree(_ box: Rect, isInside: Bool) -> Bool {
        let (body, canvas) = (PlacementBody(box), scene.canvas.rect.inset(by: Self.clearance * box.height))
        guard canvas.contains(Point(x: box.minX, y: box.minY)), canvas.contains(Point(x: box.maxX, y: box.maxY)) else {
            return false
        }
        return isInside
            ? !taken.dropFirst(scene.loupes.count).contains { $0.distance(to: body) < 0 }
            : !taken.contains { $0.distance(to: body) < 0 } && !lines.contains { $0.meets(body) }
    }
}

extension Scene {
    /// The part of the canvas that is seen at a box: what a loupe shows there, or the box itself.
    func shown(under box: Rect) -> Rect {
        guard let loupe = loupes.last(where: { Border(of: $0).contains(box.center) }) else { return box }
        let center = shownFocus(of: loupe) + (1 / loupe.zoom) * (box.center - loupe.center)
        return Rect(center: center, width: box.width / loupe.zoom, height: box.height / loupe.zoom)
    }
}

extension Rect {
    func meets(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }
}
