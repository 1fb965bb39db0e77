import LoupeBase
import LoupeScene

/// Finds centres for the loupes that options leave without one: on the canvas, by `LoupePlacer`, or beside the page.
struct Placing {
    var request: Request
    let page: ImagePath
    let facts: PageFacts

    /// The scene with all loupes in their places, and the request that it is one of: where lines would strike out text and data,
    /// letters say what belongs together, and of a single loupe its place does.
    func scene() throws(ComposeError) -> (loupes: LoupesOverPage, request: Request) {
        let placed = try placed()
        guard !placed.unplaced.isEmpty, needsLines(placed), request.choosesConnectors,
            request.options.first(of: [.connectorWidth, .connectorColor]) == nil,
            textUnderLines(placed) > Self.mostStruckOut
        else { return (placed, request) }
        var calm = self
        if placed.unplaced.count == 1 {
            calm.request.options.add(PictureOption.connector.name, "none".utf8)
        } else {
            calm.request.options.add(PictureOption.letters.name, FigureText.Letters.lowercase.rawValue.utf8)
        }
        return (try calm.placed(), calm.request)
    }

    private func placed() throws(ComposeError) -> LoupesOverPage {
        let asked = try request.loupes(over: page, facts)
        guard !asked.unplaced.isEmpty else { return asked }
        let given: PlacePolicy? = try request.options.choice(.place)
        let policy = given ?? .auto
        guard let contrast = facts.contrast else { return asked }
        if policy == .beside { return try beside(asked) }
        // Where nobody asked for the canvas, loupes that would cover text and data on it, or whose lines would cross more of
        // that than lines beside the page, stand beside the page. In a photograph no area is known to be free.
        let mayGrow = given == nil && !request.options.has(.canvas)
        let other = mayGrow ? try? beside(asked) : nil
        if let other, facts.tone.kind == .photograph { return other }
        do throws(ComposeError) {
            let (placed, isFull) = try onCanvas(asked, contrast)
            guard let other else { return placed }
            let isCrossed = textUnderLines(placed) > max(Self.mostUnderLines, 2 * textUnderLines(other))
            return isFull || needsLines(asked) && isCrossed ? other : placed
        } catch {
            guard let other else { throw error }
            return other
        }
    }

    private func needsLines(_ loupes: LoupesOverPage) -> Bool {
        loupes.scene.loupes.contains { $0.callout?.connector != nil }
            && !request.mayLeaveOutLines(hasMarks: !loupes.marks.isEmpty)
    }

    private func textUnderLines(_ loupes: LoupesOverPage) -> Double {
        LoupePlacer(loupes.scene, contrast: facts.contrast).contentUnderConnectors()
    }

    /// The largest part of a loupe's area that may cover or touch text and data before the page counts as full, and what loupes may
    /// cost there on the average: less than one that lies against the canvas's edge or its own ring.
    private static let (mostCovered, mostCost) = (0.005, 3.0)
    /// How much text and data lines may run over before a place beside the page is thought of, and before they are left out; see
    /// `contentUnderConnectors`.
    private static let (mostUnderLines, mostStruckOut) = (0.02, 0.007)

    private func refusal(_ problem: PlacementError, _ policy: PlacePolicy) -> ComposeError {
        let other = policy == .beside || request.options.has(.canvas) ? "" : ", or use --place beside"
        return ComposeError(
            .badInput, "--place \(policy.rawValue): \(problem.description); make the loupes smaller\(other)")
    }

    // MARK: - On the canvas

    /// What loupes of the default radius are shrunk to where that makes a better placement, in turn.
    private static let shrinkages = [1, 0.87, 0.75]
    /// What shrinking to nothing would cost, beside the costs of a placement: as much as covering a third of a loupe's
    /// area with text.
    private static let shrinkageCost = 12.0

    /// The best placement on the canvas, and whether the canvas is too full for it.
    private func onCanvas(_ asked: LoupesOverPage, _ contrast: ContrastGrid) throws(ComposeError) -> (
        loupes: LoupesOverPage, isFull: Bool
    ) {
        let standard = LoupeRequest.defaultRadius(on: asked.scene.canvas)
        let most = Self.mostCost * Double(asked.unplaced.count)
        let needsLines = needsLines(asked)
        var best: (loupes: LoupesOverPage, isFull: Bool, cost: Double)?
        var problem: PlacementError?
        for part in asked.hasStandardRadius ? Self.shrinkages : [1] {
            var asked = asked
            if part < 1 { asked = try request.loupes(over: page, facts, radius: max(1, (part * standard).rounded())) }
            do throws(PlacementError) {
                let placement = try LoupePlacer(asked.scene, contrast: contrast).placement(of: asked.unplaced)
                asked.scene = placement.scene
                let isTangled = placement.isTangled && needsLines
                let isFull =
                    placement.covered > Self.mostCovered || placement.cost > most || isTangled || placement.isScattered
                if placement.isClean, !placement.isScattered { return (asked, isFull) }
                let cost = placement.cost + Self.shrinkageCost * (1 - part)
                if cost < best?.cost ?? .infinity { best = (asked, isFull, cost) }
            } catch { problem = problem ?? error }
        }
        if let best { return (best.loupes, best.isFull) }
        throw refusal(problem ?? PlacementError(index: 0, of: asked.scene), .auto)
    }

