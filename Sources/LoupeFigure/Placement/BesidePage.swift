import LoupeBase
import LoupeScene

/// A layout of loupes beside the page: in columns at its right, or in rows beneath where it is wider than twice its height or all
/// that they show are strips.
///
/// The page keeps its size, and the canvas grows. Discs have one size, on long pages a larger one than on others. Regions have one
/// zoom, at which the largest fills a column's width or a row's height, unless that is less than twice. Loupes with letters are
/// read in the order in which they were asked for, others in the order of what they show. Beside a page higher than twice its
/// width, each is at the height of that.
struct BesidePage {
    private let loupes: LoupesOverPage
    private let request: Request
    private let facts: PageFacts
    /// In canvas pixels.
    private let page: Rect
    private let isRow: Bool
    private let isTall: Bool
    private let hasLetters: Bool
    /// Whether the page's paper goes on beside it.
    private let isPaper: Bool
    /// The length of a pixel of the picture, in canvas pixels.
    private let pixel: Double
    /// What letters need around rectangles, as they stand beyond the corners, in canvas pixels.
    private var letters = 0.0
    private let leastGap: Double
    private let leastInset: Double
    /// The radius of discs for which none is given, in canvas pixels.
    private let radius: Double

    /// The gap, in radii of the default size.
    private static let gap = 0.15
    /// How small discs of the default size may become so that more of them fit in a lane, as a part of it.
    private static let leastSize = 0.7
    /// How much of the page's width a column of regions has at most, or a row of its height, unless they are magnified less than
    /// twice there.
    private static let widest = 2.0 / 3
    /// The width of a canvas to which regions may widen it, in heights of the page.
    private static let widestCanvas = 1.5
    /// The zoom of regions for which no second lane is begun.
    static let enough = 1.5
    /// The zoom of regions at most: pixels become blocks that nobody reads, and the page small beside them.
    private static let most = 5.0

    /// The layout at the page's right or, where the regions there would hardly be larger in print than on the page alone, beneath
    /// it if that is better.
    static func scene(of loupes: LoupesOverPage, _ request: Request, _ facts: PageFacts) -> Scene? {
        let usual = BesidePage(loupes, request, facts)
        guard let scene = usual.scene else { return nil }
        guard !usual.isRow, !loupes.regions.isEmpty, usual.gain(of: scene) < leastGain,
            let other = BesidePage(loupes, request, facts, isBeneath: true).scene
        else { return scene }
        return usual.gain(of: other) > usual.gain(of: scene) ? other : scene
    }

    /// How many times as large what regions show is in print as where the page fills the paper by itself.
    private func gain(of scene: Scene) -> Double {
        func fit(_ rect: Rect) -> Double { min(Self.paper.width / rect.width, Self.paper.height / rect.height) }
        let zoom = loupes.regions.keys.map { scene.loupes[$0].zoom }.min() ?? 1
        return zoom * fit(scene.canvas.rect) / fit(page)
    }

    /// A page of a book, in millimetres.
    private static let paper = (width: 180.0, height: 240.0)
    /// The gain of regions for which the other layout is not tried.
    private static let leastGain = 1.6

    /// - Parameter isBeneath: whether the loupes stand in rows beneath the page, whatever its shape.
    private init(_ loupes: LoupesOverPage, _ request: Request, _ facts: PageFacts, isBeneath: Bool = false) {
        (self.loupes, self.request, self.facts) = (loupes, request, facts)
        let canvas = loupes.scene.canvas
        page = loupes.scene.page?.rect ?? canvas.rect
        isTall = page.height > 2 * page.width
        let areStrips =
            loupes.regions.count == loupes.unplaced.count
            && loupes.regions.values.allSatisfy { $0.rect.width > 4 * $0.rect.height }
        isRow = isBeneath || page.width > 2 * page.height || areStrips && !isTall
        hasLetters = request.hasLetters(loupes)
        pixel = request.pixel(on: loupes.scene, facts)
        isPaper =
            facts.tone.kind != .photograph && !request.options.has(.frame)
            && Self.paper(around: loupes.scene, at: Self.side(isRow: isRow), request, facts) == .color(facts.tone.paper)
        let standard = LoupeRequest.defaultRadius(on: canvas)
        // A fifth of the shorter side of a square page of this area.
        let long = min(page.shorterSide / 2, (page.width * page.height).squareRoot() / 5).rounded()
        radius = isRow || isTall ? max(standard, long) : standard
        leastGap = max(6 * pixel, (Self.gap * standard / pixel).rounded() * pixel)
        // The canvas has a margin, or that of the page, so that on any ground a loupe looks whole.
        leastInset = max(leastGap, isPaper ? 0 : isRow ? page.minX : page.minY)
    }

