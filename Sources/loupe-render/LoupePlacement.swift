import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupePipeline
import LoupePlan
import LoupeScene

/// The scene of a page with its loupes: `--place` and `--margin auto` find places for those that have none.
struct LoupePlacement {
    private let page: PageOptions
    private let loupes: PageLoupes
    private let image: ImageFile
    private let name: Path
    private let limits: LimitOptions

    init(_ page: PageOptions, _ loupes: PageLoupes, over image: ImageFile, at name: Path, limits: LimitOptions) {
        (self.page, self.loupes, self.image, self.name, self.limits) = (page, loupes, image, name, limits)
    }

    /// The scene, and what completes the look of its loupes.
    func placed() throws -> (scene: Scene, style: DefaultStyle?) {
        let asked = try asked(margin: nil)
        var scene = try scene(of: asked)
        if scene.canvas.pixels != asked.scene.canvas.pixels, let color = try continuedColor(of: scene) {
            scene.canvas.background = .color(color)
        }
        return (scene, asked.style)
    }

    /// The colour of the page's edge, with which the canvas goes on around it, as the paper of a figure does. Nil where the edge
    /// has many colours, or where flags set the page off from the canvas.
    private func continuedColor(of scene: Scene) throws -> Color? {
        let isSetOff =
            page.background != nil || page.frame != nil || page.margin?.pixels != nil
            || scene.layers[0].corner != Corner()
        return isSetOff ? nil : try image.edgeColor(maxPixels: limits.maxPixels)
    }

    /// Where none of the loupes covers anything, or what covers least.
    private func scene(of asked: PageLoupes.Asked) throws -> Scene {
        guard let policy = loupes.several.place else {
            guard page.margin != .auto else {
                let problem =
                    asked.scene.loupes.isEmpty
                    ? "there is no loupe to make room for" : "it makes room for loupes that have no centre yet"
                throw Failure(
                    .usage,
                    "--margin auto: \(problem); use --place auto or --place beside with --callout FX,FY, or give a number"
                )
            }
            return asked.scene
        }
        let contrast = try ContrastGrid(
            of: image, over: asked.scene.canvas.background.plainColor ?? .defaultBackground, maxPixels: limits.maxPixels
        )
        do {
            switch (policy, page.margin) {
            case (.beside, _): return try beside(asked, contrast).scene
            case (.auto, .auto): return try withMargin(asked, contrast).scene
            case (.auto, _): return try onCanvas(asked, contrast, margin: nil).scene
            }
        } catch let error as PlacementError {
            throw Failure(.badInput, "\(policy.flag): \(error.description); \(remedy(for: policy, contrast))")
        }
    }

    /// The page and its loupes, with another margin or default radius than the flags say.
    private func asked(margin: Double?, radius: Double? = nil) throws -> PageLoupes.Asked {
        let scene = try page.scene(page: name, width: image.size.width, height: image.size.height, margin: margin)
        return try loupes.asked(on: PlacedPage(size: image.size, rect: scene.layers[0].rect), of: scene, radius: radius)
    }

    // MARK: - On the canvas

    /// What loupes of the default radius are shrunk to where that makes a better placement, in turn.
    private static let shrinkages = [1, 0.8, 0.65, 0.5, 0.4]
    /// What shrinking to nothing would cost, beside the costs of a placement: as much as covering a third of a loupe's
    /// area with text.
    private static let shrinkageCost = 12.0
    /// The part of the canvas that must be free for smaller loupes to be tried: in a photograph they are no better.
    private static let leastFreePart = 0.15

    private func onCanvas(
        _ asked: PageLoupes.Asked, _ contrast: ContrastGrid, margin: Double?
    ) throws -> Placement {
        let standard = LoupeOptions.defaultRadius(on: asked.scene.canvas)
        let sizes: [Size] = (asked.hasStandardRadius ? Self.shrinkages : [1]).map { part in
            (radius: part == 1 ? nil : max(1, (part * standard).rounded()), part: part)
        }
        return try best(of: sizes, asked, margin: margin) { asked, isFirst throws(PlacementError) in
            let placer = LoupePlacer(asked.scene, contrast: contrast)
            if !isFirst, placer.freePart < Self.leastFreePart { return nil }
            return try placer.placement(of: asked.unplaced)
        }
    }

    /// A radius for loupes of the default radius, nil for that, and how large it is beside that.
    private typealias Size = (radius: Double?, part: Double)

