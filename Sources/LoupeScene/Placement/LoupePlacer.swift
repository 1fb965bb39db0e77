import LoupeGeometry
import LoupeJSON

/// Finds centres for loupes that have none, as a person would who arranges a figure.
///
/// No placed loupe leaves the canvas, covers a source with its ring, or overlaps another loupe. Beyond that, places are
/// weighed: what of the page a loupe covers, by its contrast; connectors that cross, or run over rings; distance; loupes
/// that are nearer to each other than half a radius; loupes that are not in line, or have unequal gaps. Rows and columns
/// are tried first, then each loupe by itself. The result is deterministic.
public struct LoupePlacer {
    private let scene: Scene
    private let contrast: ContrastGrid?

    /// A placer of the loupes of a scene.
    /// - Parameter contrast: of the image of the first layer, uncropped; without it, a page counts as empty.
    public init(_ scene: Scene, contrast: ContrastGrid? = nil) { (self.scene, self.contrast) = (scene, contrast) }

    /// The scene with some of its loupes moved; the order of the indices does not matter.
    public func placing(_ indices: [Int]) throws(PlacementError) -> Scene { try placement(of: indices).scene }

    /// The same, and whether the placement has faults.
    public func placement(of indices: [Int]) throws(PlacementError) -> Placement {
        try placement(of: indices, within: nil)
    }

    private func placement(of indices: [Int], within area: Rect?) throws(PlacementError) -> Placement {
        guard !indices.isEmpty else { return Placement(scene: scene, isClean: true, cost: 0) }
        let costs = PlacementCosts(scene, placing: indices, content: content, within: area)
        let table = PlacementTable(costs, placing: indices)
        for index in indices where !table.hasRoom(for: index) { throw error(at: index) }
        let inLines = PlacementLines(costs, placing: indices, table).best()
        var best = inLines
        if (inLines?.cost ?? .infinity) > table.leastCost + Self.goodEnough {
            let free = PlacementSearch(costs, placing: indices, table).best(from: inLines?.centers)
            if let free, free.cost < best?.cost ?? .infinity { best = free }
        }
        guard let best, best.cost < .infinity else {
            throw error(at: indices.max { costs.items[$0].radius < costs.items[$1].radius } ?? 0)
        }
        var placed = scene
        for index in indices { placed.loupes[index].center = best.centers[index] }
        return Placement(scene: placed, isClean: costs.isClean(best.centers), cost: best.cost)
    }

    /// How much more rows and columns may cost than each loupe by itself, before other arrangements are tried.
    private static let goodEnough = 0.5

    /// How much of the canvas shows nothing that a loupe would cover, 0 … 1.
    package var freePart: Double {
        let canvas = Rect(x: 0, y: 0, width: Double(scene.canvas.width), height: Double(scene.canvas.height))
        return (content?.freeArea(on: canvas)).map { $0 / (canvas.width * canvas.height) } ?? 1
    }

    private var content: PlacementContent? {
        guard let contrast, let page = scene.layers.first?.rect else { return nil }
        return PlacementContent(contrast, on: page)
    }

    private func error(at index: Int) -> PlacementError { PlacementError(index: index, of: scene) }
}

/// Loupes in their places.
public struct Placement: Sendable {
    /// With the loupes in their places.
    public let scene: Scene
    /// Whether no placed loupe covers anything on the page, none is nearer to another than half a radius, and no
    /// connector crosses another or runs under a loupe.
    public let isClean: Bool
    /// For comparison with other placements of the same loupes; less is better.
    package let cost: Double
}

// MARK: - Beside the page

extension LoupePlacer {
    /// The scene with its canvas widened on one side of the page, and some of its loupes there, in one row or column where
    /// they fit in one. Of the four sides it is that which needs the fewest pixels, unless only another one keeps
    /// connectors from crossing. What was on the canvas keeps its place beside the page.
    /// - Throws: `PlacementError` where loupes are longer than the page's sides.
    public func placementBeside(_ indices: [Int]) throws(PlacementError) -> Placement {
        let plans = CanvasSide.allCases.compactMap { extended(at: $0, for: indices) }
        var best: Placement?
        for plan in plans.sorted(by: { ($0.pixels, $0.side.rawValue) < ($1.pixels, $1.side.rawValue) }) {
            if let best, best.isClean, best.pixels < plan.pixels { break }
            let placer = LoupePlacer(plan.scene, contrast: contrast)
            guard let found = try? placer.placement(of: indices, within: plan.area) else { continue }
            guard let other = best else {
                best = found
                continue
            }
            if found.isClean != other.isClean ? found.isClean : found.cost < other.cost { best = found }
        }
        guard let best else { throw error(at: indices.first ?? 0) }
        return best
    }

    private struct Extension {
        let side: CanvasSide
        let scene: Scene
        /// Beside the page, in canvas pixels of that scene.
        let area: Rect
        var pixels: Int { scene.canvas.width * scene.canvas.height }
    }

    /// The distances of loupes from the page, and from the canvas's edge, in radii of the largest one.
    private static let (pageGap, outerGap) = (0.5, 0.25)