    /// The scene; nil where the canvas would become too large.
    private var scene: Scene? {
        let hasRectangle = loupes.unplaced.contains { index in
            if case .rectangle = loupes.scene.loupes[index].shape { true } else { false }
        }
        var layout = self
        guard var scene = layout.laid else { return nil }
        // Letters grow with the canvas, as they have a least size on paper, and the canvas with them.
        for _ in 0..<3 where hasLetters && hasRectangle {
            let room = (1.6 * request.sizedText(on: scene, facts).size(in: scene)).rounded(.up)
            guard room > layout.letters else { break }
            layout.letters = room
            scene = layout.laid ?? scene
        }
        scene.canvas.background = Self.paper(around: scene, at: side, request, facts)
        makeRoomForRings(in: &scene)
        if isPaper { addEdges(to: &scene, pixel) }
        return scene
    }

    /// Between loupes, and between them and the page, in canvas pixels.
    private var gap: Double { max(leastGap, letters) }
    /// What is kept free at the ends of a lane, and beyond it, in canvas pixels.
    private var inset: Double { max(leastInset, letters) }

    private var laid: Scene? {
        var best: (scene: Scene, zoom: Double)?
        for lanes in 1...loupes.unplaced.count {
            let members = members(of: lanes)
            guard let sized = sized(members), let scene = arranged(sized, members) else { continue }
            let zoom = loupes.regions.keys.map { scene.loupes[$0].zoom }.min() ?? .infinity
            if zoom > best?.zoom ?? 0 { best = (scene, zoom) }
            // A second lane for a little more would leave much of it empty.
            if zoom >= (lanes == 1 ? Self.enough : FocusRegion.leastZoom) { break }
        }
        return best?.scene
    }

    /// The side of the page at which the loupes stand.
    private var side: CanvasSide { Self.side(isRow: isRow) }
    private static func side(isRow: Bool) -> CanvasSide { isRow ? .below : .right }

    /// The length of a scene's canvas along a lane, in canvas pixels.
    private func length(of scene: Scene) -> Double { Double(isRow ? scene.canvas.width : scene.canvas.height) }

    /// The size of a scene's canvas across lanes, in canvas pixels.
    private func breadth(of scene: Scene) -> Double { Double(isRow ? scene.canvas.height : scene.canvas.width) }

    /// How broad a lane is, in canvas pixels.
    private func thickness(of lane: [Int], in scene: Scene) -> Double {
        lane.reduce(0) { max($0, 2 * across(scene.loupes[$1].halfSides)) }
    }

    /// What a scene has for the loupes of a lane along it, in canvas pixels.
    private func room(for lane: [Int], in scene: Scene) -> Double {
        length(of: scene) - 2 * inset - Double(lane.count - 1) * gap
    }

    private func along(_ vector: Vector) -> Double { isRow ? vector.dx : vector.dy }
    private func across(_ vector: Vector) -> Double { isRow ? vector.dy : vector.dx }
    private func size(_ loupe: Loupe) -> Double { 2 * along(loupe.halfSides) }

