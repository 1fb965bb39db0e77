import LoupeBase
import LoupeScene

/// Finds centres for loupes that have none, as a person would who arranges a figure.
///
/// No placed loupe leaves the canvas, covers a source with its ring, or overlaps another loupe. Beyond that, places are
/// weighed: what of the page a loupe covers, by its contrast; connectors that cross, or run over rings; distance; loupes
/// that are nearer to each other than half a radius; loupes that are not in line, or have unequal gaps. A row, a column
/// and each loupe by itself are three starts of equal rank: the cheapest result is used. The result is deterministic.
public struct LoupePlacer {
    private let scene: Scene
    private let contrast: ContrastGrid?
    private let isEven: Bool

    /// A placer of the loupes of a scene.
    /// - Parameters:
    ///   - contrast: of the image of the first layer, uncropped; without it, a page counts as empty.
    ///   - isEven: whether each loupe has to lie in an even area of the page: over nothing of it, nor over its edge.
    public init(_ scene: Scene, contrast: ContrastGrid? = nil, isEven: Bool = false) {
        (self.scene, self.contrast, self.isEven) = (scene, contrast, isEven)
    }

    /// The scene with some of its loupes moved; the order of the indices does not matter.
    public func placing(_ indices: [Int]) throws(PlacementError) -> Scene { try placement(of: indices).scene }

    /// The same, and whether the placement has faults.
    public func placement(of indices: [Int]) throws(PlacementError) -> Placement {
        guard !indices.isEmpty else {
            return Placement(scene: scene, isScattered: false)
        }
        let costs = PlacementCosts(
            scene, placing: indices, content: content, evenIn: isEven ? scene.layers.first?.rect : nil)
        let search = PlacementSearch(costs, placing: indices)
        for index in indices where !search.hasRoom(for: index) { throw error(at: index) }
        let best = search.best()
        guard let best, best.cost < .infinity else {
            throw error(at: indices.max { costs.items[$0].radius < costs.items[$1].radius } ?? 0)
        }
        var placed = scene
        for index in indices { placed.loupes[index].center = best.centers[index] }
        return Placement(
            scene: placed,
            isScattered: indices.count > 2 && costs.order(of: best.centers, countsGaps: false) > 0)
    }

    private var content: PlacementContent? {
        guard let contrast, let page = scene.layers.first?.rect else { return nil }
        return PlacementContent(contrast, on: page, faint: isEven ? ContrastGrid.mostOfEven : PlacementContent.faint)
    }

    /// The loupes whose connector runs over nothing but paper: over nothing of the page, no loupe, no ring of another one, and
    /// no connector of a loupe before it.
    func connectorsOverPaper() -> [Int] {
        let bodies = scene.loupes.map { PlacementBody($0) }
        let sources = scene.loupes.map { PlacementBody(sourceOf: $0, in: scene) }
        let strips = scene.loupes.map { PlacementStrip(connectorOf: $0, in: scene) }
        var kept: [Int] = []
        for (index, strip) in strips.enumerated() {
            guard let strip, content?.isPaper(along: strip, from: sources[index]) ?? true else { continue }
            let isHidden = strips.indices.contains { other in
                other != index && (strip.meets(bodies[other]) || strip.meets(sources[other]))
            }
            if !isHidden, !kept.contains(where: { strips[$0].map(strip.crosses) == true }) { kept.append(index) }
        }
        return kept
    }

    private func error(at index: Int) -> PlacementError { PlacementError(index: index, of: scene) }
}

/// Loupes in their places.
public struct Placement: Sendable {
    /// With the loupes in their places.
    public let scene: Scene
    /// Whether there are more than two placed loupes, and one of them is in line with no other, or almost.
    let isScattered: Bool
}

/// A side of the canvas, in the order in which they are preferred.
package enum CanvasSide: Int, CaseIterable {
    case right, below, left, above
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
    /// How a sentence names it.
    private let name: String
    /// The radius of the circle about the loupe, in canvas pixels.
    public let radius: Double
    /// The width of the canvas, in pixels.
    public let width: Int
    /// The height of the canvas, in pixels.
    public let height: Int

    /// - Parameter index: of a loupe of the scene.
    package init(index: Int, of scene: Scene) {
        (self.index, name, radius) = (index, scene.name(ofLoupe: index), scene.loupes[index].outerRadius)
        (width, height) = (scene.canvas.width, scene.canvas.height)
    }

    /// The loupe, its size, and the canvas.
    public var description: String {
        "no room for \(name) of radius \(radius.hundredths) on a canvas of \(width)×\(height), where it would hide "
            + "neither a source nor a loupe"
    }
}