    /// Nil where the loupes do not fit on that side, however wide it is.
    private func extended(at side: CanvasSide, for indices: [Int]) -> Extension? {
        let bodies = indices.map { PlacementBody(scene.loupes[$0]) }
        func size(_ body: PlacementBody, along isRow: Bool) -> Double {
            2 * (isRow ? body.halfSides.dx : body.halfSides.dy)
        }
        let radius = bodies.map { min($0.halfSides.dx, $0.halfSides.dy) }.max() ?? 0
        let (width, height) = (Double(scene.canvas.width), Double(scene.canvas.height))
        let isRow = side == .below || side == .above
        let length = isRow ? width : height
        let lengths = bodies.map { size($0, along: isRow) }.sorted(by: >)
        guard let longest = lengths.first, longest <= length else { return nil }
        let gap = PlacementCosts.gap * radius
        func fits(in lanes: Int) -> Bool {
            let members = lengths.prefix((lengths.count + lanes - 1) / lanes)
            return members.reduce(0, +) + Double(members.count - 1) * gap <= length
        }
        let lanes = Double((1...lengths.count).first(where: fits) ?? lengths.count)
        let thickness = (bodies.map { size($0, along: !isRow) }.max() ?? 0) * lanes + (lanes - 1) * gap
        let (inner, outer) = ((Self.pageGap * radius).rounded(), (Self.outerGap * radius).rounded())
        let page = scene.pageBounds ?? Rect(x: 0, y: 0, width: width, height: height)
        let room =
            switch side {
            case .right: width - page.maxX
            case .below: height - page.maxY
            case .left: page.minX
            case .above: page.minY
            }
        let extra = Int(max(0, inner + thickness + outer - room).rounded(.up))
        let widened = scene.widened(by: extra, at: side)
        guard Scene.Canvas.sideRange.contains(widened.canvas.width),
            Scene.Canvas.sideRange.contains(widened.canvas.height)
        else { return nil }
        let (moved, all) = (widened.pageBounds ?? page, widened.canvas)
        let (right, bottom) = (Double(all.width), Double(all.height))
        let (from, to) =
            switch side {
            case .right: (Point(x: moved.maxX + inner, y: 0), Point(x: right - outer, y: bottom))
            case .below: (Point(x: 0, y: moved.maxY + inner), Point(x: right, y: bottom - outer))
            case .left: (Point(x: outer, y: 0), Point(x: moved.minX - inner, y: bottom))
            case .above: (Point(x: 0, y: outer), Point(x: right, y: moved.minY - inner))
            }
        return Extension(
            side: side, scene: widened,
            area: Rect(x: from.x, y: from.y, width: max(0, to.x - from.x), height: max(0, to.y - from.y)))
    }
}

extension LoupePlacer {
    /// The radius of discs of which so many fit in a line of a length, with gaps between them, in whole pixels.
    package static func radius(ofDiscs count: Int, inLineOf length: Double) -> Double {
        // As much as a gap is left at the ends together.
        (length / (Double(count) * (2 + PlacementCosts.gap))).rounded(.down)
    }
}

extension Placement {
    fileprivate var pixels: Int { scene.canvas.width * scene.canvas.height }
}

/// A side of the canvas, in the order in which they are preferred.
enum CanvasSide: Int, CaseIterable {
    case right, below, left, above
}

extension Scene {
    /// The scene with more canvas at each side, in pixels. Layers and loupes keep their places beside each other.
    package func widened(by pixels: Int) -> Scene {
        CanvasSide.allCases.reduce(self) { $0.widened(by: pixels, at: $1) }
    }

    /// The scene with more canvas at one side, in pixels. Layers and loupes keep their places beside each other.
    func widened(by pixels: Int, at side: CanvasSide) -> Scene {
        var scene = self
        switch side {
        case .right, .left: scene.canvas.width += pixels
        case .below, .above: scene.canvas.height += pixels
        }
        let offset = Vector(dx: side == .left ? Double(pixels) : 0, dy: side == .above ? Double(pixels) : 0)
        for index in scene.layers.indices {
            scene.layers[index].rect = scene.layers[index].rect.offset(by: offset)
            scene.layers[index].crop = scene.layers[index].crop?.offset(by: offset)
            for stroke in scene.layers[index].strokes.indices {
                scene.layers[index].strokes[stroke].points = scene.layers[index].strokes[stroke].points.map {
                    $0 + offset
                }
            }
        }
        for index in scene.loupes.indices {
            scene.loupes[index].center = scene.loupes[index].center + offset
            scene.loupes[index].focus = scene.loupes[index].focus + offset
        }
        return scene
    }
}

/// There is no room for a loupe.
public struct PlacementError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In `Scene.loupes`, from 0.
    public let index: Int
    /// The radius of the circle about the loupe, in canvas pixels.
    public let radius: Double
    /// The width of the canvas, in pixels.
    public let width: Int
    /// The height of the canvas, in pixels.
    public let height: Int

    /// - Parameter index: of a loupe of the scene.
    package init(index: Int, of scene: Scene) {
        (self.index, radius) = (index, scene.loupes[index].outerRadius)
        (width, height) = (scene.canvas.width, scene.canvas.height)
    }

    /// The loupe, its size, and the canvas.
    public var description: String {
        "no room for loupe \(index) of radius \(((radius * 100).rounded() / 100).jsonText) on a canvas of \(width)×\(height), where it would hide "
            + "neither a source nor a loupe"
    }
}