    /// The loupes of each lane, row by row as they are read.
    private func members(of lanes: Int) -> [[Int]] {
        let all = loupes.scene.loupes
        var members = [[Int]](repeating: [], count: lanes)
        guard !hasLetters else {
            let inLane = (loupes.unplaced.count + lanes - 1) / lanes
            for (place, index) in loupes.unplaced.enumerated() {
                members[isRow ? place / inLane : place % lanes].append(index)
            }
            return members.filter { !$0.isEmpty }
        }
        // Discs stand beneath the regions of a column.
        func place(_ index: Int) -> (Int, Double, Int) {
            (loupes.regions[index] == nil && !isTall ? 1 : 0, along(all[index].focus - .zero), index)
        }
        let order = loupes.unplaced.sorted { place($0) < place($1) }
        for start in stride(from: 0, to: order.count, by: lanes) {
            // What lies nearer to the page's far side stands there.
            let group = order[start..<min(start + lanes, order.count)]
            let sorted = group.sorted {
                (across(all[$0].focus - .zero), $0) < (across(all[$1].focus - .zero), $1)
            }
            func reach(_ axis: (Vector) -> Double) -> Double {
                let places = group.map { axis(all[$0].focus - .zero) }
                return (places.max() ?? 0) - (places.min() ?? 0)
            }
            let isAcross = reach(self.across) > reach(self.along)
            for (lane, index) in zip(0..., isAcross ? sorted : Array(group)) { members[lane].append(index) }
        }
        return members
    }

    /// The scene with loupes as large as they are in these lanes; nil where discs would become too small.
    private func sized(_ members: [[Int]]) -> Scene? {
        var scene = loupes.scene
        let regions = loupes.regions
        if !loupes.discs.isEmpty, regions.isEmpty {
            let rooms = members.map { (room(for: $0, in: scene) / Double(2 * $0.count)).rounded(.down) }
            let radius = min(self.radius, rooms.min() ?? self.radius)
            guard radius >= Self.leastSize * self.radius else { return nil }
            for index in loupes.discs { scene.loupes[index].shape = .circle(radius: radius) }
        }
        guard !regions.isEmpty else { return scene }
        func breadth(_ region: FocusRegion) -> Double { across(Vector(dx: region.rect.width, dy: region.rect.height)) }
        func length(_ region: FocusRegion) -> Double { along(Vector(dx: region.rect.width, dy: region.rect.height)) }
        let breadths = members.map { lane in lane.reduce(0) { max($0, regions[$1].map(breadth) ?? 0) } }
        let extent = isRow ? page.height : page.width
        let widest = FocusRegion.leastZoom * (breadths.max() ?? 0)
        // Beside a page on end, loupes may be wider than it is: together they are no wider than a page across.
        let broadest = isRow ? extent : max(extent, Self.widestCanvas * page.height - page.width)
        var thickness = max(Self.widest * extent, min(widest, broadest))
        thickness = min(thickness, broadest / Double(members.count))
        var zoom = min(Self.most, broadest / breadths.reduce(0, +), thickness / (breadths.max() ?? thickness))
        let small = (Self.leastSize * radius).rounded(.up)
        for index in loupes.discs { scene.loupes[index].shape = .circle(radius: small) }
        for lane in members {
            let shown = lane.compactMap { regions[$0] }
            guard !shown.isEmpty else { continue }
            let others = lane.reduce(0) { $0 + (regions[$1] == nil ? size(scene.loupes[$1]) : 0) }
            let room = room(for: lane, in: scene) - others
            zoom = min(zoom, room / shown.reduce(0) { $0 + length($1) })
            thickness = min(thickness, room / shown.reduce(0) { $0 + length($1) / breadth($1) })
        }
        for (index, region) in regions {
            // Where not all can be magnified twice, each is as broad as a lane, so that small ones are.
            let own = zoom >= FocusRegion.leastZoom ? zoom : min(Self.most, thickness / breadth(region))
            let range = FocusRegion.leastZoomOnLargeRegions...Loupe.zoomRange.upperBound
            let found = ((own * 100 + 1e-6).rounded(.down) / 100).clamped(to: range)
            guard let shape = region.rectangle(zoom: found, pixel: pixel) else { return nil }
            (scene.loupes[index].zoom, scene.loupes[index].shape) = (found, shape)
        }
        return scene
    }

    /// The scene with its loupes in lanes beyond the page, on a canvas that is as much larger; nil where a lane is longer than
    /// the page, or the canvas too large.
    private func arranged(_ sized: Scene, _ members: [[Int]]) -> Scene? {
        var scene = sized
        let start = members.count > 1 ? start(of: members, in: sized) : nil
        var edge = breadth(of: sized) - (isPaper ? bareBorder(of: sized) : 0)
        for lane in members {
            guard let next = adding(lane, to: scene, beyond: edge, from: start) else { return nil }
            scene = next
            edge += gap + thickness(of: lane, in: sized)
        }
        return scene
    }