    /// The first placement that covers nothing, or else that of least cost.
    /// - Parameters:
    ///   - sizes: in the order in which they are tried.
    ///   - place: the placement of loupes of a size, and whether none was found before; nil ends the search.
    /// - Throws: the first `PlacementError`, where there is no placement.
    private func best(
        of sizes: [Size], _ asked: PageLoupes.Asked, margin: Double?,
        _ place: (_ asked: PageLoupes.Asked, _ isFirst: Bool) throws(PlacementError) -> Placement?
    ) throws -> Placement {
        var best: (placement: Placement, cost: Double)?
        var problem: PlacementError?
        for size in sizes {
            let asked = try size.radius.map { try self.asked(margin: margin, radius: $0) } ?? asked
            do {
                guard let placement = try place(asked, best == nil) else { break }
                if placement.isClean { return placement }
                let cost = placement.cost + Self.shrinkageCost * (1 - size.part)
                if cost < best?.cost ?? .infinity { best = (placement, cost) }
            } catch {
                problem = problem ?? error
            }
        }
        if let best { return best.placement }
        throw problem ?? PlacementError(index: 0, of: asked.scene)
    }

    // MARK: - Beside the page

    /// The least radius of loupes of the default radius, as a part of that, for which they stand in one line.
    private static let leastPartBeside = 0.3

    private func beside(
        _ asked: PageLoupes.Asked, _ contrast: ContrastGrid, margin: Double? = nil
    ) throws -> Placement {
        guard asked.hasStandardRadius else {
            return try LoupePlacer(asked.scene, contrast: contrast).placementBeside(asked.unplaced)
        }
        let canvas = asked.scene.canvas
        let standard = LoupeOptions.defaultRadius(on: canvas)
        // As many as there are in one line beside the longer sides, or beside any.
        let sizes: [Size] = [max(canvas.width, canvas.height), min(canvas.width, canvas.height)].map { length in
            let inLine = LoupePlacer.radius(ofDiscs: asked.unplaced.count, inLineOf: Double(length))
            let radius = inLine.clamped(to: max(1, Self.leastPartBeside * standard)...standard)
            return (radius: radius, part: radius / standard)
        }
        return try best(of: sizes, asked, margin: margin) { asked, _ throws(PlacementError) in
            try LoupePlacer(asked.scene, contrast: contrast).placementBeside(asked.unplaced)
        }
    }

    // MARK: - Margins

    /// The placement with the least margin for which nothing is covered, or else for which there is room.
    private func withMargin(_ asked: PageLoupes.Asked, _ contrast: ContrastGrid) throws -> Placement {
        func placement(_ margin: Double) -> Placement? {
            let wider = asked.scene.widened(by: Int(margin))
            guard Scene.Canvas.sideRange.contains(max(wider.canvas.width, wider.canvas.height)) else { return nil }
            return try? LoupePlacer(wider, contrast: contrast).placement(of: asked.unplaced)
        }
        for isEnough in [{ $0.isClean }, { _ in true }] as [(Placement) -> Bool] {
            let least = leastMargin(from: 0) { placement($0).map(isEnough) ?? false }
            if let least, let found = placement(least) { return found }
        }
        return try onCanvas(asked, contrast, margin: nil)
    }

    /// The least margin that is enough, in whole pixels; nil where none is.
    private func leastMargin(from start: Double, _ isEnough: (Double) -> Bool) -> Double? {
        if isEnough(start) { return start }
        let step = max(1, Double(min(image.size.width, image.size.height)) / 16).rounded()
        var (low, high) = (start, start + step)
        for _ in 0..<7 where !isEnough(high) { (low, high) = (high, start + 2 * (high - start)) }
        guard isEnough(high) else { return nil }
        while high - low > max(1, step / 8) {
            let middle = ((low + high) / 2).rounded()
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// What to do where there is no room, with a margin that was tried.
    private func remedy(for policy: PlacePolicy, _ contrast: ContrastGrid) -> String {
        let start = page.margin?.pixels ?? 0
        let margin =
            page.margin == .auto
            ? nil
            : leastMargin(from: start) { margin in
                guard let wider = try? asked(margin: margin) else { return false }
                let isRoomy =
                    if policy == .beside {
                        (try? beside(wider, contrast, margin: margin)) != nil
                    } else {
                        (try? onCanvas(wider, contrast, margin: margin)) != nil
                    }
                return isRoomy
            }
        guard let margin else { return "make the loupes smaller, or the canvas larger" }
        let other = policy == .beside || page.canvas != nil ? "" : ", or use --place beside"
        return "--margin \(Int(margin)) would do; or make the loupes smaller\(other)"
    }
}
