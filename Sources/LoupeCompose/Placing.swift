import LoupeBase
import LoupeScene

/// Finds centres for the loupes that options leave without one.
struct Placing {
    let request: Request
    let page: ImagePath
    let facts: PageFacts

    /// The scene with all loupes in their places.
    func scene() throws(ComposeError) -> LoupesOverPage {
        let asked = try request.loupes(over: page, facts)
        let margin = try request.options.margin()
        guard !asked.unplaced.isEmpty else {
            if margin.isAuto {
                let problem =
                    asked.scene.loupes.isEmpty
                    ? "there is no loupe to make room for" : "it makes room for loupes that have no centre yet"
                throw ComposeError(
                    .usage, "--margin auto: \(problem); use --callout FX,FY without a centre, or give a number")
            }
            return asked
        }
        let given: PlacePolicy? = try request.options.choice(.place)
        let policy = given ?? .auto
        guard let contrast = facts.contrast else { return asked }
        if policy == .beside { return try beside(asked) }
        do throws(ComposeError) {
            return margin.isAuto ? try withMargin(asked, contrast) : try onCanvas(asked, contrast)
        } catch {
            // Where nobody asked for the canvas, loupes that it has no room for stand beside the page.
            if given == nil, let beside = try? beside(asked) { return beside }
            throw error
        }
    }

    private func refusal(_ problem: PlacementError, _ policy: PlacePolicy) -> ComposeError {
        let other = policy == .beside || request.options.has(.canvas) ? "" : ", or use --margin auto or --place beside"
        return ComposeError(
            .badInput, "--place \(policy.rawValue): \(problem.description); make the loupes smaller\(other)")
    }

    // MARK: - On the canvas

    /// What loupes of the default radius are shrunk to where that makes a better placement, in turn.
    private static let shrinkages = [1, 0.87, 0.75]
    /// What shrinking to nothing would cost, beside the costs of a placement: as much as covering a third of a loupe's
    /// area with text.
    private static let shrinkageCost = 12.0

    private func onCanvas(_ asked: LoupesOverPage, _ contrast: ContrastGrid) throws(ComposeError) -> LoupesOverPage {
        let standard = LoupeRequest.defaultRadius(on: asked.scene.canvas)
        var best: (loupes: LoupesOverPage, cost: Double)?
        var problem: PlacementError?
        for part in asked.hasStandardRadius ? Self.shrinkages : [1] {
            var asked = asked
            if part < 1 { asked = try request.loupes(over: page, facts, radius: max(1, (part * standard).rounded())) }
            do throws(PlacementError) {
                let placement = try LoupePlacer(asked.scene, contrast: contrast).placement(of: asked.unplaced)
                asked.scene = placement.scene
                if placement.isClean { return asked }
                let cost = placement.cost + Self.shrinkageCost * (1 - part)
                if cost < best?.cost ?? .infinity { best = (asked, cost) }
            } catch {
                problem = problem ?? error
            }
        }
        if let best { return best.loupes }
        throw refusal(problem ?? PlacementError(index: 0, of: asked.scene), .auto)
    }

    // MARK: - Margins

    /// The placement with the least margin for which nothing is covered, or else for which there is room.
    private func withMargin(_ asked: LoupesOverPage, _ contrast: ContrastGrid) throws(ComposeError) -> LoupesOverPage {
        func placement(_ margin: Double) -> Placement? {
            let wider = asked.scene.widened(by: Int(margin))
            guard Scene.Canvas.sideRange.contains(max(wider.canvas.width, wider.canvas.height)) else { return nil }
            return try? LoupePlacer(wider, contrast: contrast).placement(of: asked.unplaced)
        }
        for mustBeClean in [true, false] {
            let least = leastMargin { margin in
                placement(margin).map { $0.isClean || !mustBeClean } ?? false
            }
            guard let least, let found = placement(least) else { continue }
            var loupes = asked
            loupes.scene = found.scene
            if least > 0 { loupes.scene.canvas.background = .color(paper(around: asked.scene)) }
            return loupes
        }
        return try onCanvas(asked, contrast)
    }