    /// What a lane leaves over of the page's length, in canvas pixels.
    private func rest(of lane: [Int], in scene: Scene) -> Double {
        lane.reduce(room(for: lane, in: scene)) { $0 - size(scene.loupes[$1]) }
    }

    /// Where several lanes begin, so that the longest lies in the middle.
    private func start(of members: [[Int]], in scene: Scene) -> Double {
        inset + max(0, (members.map { rest(of: $0, in: scene) }.min() ?? 0) / 2).rounded(.down)
    }

    /// - Parameters:
    ///   - edge: where the page's content ends, or the lane before, in canvas pixels.
    ///   - first: where the lane begins, in canvas pixels; nil where its loupes decide that.
    private func adding(_ lane: [Int], to sized: Scene, beyond edge: Double, from first: Double?) -> Scene? {
        let all = sized.loupes
        let (near, thickness) = (edge + gap, thickness(of: lane, in: sized))
        let extra = max(0, near + thickness + inset - breadth(of: sized)).rounded(.up)
        var scene = sized.widened(by: Int(extra), at: side)
        let rest = rest(of: lane, in: scene)
        if rest < -1e-6 {
            // One or two loupes may be longer than the page, as those of large regions are.
            guard lane.count == 1, all.count <= 2 else { return nil }
            let half = Int((-rest / 2).rounded(.up))
            let wider = sized.widened(by: half, at: isRow ? .left : .above)
            return adding(lane, to: wider.widened(by: half, at: isRow ? .right : .below), beyond: edge, from: nil)
        }
        guard Scene.Canvas.sideRange.contains(max(scene.canvas.width, scene.canvas.height)) else { return nil }
        let starts = places(of: lane.map { all[$0] }, in: length(of: scene), max(0, rest), from: first)
        for (index, place) in zip(lane, starts) {
            let isDisc = loupes.regions[index] == nil
            let middle = near + (isDisc ? thickness / 2 : across(all[index].halfSides))
            let center = place + size(all[index]) / 2
            scene.loupes[index].center = isRow ? Point(x: center, y: middle) : Point(x: middle, y: center)
        }
        return scene
    }

    /// Where the loupes of a lane begin: one by itself, and those beside a long page, next to what they show where their order and
    /// gaps allow that; others in the middle, or over the whole length where little is left over.
    private func places(of lane: [Loupe], in length: Double, _ rest: Double, from first: Double?) -> [Double] {
        let spaces = Double(lane.count - 1)
        let isSpread = first == nil && spaces > 0 && rest <= 2 * gap * spaces
        let between = isSpread ? gap + rest / spaces : gap
        // From the first loupe's begin to each.
        let offsets = lane.indices.map { index in lane[..<index].reduce(0) { $0 + size($1) + between } }
        let foci = lane.map { along($0.focus - .zero) }
        let last = isSpread ? inset : inset + rest
        let wanted = lane.indices.map { foci[$0] - size(lane[$0]) / 2 - offsets[$0] }
        let nearest = wanted.nearestAscending.map { $0.rounded().clamped(to: inset...max(inset, last)) }
        let isNear = lane.indices.allSatisfy { abs(nearest[$0] - wanted[$0]) <= size(lane[$0]) }
        let isSingle = lane.count == 1
        if isSingle || isNear && foci == foci.sorted(), isTall || first == nil && (isRow || isSingle) {
            return zip(nearest, offsets).map { $0 + $1 }
        }
        let start = (first ?? inset + rest / 2).rounded(.down).clamped(to: inset...max(inset, last))
        return offsets.map { start + $0 }
    }