    /// What the canvas is around the page where it is made wider: what options say, the page's own paper if it is almost
    /// white or dark, or else white.
    private func paper(around scene: Scene) -> Backdrop {
        if request.options.has(.background) || request.options.has(.frame) { return scene.canvas.background }
        let own = facts.tone.kind == .dark || facts.tone.kind == .light && OKLab(facts.tone.paper).lightness > 0.95
        return .color(own ? facts.tone.paper : .defaultRim)
    }
}

// MARK: - Beside the page

extension Placing {
    /// Loupes beside the page, in rows or columns of one size with one gap, aligned with the page's edges and in the order of
    /// what they show, so that lines do not cross. The canvas is made wider on the side where the lines are
    /// shortest and run over the least text and data.
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
    private static let gap = 0.15
    /// How large loupes of the default size may become, and how small, as a part of it.
    private static let sizes = 0.75...1.25
    /// What a line costs for the text under it; see `contentUnderConnectors`. Lines as long as the page cost as much as a
    /// canvas of twice the pixels.
    private static let textWeight = 20.0
    /// The most that lines cost, as they are left out then.
    private static let mostForLines = 0.8
    /// What lines cost that cross each other or run over a ring.
    private static let tangled = 0.3
    /// How much longer lines may be before a side other than the right one and the one below is taken.
    private static let unusualSide = 0.15
    /// What a picture costs that is twice as high as wide, as few columns of text have room for it.
    private static let tall = 0.5

    private func beside(
        _ asked: LoupesOverPage, at side: CanvasSide
    ) throws(ComposeError) -> (loupes: LoupesOverPage, cost: Double)? {
        let (canvas, isRow) = (asked.scene.canvas, side.isLevel)
        let length = Double(isRow ? canvas.width : canvas.height)
        let standard = LoupeRequest.defaultRadius(on: canvas)
        let pixel = request.pixel(on: asked.scene, facts)
        let letters = try roomForLetters(asked)
        let gap = max(6 * pixel, (Self.gap * standard / pixel).rounded() * pixel, letters)
        // Aligned with the page's edges, unless nobody sees those: then the canvas has a margin.
        let margin = asked.scene.page.map { isRow ? $0.rect.minX : $0.rect.minY } ?? 0
        let isPaper =
            facts.tone.kind != .photograph && paper(around: asked.scene) == .color(facts.tone.paper)
            && !request.options.has(.frame)
        let inset = max(isPaper ? gap / 2 : margin, letters)
        let count = asked.unplaced.count
        for lanes in 1...count {
            let inLane = (count + lanes - 1) / lanes
            var asked = asked
            if asked.hasStandardRadius {
                let room = ((length - 2 * inset - Double(inLane - 1) * gap) / Double(2 * inLane)).rounded(.down)
                guard room >= Self.sizes.lowerBound * standard else { continue }
                let radius = min(room, (Self.sizes.upperBound * standard).rounded())
                asked = try request.loupes(over: page, facts, radius: radius)
            }
            let hasLines = needsLines(asked)
            if request.choosesConnectors {
                for index in asked.unplaced {
                    asked.scene.loupes[index].callout?.connector?.shape = Connector.Style.leader.shape()
                }
            }
            let bare = isPaper ? bareBorders(of: asked) : nil
            // A column's lines would strike out a row of text.
            let isAtFocus = hasLines && (isRow || facts.tone.kind == .photograph)
            let lane = Lane(
                side: side, gap: gap, inset: inset, after: inset, bare: bare, hasLines: hasLines, isAtFocus: isAtFocus)
            guard var scene = Self.arranged(asked, in: lanes, like: lane) else { continue }
            scene.canvas.background = paper(around: scene)
            if isPaper { addEdges(to: &scene, pixel) }
            let area = Double(scene.canvas.width * scene.canvas.height) / Double(canvas.width * canvas.height)
            let unusual = side == .left || side == .above ? Self.unusualSide : 0
            let tall = Self.tall * max(0, Double(scene.canvas.height) / Double(scene.canvas.width) - 1)
            asked.scene = try request.styled(scene, asked.given, facts)
            var cost = area - 1 + unusual + tall
            if hasLines {
                let diagonal = Vector(dx: Double(canvas.width), dy: Double(canvas.height)).length
                let lines = asked.unplaced.reduce(0) { sum, index in
                    sum + (scene.loupes[index].center - scene.loupes[index].focus).length / diagonal
                }
                let tangled = LoupePlacer(asked.scene).hasTangledConnectors() ? Self.tangled : 0
                let forText = Self.textWeight * textUnderLines(asked)
                cost += min(Self.mostForLines, tangled + (lines + forText) / Double(count))
            }
            return (asked, cost)
        }
        return nil
    }

