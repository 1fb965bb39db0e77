import LoupeBase

/// Finds centres for loupes that have none, as a person would who arranges a figure.
///
/// No placed loupe leaves the canvas, covers a source with its ring, or overlaps another loupe. Beyond that, places are
/// weighed: what of the page a loupe covers, by its contrast; connectors that cross, or run over rings; distance; loupes
/// that are nearer to each other than half a radius; loupes that are not in line, or have unequal gaps. A row, a column
/// and each loupe by itself are three starts of equal rank: the cheapest result is used. The result is deterministic.
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
        guard !indices.isEmpty else {
            return Placement(scene: scene, covered: 0, isTangled: false, isScattered: false, cost: 0)
        }
        let costs = PlacementCosts(scene, placing: indices, content: content)
        let search = PlacementSearch(costs, placing: indices)
        for index in indices where !search.hasRoom(for: index) { throw error(at: index) }
        let best = search.best()
        guard let best, best.cost < .infinity else {
            throw error(at: indices.max { costs.items[$0].radius < costs.items[$1].radius } ?? 0)
        }
        var placed = scene
        for index in indices { placed.loupes[index].center = best.centers[index] }
        return Placement(
            scene: placed, covered: costs.covered(best.centers),
            isTangled: costs.hasTangledConnectors(best.centers),
            isScattered: indices.count > 2 && costs.order(of: best.centers, countsGaps: false) > 0, cost: best.cost)
    }

    private var content: PlacementContent? {
        guard let contrast, let page = scene.layers.first?.rect else { return nil }
        return PlacementContent(contrast, on: page)
    }

    /// Whether the connector of each loupe is one that needs no letters: shorter than a third of the canvas's longer side,
    /// hardly over text and data, and neither under a loupe, across another one nor over its ring.
    package func hasClearConnectors() -> Bool {
        guard !hasTangledConnectors() else { return false }
        let costs = PlacementCosts(scene, placing: [], content: content)
        return costs.connectors(of: scene).allSatisfy { length, content in
            3 * length <= max(costs.canvas.width, costs.canvas.height) && content < 0.02
        }
    }

    /// Whether a connector crosses another one, runs under a loupe or over another one's ring.
    package func hasTangledConnectors() -> Bool {
        PlacementCosts(scene, placing: [], content: nil).hasTangledConnectors(scene.loupes.map { $0.center })
    }

    /// How much text and data the connectors run over: the mean contrast under each times its length, in diagonals of the
    /// canvas, in all.
    package func contentUnderConnectors() -> Double {
        let costs = PlacementCosts(scene, placing: [], content: content)
        return costs.connectors(of: scene).reduce(0) { $0 + $1.content * $1.length / costs.diagonal }
    }

    private func error(at index: Int) -> PlacementError { PlacementError(index: index, of: scene) }
}

/// Loupes in their places.
public struct Placement: Sendable {
    /// With the loupes in their places.
    public let scene: Scene
    /// Whether no placed loupe covers or all but touches anything on the page, and no connector is tangled.
    public var isClean: Bool { covered <= PlacementCosts.leastCovering && !isTangled }
    /// The largest part of a placed loupe, a little larger, that covers text and data, 0 … 1.
    package let covered: Double
    /// Whether a connector crosses another one, runs under a loupe, or as one line over another one's ring.
    package let isTangled: Bool
    /// Whether there are more than two placed loupes, and one of them is in line with no other, or almost.
    package let isScattered: Bool
    /// For comparison with other placements of the same loupes; less is better.
    package let cost: Double
}

/// A side of the canvas, in the order in which they are preferred.
package enum CanvasSide: Int, CaseIterable {
    case right, below, left, above

    /// Whether it is a horizontal one.
    package var isLevel: Bool { self == .below || self == .above }

    /// The side across from it.
    package var opposite: CanvasSide { CanvasSide.allCases[(rawValue + 2) % 4] }
}

extension Scene {
    /// The scene with more canvas at one side, in pixels. Layers and loupes keep their places beside each other.
    package func widened(by pixels: Int, at side: CanvasSide) -> Scene {
        var scene = self
        switch side {
        case .right, .left: scene.canvas.width += pixels
        case .below, .above: scene.canvas.height += pixels
        }
        let offset = Vector(dx: side == .left ? Double(pixels) : 0, dy: side == .above ? Double(pixels) : 0)
        scene.layers = scene.layers.map { $0.moved(by: offset) }
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
        "no room for loupe \(index) of radius \(radius.hundredths) on a canvas of \(width)×\(height), where it would hide "
            + "neither a source nor a loupe"
    }
}