    /// As much more canvas at each side as rings reach beyond it.
    private func makeRoomForRings(in scene: inout Scene) {
        // What they show stays, whatever else is added to the page.
        let ringed = scene.loupes.indices.filter { scene.loupes[$0].callout?.ring != nil }
        for index in ringed { scene.loupes[index].focus = scene.shownFocus(of: scene.loupes[index]) }
        // A view that stays on the page anyway goes on by its ring's width, so that no sliver of canvas is added for that.
        for index in ringed where scene.loupes[index].outside == .clamp {
            let (source, canvas) = (PlacementBody(sourceOf: scene.loupes[index], in: scene).bounds, scene.canvas.rect)
            guard source.width <= canvas.width, source.height <= canvas.height else { continue }
            let right = max(0, canvas.minX - source.minX) - max(0, source.maxX - canvas.maxX)
            let down = max(0, canvas.minY - source.minY) - max(0, source.maxY - canvas.maxY)
            scene.loupes[index].focus = scene.loupes[index].focus + Vector(dx: right, dy: down)
        }
        for side in CanvasSide.allCases {
            let beyond = ringed.reduce(0) { most, index in
                let source = PlacementBody(sourceOf: scene.loupes[index], in: scene).bounds
                return max(most, scene.canvas.rect.margin(in: source, at: side))
            }
            if beyond > 1e-6 { scene = scene.widened(by: Int(beyond.rounded(.up)), at: side) }
        }
    }

    /// A thin line at each side where a page would run into the canvas, as what reaches its edge there would be taken for cut
    /// off.
    private func addEdges(to scene: inout Scene, _ pixel: Double) {
        guard let page = scene.page?.rect else { return }
        let canvas = scene.canvas.rect
        var color: Color = facts.tone.kind == .dark ? .defaultRim : .defaultInk
        color.alpha = 0x50
        // What is added for a ring is too little for a line.
        for side in CanvasSide.allCases
        where page.margin(in: canvas, at: side) > leastGap && !facts.isBare(at: side) {
            let line =
                switch side {
                case .right: Rect(x: page.maxX, y: 0, width: pixel, height: canvas.height)
                case .left: Rect(x: page.minX - pixel, y: 0, width: pixel, height: canvas.height)
                case .below: Rect(x: 0, y: page.maxY, width: canvas.width, height: pixel)
                case .above: Rect(x: 0, y: page.minY - pixel, width: canvas.width, height: pixel)
                }
            scene.layers.append(Layer(content: .fill(color), rect: line))
        }
    }

    /// How wide the bare paper is at the side of the canvas where loupes stand, in canvas pixels: neither the page has anything
    /// there nor a ring or another loupe lies there.
    private func bareBorder(of scene: Scene) -> Double {
        let canvas = scene.canvas.rect
        var content = facts.content(on: scene) ?? canvas
        func take(_ center: Point, _ half: Vector) {
            let corner = center - half
            content = content.union(Rect(x: corner.x, y: corner.y, width: 2 * half.dx, height: 2 * half.dy))
        }
        for (index, loupe) in scene.loupes.enumerated() {
            if !loupes.unplaced.contains(index) { take(loupe.center, loupe.halfSides) }
            if loupe.callout != nil { take(loupe.focus, 1.25 / loupe.zoom * loupe.halfSides) }
        }
        return max(0, content.margin(in: canvas, at: side))
    }

    /// What the canvas is around the page where it is made wider: what options say, the page's own paper at that side if it is
    /// almost white or dark, the border that a photograph has there if it is white or black, or else white. A bright bar at the
    /// edge of a dark page is no paper.
    private static func paper(
        around scene: Scene, at side: CanvasSide, _ request: Request, _ facts: PageFacts
    ) -> Backdrop {
        if request.options.has(.background) || request.options.has(.frame) { return scene.canvas.background }
        var edge = facts.contrast?.edges[side.rawValue]
        if let color = edge, facts.tone.kind == .dark, OKLab(color).lightness >= 0.4 { edge = nil }
        let paper = edge ?? facts.tone.paper
        let lightness = OKLab(paper).lightness
        let isOwn =
            switch facts.tone.kind {
            case .dark: true
            case .light: lightness > 0.95
            case .photograph: edge != nil && !(0.25...0.95).contains(lightness)
            }
        return .color(isOwn ? paper : .defaultRim)
    }
}

extension [Double] {
    /// The numbers that never fall and are nearest to these by least squares: what falls is replaced by its mean.
    fileprivate var nearestAscending: [Double] {
        var runs: [(mean: Double, count: Int)] = []
        for number in self {
            var run = (mean: number, count: 1)
            while let before = runs.last, before.mean > run.mean {
                let count = before.count + run.count
                run = ((Double(before.count) * before.mean + Double(run.count) * run.mean) / Double(count), count)
                runs.removeLast()
            }
            runs.append(run)
        }
        return runs.flatMap { [Double](repeating: $0.mean, count: $0.count) }
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
