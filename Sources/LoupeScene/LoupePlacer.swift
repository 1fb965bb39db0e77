import LoupeGeometry
import LoupeJSON

/// Finds centres for loupes so that they cover neither each other nor any loupe's source.
///
/// A placed loupe lies wholly on the canvas, as near as possible to a preferred distance from its own source. Larger
/// loupes are placed first; where no room is left for a later one, other centres are tried (backtracking). The result is
/// deterministic. A rectangle and its source are treated as the circles around them.
public struct LoupePlacer {
    private let scene: Scene
    /// What must stay visible: every loupe's source with its ring.
    private let sources: [Circle]

    /// A placer of the loupes of a scene.
    public init(_ scene: Scene) {
        self.scene = scene
        sources = scene.loupes.map { loupe in
            Circle(
                center: scene.shownFocus(of: loupe),
                radius: loupe.outerRadius / loupe.zoom + (loupe.callout?.ring?.reach ?? 0))
        }
    }

    /// The scene with some of its loupes moved; the order of the indices does not matter.
    public func placing(_ indices: [Int]) throws(PlacementError) -> Scene {
        for index in indices where candidates(for: index).isEmpty { throw error(at: index) }
        let order = indices.sorted { (-scene.loupes[$0].outerRadius, $0) < (-scene.loupes[$1].outerRadius, $1) }
        let fixed = scene.loupes.indices.filter { !indices.contains($0) }.map { disc($0, at: scene.loupes[$0].center) }
        for gap in Self.gaps {
            let choices = order.map { free(candidates(for: $0), for: $0, beside: fixed, gap: gap) }
            var search = Search(choices: choices, gap: gap, radii: order.map { scene.loupes[$0].outerRadius })
            guard let centers = search.run() else { continue }
            var placed = scene
            for (index, center) in zip(order, centers) { placed.loupes[index].center = center }
            return placed
        }
        throw error(at: order.last ?? 0)
    }

    /// Distances to keep between circles, in canvas pixels. The largest for which there is room is used.
    private static let gaps = [12.0, 4, 0]
    /// How many candidates there are along each side of the canvas.
    private static let candidatesPerSide = 49
    /// The preferred distance between a loupe and its own source, in radii of the loupe.
    private static let preferredGap = 0.6

    /// Centres for which the whole disc lies on the canvas, the best first.
    private func candidates(for index: Int) -> [Point] {
        let radius = scene.loupes[index].outerRadius
        let columns = Self.candidates(from: radius, to: Double(scene.canvas.width) - radius)
        let rows = Self.candidates(from: radius, to: Double(scene.canvas.height) - radius)
        let preferred = radius * (1 + Self.preferredGap) + sources[index].radius
        let all = rows.flatMap { y in columns.map { Point(x: $0, y: y) } }
        return all.map { (cost: abs($0.distance(to: sources[index].center) - preferred), center: $0) }
            .sorted { ($0.cost, $0.center.y, $0.center.x) < ($1.cost, $1.center.y, $1.center.x) }
            .map { $0.center }
    }

    private static func candidates(from low: Double, to high: Double) -> [Double] {
        guard high >= low else { return [] }
        let step = (high - low) / Double(candidatesPerSide - 1)
        return step == 0 ? [low] : (0..<candidatesPerSide).map { low + Double($0) * step }
    }

    /// The centres from which neither a source nor a fixed loupe is covered.
    private func free(_ centers: [Point], for index: Int, beside fixed: [Circle], gap: Double) -> [Point] {
        centers.filter { center in
            (sources + fixed).allSatisfy { disc(index, at: center).isApart(from: $0, by: gap) }
        }
    }

    private func disc(_ index: Int, at center: Point) -> Circle {
        Circle(center: center, radius: scene.loupes[index].outerRadius)
    }

    private func error(at index: Int) -> PlacementError {
        PlacementError(
            index: index, radius: scene.loupes[index].outerRadius, width: scene.canvas.width,
            height: scene.canvas.height)
    }

    /// Depth-first search: takes for each loupe the first centre that the ones before it leave free, and backtracks where
    /// there is none.
    private struct Search {
        let choices: [[Point]]
        let gap: Double
        let radii: [Double]
        /// How many centres may be tried before the search gives up.
        private var budget = 2_000_000

        init(choices: [[Point]], gap: Double, radii: [Double]) {
            (self.choices, self.gap, self.radii) = (choices, gap, radii)
        }

        mutating func run(after placed: [Circle] = []) -> [Point]? {
            let index = placed.count
            guard index < choices.count else { return placed.map { $0.center } }
            for center in choices[index] {
                budget -= 1
                guard budget > 0 else { return nil }
                let disc = Circle(center: center, radius: radii[index])
                guard placed.allSatisfy({ disc.isApart(from: $0, by: gap) }) else { continue }
                if let found = run(after: placed + [disc]) { return found }
            }
            return nil
        }
    }
}

/// There is no room for a loupe.
public struct PlacementError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In `Scene.loupes`, from 0.
    public let index: Int
    /// Of the circle about the loupe, in canvas pixels.
    public let radius: Double
    /// Of the canvas, in pixels.
    public let width: Int
    /// Of the canvas, in pixels.
    public let height: Int

    /// The loupe, its size, the canvas, and what to change.
    public var description: String {
        "no room for loupe \(index) of radius \(radius.jsonText) on a canvas of \(width)×\(height), where it would hide "
            + "neither a source nor a loupe; make it smaller, or the canvas larger"
    }
}

extension Circle {
    fileprivate func isApart(from other: Circle, by gap: Double) -> Bool {
        center.distance(to: other.center) >= radius + other.radius + gap
    }
}