    /// The least margin that is enough, in whole pixels; nil where none is.
    private func leastMargin(_ isEnough: (Double) -> Bool) -> Double? {
        if isEnough(0) { return 0 }
        let step = max(1, Double(min(facts.size.width, facts.size.height)) / 16).rounded()
        var (low, high) = (0.0, step)
        for _ in 0..<7 where !isEnough(high) { (low, high) = (high, 2 * high) }
        guard isEnough(high) else { return nil }
        while high - low > max(1, step / 8) {
            let middle = ((low + high) / 2).rounded()
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// What the canvas is around the page where it is made wider: what options say, the colour of the page's edge if that is
    /// paper, or else white, and almost black around dark pages.
    private func paper(around scene: Scene) -> Color {
        if request.options.has(.background) || request.options.has(.frame),
            let color = scene.canvas.background.plainColor
        {
            return color
        }
        let isDark = facts.tone.kind == .dark
        if let edge = facts.edgeColor, isDark ? OKLab(edge).lightness < 0.35 : OKLab(edge).lightness > 0.9 {
            return edge
        }
        return isDark ? Color(red: 0x16, green: 0x18, blue: 0x1d) : .defaultRim
    }

}

// MARK: - Beside the page

extension Placing {
    /// Loupes beside the page, in rows or columns of one size with one gap, aligned with the page's edges and in the order of
    /// what they show, so that lines do not cross. The canvas is made wider on the side where the lines are shortest.
    private func beside(_ asked: LoupesOverPage) throws(ComposeError) -> LoupesOverPage {
        var best: (loupes: LoupesOverPage, cost: Double)?
        for side in CanvasSide.allCases {
            guard let found = try beside(asked, at: side) else { continue }
            if found.cost < best?.cost ?? .infinity { best = found }
        }
        guard let best else { throw refusal(PlacementError(index: asked.unplaced[0], of: asked.scene), .beside) }
        return best.loupes
    }

    /// The gap between loupes, and between them and the page, in radii of the default size.
    private static let gap = 0.18
    /// How large loupes of the default size may become, and how small, as a part of it.
    private static let sizes = 0.75...1.25
    /// What a canvas of twice the pixels costs, beside lines as long as the page.
    private static let canvasWeight = 1.0
    /// How much longer lines may be before a side other than the right one and the one below is taken.
    private static let unusualSide = 0.15

    private func beside(
        _ asked: LoupesOverPage, at side: CanvasSide
    ) throws(ComposeError) -> (loupes: LoupesOverPage, cost: Double)? {
        let (canvas, isRow) = (asked.scene.canvas, side == .below || side == .above)
        let length = Double(isRow ? canvas.width : canvas.height)
        let standard = LoupeRequest.defaultRadius(on: canvas)
        let gap = max(6, (Self.gap * standard).rounded())
        let count = asked.unplaced.count
        for lanes in 1...count {
            let inLane = (count + lanes - 1) / lanes
            var asked = asked
            if asked.hasStandardRadius {
                let room = ((length - Double(inLane - 1) * gap) / Double(2 * inLane)).rounded(.down)
                guard room >= Self.sizes.lowerBound * standard else { continue }
                let radius = min(room, (Self.sizes.upperBound * standard).rounded())
                asked = try request.loupes(over: page, facts, radius: radius)
            }
            guard var scene = Self.arranged(asked, in: lanes, at: side, gap: gap) else { continue }
            scene.canvas.background = .color(paper(around: scene))
            let diagonal = Vector(dx: Double(canvas.width), dy: Double(canvas.height)).length
            let lines = asked.unplaced.reduce(0) { sum, index in
                sum + (scene.loupes[index].center - scene.loupes[index].focus).length / diagonal / Double(count)
            }
            let area = Double(scene.canvas.width * scene.canvas.height) / Double(canvas.width * canvas.height)
            let unusual = side == .left || side == .above ? Self.unusualSide : 0
            asked.scene = scene
            return (asked, lines + Self.canvasWeight * (area - 1) + unusual)
        }
        return nil
    }

    /// The scene with its loupes in lanes along a side of the page, on a canvas that is as much wider or higher; nil where a
    /// lane is longer than the page, or the canvas too large.
    private static func arranged(
        _ asked: LoupesOverPage, in lanes: Int, at side: CanvasSide, gap: Double
    ) -> Scene? {
        let (canvas, all) = (asked.scene.canvas, asked.scene.loupes)
        let (isRow, isOutward) = (side == .below || side == .above, side == .right || side == .below)
        let length = Double(isRow ? canvas.width : canvas.height)
        func along(_ index: Int) -> Double { 2 * (isRow ? all[index].halfSides.dx : all[index].halfSides.dy) }
        func across(_ index: Int) -> Double { 2 * (isRow ? all[index].halfSides.dy : all[index].halfSides.dx) }
        let loupes = asked.unplaced.sorted { first, second in
            let (a, b) = (all[first].focus, all[second].focus)
            let (along, other) = isRow ? (a.x, b.x) : (a.y, b.y)
            return along == other ? first < second : along < other
        }
        // The loupes of a lane follow each other, lane by lane away from the page.
        let members: [[Int]] = (0..<lanes).map { lane in
            loupes.indices.filter { $0 % lanes == lane }.map { loupes[$0] }
        }
        let thickness = members.map { lane -> Double in lane.map(across).max() ?? 0 }
        let extra = Int((thickness.reduce(0, +) + gap * (Double(lanes) + 0.5)).rounded(.up))
        var scene = asked.scene.widened(by: extra, at: side)
        guard Scene.Canvas.sideRange.contains(max(scene.canvas.width, scene.canvas.height)) else { return nil }
        var start = isOutward ? gap + Double(isRow ? canvas.height : canvas.width) : Double(extra) - gap
        for (indices, thickness) in zip(members, thickness) {
            let middle = start + (isOutward ? 0.5 : -0.5) * thickness
            start += (isOutward ? 1 : -1) * (thickness + gap)
            // Spread over the page's length where little is left over, and in its middle otherwise.
            let gaps = Double(max(0, indices.count - 1))
            let rest = length - indices.map(along).reduce(gap * gaps, +)
            guard rest >= -1e-6 else { return nil }
            let isSpread = indices.count > 1 && rest <= 2 * gap * gaps
            var at = isSpread ? 0 : (rest / 2).rounded()
            for index in indices {
                let place = at + along(index) / 2
                scene.loupes[index].center = isRow ? Point(x: place, y: middle) : Point(x: middle, y: place)
                at += along(index) + (isSpread ? gap + rest / gaps : gap)
            }
        }
        return scene
    }
}