    /// A thin line at each side where a page would run into the canvas, as what reaches its edge there would be taken for cut
    /// off.
    private func addEdges(to scene: inout Scene, _ pixel: Double) {
        guard let page = scene.page?.rect else { return }
        let canvas = scene.canvas.rect
        var color: Color = facts.tone.kind == .dark ? .defaultRim : .defaultInk
        color.alpha = 0x50
        for side in CanvasSide.allCases where page.margin(in: canvas, at: side) > 0 && !facts.isBare(at: side) {
            let line =
                switch side {
                case .right: Rect(x: page.maxX, y: page.minY, width: pixel, height: page.height)
                case .left: Rect(x: page.minX - pixel, y: page.minY, width: pixel, height: page.height)
                case .below: Rect(x: page.minX, y: page.maxY, width: page.width, height: pixel)
                case .above: Rect(x: page.minX, y: page.minY - pixel, width: page.width, height: pixel)
                }
            scene.layers.append(Layer(content: .fill(color), rect: line))
        }
    }

    /// What letters need around the loupes of a lane: those of rectangles stand beyond the corners.
    private func roomForLetters(_ asked: LoupesOverPage) throws(ComposeError) -> Double {
        let hasLetters = request.options.has(.letters) || !asked.marks.isEmpty
        let hasRectangle = asked.unplaced.contains { index in
            if case .rectangle = asked.scene.loupes[index].shape { true } else { false }
        }
        guard hasLetters, hasRectangle else { return 0 }
        return try (1.2 * request.sizedText(on: asked.scene, facts).size(in: asked.scene)).rounded(.up)
    }

    /// How wide the bare paper at each side of the canvas is, in the order of `CanvasSide`, where loupes beside the page may
    /// stand: neither the page has anything there nor a ring lies there.
    private func bareBorders(of asked: LoupesOverPage) -> [Double] {
        let canvas = asked.scene.canvas.rect
        var content = facts.content(on: asked.scene) ?? canvas
        func take(_ center: Point, _ half: Vector) {
            let corner = center - half
            content = content.union(Rect(x: corner.x, y: corner.y, width: 2 * half.dx, height: 2 * half.dy))
        }
        for (index, loupe) in asked.scene.loupes.enumerated() {
            if !asked.unplaced.contains(index) { take(loupe.center, loupe.halfSides) }
            if loupe.callout != nil { take(loupe.focus, 1.25 / loupe.zoom * loupe.halfSides) }
        }
        return CanvasSide.allCases.map { max(0, content.margin(in: canvas, at: $0)) }
    }

    /// A row or a column of loupes beyond a side of the canvas.
    private struct Lane {
        var side: CanvasSide
        /// Between its loupes, and before them, in canvas pixels.
        let gap: Double
        /// What is kept free at its ends, in canvas pixels.
        let inset: Double
        /// What is kept free beyond it, in canvas pixels.
        var after: Double
        /// The bare paper at each side of the canvas, in the order of `CanvasSide`, in canvas pixels, before which the gap
        /// begins; nil for none.
        var bare: [Double]?
        let hasLines: Bool
        /// Whether its loupes stand at what they show, so that lines are level or plumb.
        let isAtFocus: Bool

        var isRow: Bool { side.isLevel }

        func along(_ vector: Vector) -> Double { isRow ? vector.dx : vector.dy }
        func across(_ vector: Vector) -> Double { isRow ? vector.dy : vector.dx }
    }

