import LoupeGeometry
import LoupeJSON

/// Finds places for loupes where they hide neither what any loupe shows nor each other.
///
/// A loupe to be placed lies wholly on the canvas, and as near as can be to a pleasant distance from its own source. The
/// larger ones are placed first; where that leaves no room for a later one, other places are tried. The same scene has
/// the same places everywhere. A rectangle and what it shows count as the circles that they lie in.
public struct LoupePlacer {
    private let scene: Scene
    /// What must stay in sight: every loupe's source, its ring included.
    private let sources: [Circle]

    public init(_ scene: Scene) {
        self.scene = scene
        sources = scene.loupes.map { loupe in
            Circle(
                center: scene.shownFocus(of: loupe),
                radius: loupe.outerRadius / loupe.zoom + (loupe.callout?.ring?.width ?? 0))
        }
    }

    /// The scene with some of its loupes moved, in whatever order they are named; the others stay.
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

    /// How much is left free between circles, in canvas pixels: as much as there is room for.
    private static let gaps = [12.0, 4, 0]
    /// Of the places along each side of the canvas.
    private static let placesEachWay = 49
    /// What is left between a loupe and its own source where there is room, in radii of the loupe.
    private static let pleasantGap = 0.6

    /// Centres from which the whole disc lies on the canvas, the most pleasant first.
    private func candidates(for index: Int) -> [Point] {
        let radius = scene.loupes[index].outerRadius
        let columns = Self.places(from: radius, to: Double(scene.canvas.width) - radius)
        let rows = Self.places(from: radius, to: Double(scene.canvas.height) - radius)
        let pleasant = radius * (1 + Self.pleasantGap) + sources[index].radius
        let all = rows.flatMap { y in columns.map { Point(x: $0, y: y) } }
        return all.map { (cost: abs($0.distance(to: sources[index].center) - pleasant), place: $0) }
            .sorted { ($0.cost, $0.place.y, $0.place.x) < ($1.cost, $1.place.y, $1.place.x) }
            .map { $0.place }
    }

    private static func places(from low: Double, to high: Double) -> [Double] {
        guard high >= low else { return [] }
        let step = (high - low) / Double(placesEachWay - 1)
        return step == 0 ? [low] : (0..<placesEachWay).map { low + Double($0) * step }
    }

    /// Those from which nothing that stands already is hidden.
    private func free(_ places: [Point], for index: Int, beside fixed: [Circle], gap: Double) -> [Point] {
        places.filter { place in
            (sources + fixed).allSatisfy { disc(index, at: place).isApart(from: $0, by: gap) }
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

    /// Takes the first place for each in turn that all before it leave free, going back where there is none.
    private struct Search {
        let choices: [[Point]]
        let gap: Double
        let radii: [Double]
        /// How many places may be looked at before this gives up.
        private var budget = 2_000_000

        init(choices: [[Point]], gap: Double, radii: [Double]) {
            (self.choices, self.gap, self.radii) = (choices, gap, radii)
        }

        mutating func run(after placed: [Circle] = []) -> [Point]? {
            let index = placed.count
            guard index < choices.count else { return placed.map { $0.center } }
            for place in choices[index] {
                budget -= 1
                guard budget > 0 else { return nil }
                let disc = Circle(center: place, radius: radii[index])
                guard placed.allSatisfy({ disc.isApart(from: $0, by: gap) }) else { continue }
                if let found = run(after: placed + [disc]) { return found }
            }
            return nil
        }
    }
}

/// Why there is no place for a loupe.
public struct PlacementError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In `Scene.loupes`, from 0.
    public let index: Int
    public let radius: Double
    /// Of the canvas, in pixels.
    public let width: Int
    public let height: Int

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