    /// The scene with its loupes in lanes along the page, on a canvas that is as much wider or higher: one lane along a side,
    /// and where that is too short, others beside it, or with lines along both sides in turn, so that none runs under a
    /// loupe; nil where `adding` finds no room. Without lines they are read in the order in which they were asked for.
    private static func arranged(_ asked: LoupesOverPage, in lanes: Int, like first: Lane) -> Scene? {
        let (all, side, isRow) = (asked.scene.loupes, first.side, first.isRow)
        func along(_ index: Int) -> Double { isRow ? all[index].focus.x : all[index].focus.y }
        func depth(_ index: Int) -> Double {
            let across = isRow ? all[index].focus.y : all[index].focus.x
            return side == .right || side == .below ? -across : across
        }
        let inLane = (asked.unplaced.count + lanes - 1) / lanes
        var members = [[Int]](repeating: [], count: lanes)
        if first.hasLines {
            let loupes = asked.unplaced.sorted { (depth($0), $0) < (depth($1), $1) }
            for (place, index) in loupes.enumerated() { members[place / inLane].append(index) }
            members = members.map { $0.sorted { (along($0), $0) < (along($1), $1) } }
        } else {
            for (place, index) in asked.unplaced.enumerated() {
                members[isRow ? place / inLane : place % lanes].append(index)
            }
            // The first lane is the one at the page.
            if side == .left || side == .above { members.reverse() }
        }
        var scene: Scene? = asked.scene
        let (filled, sides) = (members.filter { !$0.isEmpty }, first.hasLines ? 2 : 1)
        for (number, members) in filled.enumerated() {
            var lane = first
            if number % sides == 1 { lane.side = side.opposite }
            if number + sides < filled.count { lane.after = 0 }
            if number >= sides { lane.bare = nil }
            scene = scene.flatMap { adding(members, to: $0, lane) }
        }
        return scene
    }

    /// The scene with some of its loupes, in this order, in a lane; nil where it is longer than the canvas and holds
    /// several or is one of many, or where the canvas gets too large.
    private static func adding(_ loupes: [Int], to asked: Scene, _ lane: Lane) -> Scene? {
        let (canvas, all, gap, inset) = (asked.canvas, asked.loupes, lane.gap, lane.inset)
        let thickness = loupes.reduce(0) { max($0, 2 * lane.across(all[$1].halfSides)) }
        let bare = lane.bare?[lane.side.rawValue] ?? 0
        let extra = max(0, gap + thickness + lane.after - bare).rounded(.up)
        var scene = asked.widened(by: Int(extra), at: lane.side)
        guard Scene.Canvas.sideRange.contains(max(scene.canvas.width, scene.canvas.height)) else { return nil }
        let size = Vector(dx: Double(canvas.width), dy: Double(canvas.height))
        let isOutward = lane.side == .right || lane.side == .below
        // Aligned at the page.
        let near = isOutward ? lane.across(size) - bare + gap : extra + bare - gap
        let gaps = Double(loupes.count - 1)
        let rest = lane.along(size) - 2 * inset - loupes.reduce(gap * gaps) { $0 + 2 * lane.along(all[$1].halfSides) }
        if rest < -1e-6 {
            // One or two loupes may be longer than the page, as those of large regions are.
            guard loupes.count == 1, all.count <= 2 else { return nil }
            let half = Int((-rest / 2).rounded(.up))
            let (start, end): (CanvasSide, CanvasSide) = lane.isRow ? (.left, .right) : (.above, .below)
            return adding(loupes, to: asked.widened(by: half, at: start).widened(by: half, at: end), lane)
        }
        // Spread over the page's length where little is left over, and in its middle otherwise, or at what they show.
        let isSpread = gaps > 0 && rest <= 2 * gap * gaps
        var free = rest / 2
        if lane.isAtFocus {
            let focus = loupes.reduce(0) { $0 + lane.along(all[$1].focus - .zero) } / Double(loupes.count)
            free += focus - lane.along(size) / 2
        }
        var place = inset + (isSpread ? 0 : free.rounded().clamped(to: 0...max(0, rest)))
        for index in loupes {
            let (half, depth) = (lane.along(all[index].halfSides), lane.across(all[index].halfSides))
            let across = isOutward ? near + depth : near - depth
            scene.loupes[index].center =
                lane.isRow ? Point(x: place + half, y: across) : Point(x: across, y: place + half)
            place += 2 * half + (isSpread ? gap + rest / gaps : gap)
        }
        return scene
    }
}

extension Rect {
    /// How far a side of another rect lies beyond its own.
    fileprivate func margin(in other: Rect, at side: CanvasSide) -> Double {
        switch side {
        case .right: other.maxX - maxX
        case .below: other.maxY - maxY
        case .left: minX - other.minX
        case .above: minY - other.minY
        }
    }
}
