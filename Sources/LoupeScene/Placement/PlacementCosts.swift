import LoupeGeometry

/// How bad it is to put loupes at some points: what a placement makes small.
struct PlacementCosts {
    /// What a fault costs. The numbers are empirical: chosen so that figures of plots, interfaces and photographs with one
    /// to eight loupes look as if they were made by hand. A loupe over a line of text is worth a way across the page.
    enum Weight {
        /// Covering anything, and for each unit of the mean contrast that is covered.
        static let covering = (some: 1.0, mean: 40.0)
        /// The same contrast just outside the border.
        static let besideContent = 10.0
        /// A way as long as the canvas's diagonal.
        static let distance = 3.0
        /// Lying against its own source, and against another one.
        static let nearOwnSource = 2.0
        static let nearSource = 1.0
        /// Lying against the canvas's edge.
        static let nearEdge = 1.5
        /// A connector that runs the canvas's diagonal over full contrast.
        static let connectorOverContent = 4.0
        /// A connector over the ring of another loupe.
        static let connectorOverSource = 3.0
        /// Two connectors that cross: any, and for each crossing of their sides; a loupe over another one's connector.
        static let crossing = (some: 4.0, each: 1.0)
        static let hiddenConnector = 4.0
        /// Loupes nearer than half a radius: any, and for touching.
        static let near = (some: 3.0, touching: 6.0)
        /// Each row or column more than one that the loupes take; two loupes of which one lies partly above or
        /// beside the other; unequal gaps.
        static let line = 1.0
        static let ragged = 1.5
        static let unevenGaps = 1.5
    }

    /// The distance to keep between loupes, in radii of the larger one.
    static let gap = 0.5
    /// The distance to keep from the canvas's edge and from content, in radii.
    static let edgeGap = 0.2
    static let contentGap = 0.2
    /// How far across, in radii, loupes are that could well be in line.
    static let ragged = 1.9
    /// The mean contrast that counts as covering something: a few cells with faint lines are less.
    static let leastCovering = 0.001

    /// A loupe, whether it is to be placed or not.
    struct Item {
        let body: PlacementBody
        let source: PlacementBody
        let hasConnector: Bool
        /// The width of the connector, where it is one line; nil for tangents.
        let connectorWidth: Double?
        let isFixed: Bool

        /// Half the size of its shorter side, in canvas pixels.
        var radius: Double { min(body.halfSides.dx, body.halfSides.dy) }
    }

    let items: [Item]
    /// Where loupes may lie, in canvas pixels.
    let area: Rect
    private let canvas: Rect
    private let content: PlacementContent?
    private let diagonal: Double
    private let known: Memo

    /// What is known of single loupes, as a search returns to the same centres many times.
    private final class Memo {
        /// By loupe.
        var alone: [[Point: Double]]

        init(count: Int) { alone = Array(repeating: [:], count: count) }
    }

    /// - Parameter indices: the loupes that are to be placed.
    init(_ scene: Scene, placing indices: [Int], content: PlacementContent?) {
        items = scene.loupes.enumerated().map { index, loupe in
            let connector = loupe.callout?.connector
            return Item(
                body: PlacementBody(loupe), source: PlacementBody(sourceOf: loupe, in: scene),
                hasConnector: connector != nil, connectorWidth: connector == nil ? 0 : connector?.shape.lineWidth,
                isFixed: !indices.contains(index))
        }
        canvas = Rect(x: 0, y: 0, width: Double(scene.canvas.width), height: Double(scene.canvas.height))
        area = canvas
        self.content = content
        known = Memo(count: items.count)
        diagonal = Vector(dx: canvas.width, dy: canvas.height).length
    }

    func strip(_ index: Int, _ center: Point) -> PlacementStrip? {
        let item = items[index]
        return PlacementStrip(from: item.source, to: item.body.at(center), width: item.connectorWidth)
    }

    // MARK: - One loupe

    /// The mean contrast of what a loupe covers, but for paper, 0 … 1.
    func covered(_ index: Int, _ center: Point) -> Double {
        content?.mean(under: items[index].body.at(center)).busy ?? 0
    }

    /// What of the page a loupe covers, and what it lies against.
    func content(_ index: Int, _ center: Point) -> Double {
        guard let content else { return 0 }
        let (item, body) = (items[index], items[index].body.at(center))
        let (mean, beside) = content.means(under: body, widenedBy: Self.contentGap * item.radius)
        return (mean.busy > Self.leastCovering ? Weight.covering.some : 0) + Weight.covering.mean * mean.all
            + Weight.besideContent * beside
    }

    /// What a loupe costs by itself; infinite where it may not lie: beyond the area, or on a source or a loupe that stays.
    func alone(_ index: Int, _ center: Point) -> Double {
        if let cost = known.alone[index][center] { return cost }
        let cost = alone(index, center, content: nil)
        known.alone[index][center] = cost
        return cost
    }

    /// The same, for a centre that is looked at once.
    /// - Parameter known: what ``content(_:_:)`` returns for it, where that is known.
    func alone(_ index: Int, _ center: Point, content known: Double?) -> Double {
        let (item, body) = (items[index], items[index].body.at(center))
        let half = body.halfSides
        // Centres may be a rounding error outside.
        let slack = 1e-6
        guard center.x - half.dx >= area.minX - slack, center.x + half.dx <= area.maxX + slack,
            center.y - half.dy >= area.minY - slack, center.y + half.dy <= area.maxY + slack
        else { return .infinity }
        var cost = 0.0
        for (other, another) in items.enumerated() {
            let distance = body.distance(to: another.source)
            guard distance >= 0 else { return .infinity }
            let wanted = (other == index ? Self.gap : Self.gap / 2) * item.radius
            if distance < wanted {
                let weight = other == index ? Weight.nearOwnSource : Weight.nearSource
                cost += weight * (1 - distance / wanted)
            }
            if another.isFixed, other != index {
                guard body.distance(to: another.body) >= 0 else { return .infinity }
            }
        }
        cost += Weight.distance * max(0, body.distance(to: item.source)) / diagonal
        let edge = min(
            center.x - half.dx - canvas.minX, canvas.maxX - center.x - half.dx, center.y - half.dy - canvas.minY,
            canvas.maxY - center.y - half.dy)
        let wanted = Self.edgeGap * item.radius
        if edge < wanted { cost += Weight.nearEdge * (1 - edge / wanted) }
        cost += known ?? content(index, center)
        if let strip = strip(index, center) { cost += self.cost(of: strip, index) }
        for (other, another) in items.enumerated() where another.isFixed && other != index {
            let place = another.body.center
            cost += pair(index, center, strip(index, center), other, place, strip(other, place))
        }
        return cost
    }

    /// What a connector runs over: the page, and the rings of others.
    private func cost(of strip: PlacementStrip, _ index: Int) -> Double {
        guard items[index].hasConnector else { return 0 }
        var cost = 0.0
        for (other, another) in items.enumerated() where other != index && strip.meets(another.source) {
            cost += Weight.connectorOverSource
        }
        if let content {
            let samples = 12
            var sum = 0.0
            for sample in 0..<samples {
                sum += content.value(at: strip.point(at: (Double(sample) + 0.5) / Double(samples)))
            }
            cost += Weight.connectorOverContent * sum / Double(samples) * strip.length / diagonal
        }
        return cost
    }

    // MARK: - Several loupes

    /// What two loupes cost together; infinite where they overlap.
    func pair(
        _ a: Int, _ first: Point, _ firstStrip: PlacementStrip?, _ b: Int, _ second: Point,
        _ secondStrip: PlacementStrip?
    ) -> Double {
        let (body, other) = (items[a].body.at(first), items[b].body.at(second))
        let distance = body.distance(to: other)
        guard distance >= 0 else { return .infinity }
        var cost = 0.0
        let wanted = Self.gap * max(items[a].radius, items[b].radius)
        if distance < wanted - 1e-6 { cost += Weight.near.some + Weight.near.touching * (1 - distance / wanted) }
        if items[a].hasConnector, firstStrip?.meets(other) == true { cost += Weight.hiddenConnector }
        if items[b].hasConnector, secondStrip?.meets(body) == true { cost += Weight.hiddenConnector }
        if let firstStrip, let secondStrip {
            let crossings = firstStrip.crossings(with: secondStrip)
            // Where no lines are drawn, the reader's eye draws them.
            let weight = items[a].hasConnector && items[b].hasConnector ? 1.0 : 0.25
            if crossings > 0 { cost += weight * (Weight.crossing.some + Weight.crossing.each * Double(crossings)) }
        }
        return cost
    }

    /// What a whole placement costs.
    /// - Parameters:
    ///   - centers: of all loupes.
    ///   - limit: beyond which the sum is of no interest.
    func total(_ centers: [Point], below limit: Double = .infinity) -> Double {
        var cost = 0.0
        for index in items.indices where !items[index].isFixed {
            cost += alone(index, centers[index])
            guard cost < limit else { return cost }
        }
        let strips = items.indices.map { strip($0, centers[$0]) }
        for first in items.indices where !items[first].isFixed {
            for second in 0..<first where !items[second].isFixed {
                cost += pair(first, centers[first], strips[first], second, centers[second], strips[second])
                guard cost < limit else { return cost }
            }
        }
        return cost + order(of: centers)
    }

    /// Whether a placement has none of the faults that `Placement.isClean` names.
    func isClean(_ centers: [Point]) -> Bool {
        let strips = items.indices.map { strip($0, centers[$0]) }
        return items.indices.allSatisfy { index in
            guard !items[index].isFixed else { return true }
            guard covered(index, centers[index]) <= Self.leastCovering else { return false }
            return items.indices.allSatisfy { other in
                if other == index || (other > index && !items[other].isFixed) { return true }
                let cost = pair(
                    index, centers[index], strips[index], other, centers[other], strips[other])
                return cost < min(Weight.near.some, Weight.hiddenConnector, Weight.crossing.some)
            }
        }
    }

    /// What a placement costs for its lack of order: loupes that are almost in line, many lines, unequal gaps.
    func order(of centers: [Point]) -> Double {
        let moved = items.indices.filter { !items[$0].isFixed }
        guard moved.count > 1 else { return 0 }
        var cost = 0.0
        for (position, first) in moved.enumerated() {
            for second in moved[..<position] {
                let offset = centers[first] - centers[second]
                let least = min(abs(offset.dx), abs(offset.dy)) / ((items[first].radius + items[second].radius) / 2)
                if least > 0.005, least < Self.ragged { cost += Weight.ragged }
            }
        }
        // The fewest lines, each time the one with the most loupes that are in none.
        var left = moved
        var lines = 0
        while !left.isEmpty {
            var best: (members: [Int], isRow: Bool) = ([], true)
            for index in left {
                for isRow in [true, false] {
                    let members = left.filter {
                        let offset = centers[$0] - centers[index]
                        return abs(isRow ? offset.dy : offset.dx) <= 0.5
                    }
                    if members.count > best.members.count { best = (members, isRow) }
                }
            }
            lines += 1
            if best.members.count > 2 { cost += unevenness(of: best.members, isRow: best.isRow, centers) }
            left.removeAll { best.members.contains($0) }
        }
        return cost + Weight.line * Double(lines - 1)
    }

    private func unevenness(of members: [Int], isRow: Bool, _ centers: [Point]) -> Double {
        func along(_ index: Int) -> (middle: Double, half: Double) {
            let half = items[index].body.halfSides
            return isRow ? (centers[index].x, half.dx) : (centers[index].y, half.dy)
        }
        let sorted = members.map(along).sorted { $0.middle < $1.middle }
        let gaps = zip(sorted, sorted.dropFirst()).map { $1.middle - $1.half - $0.middle - $0.half }
        guard let least = gaps.min(), let most = gaps.max(), most - least > 1 else { return 0 }
        return Weight.unevenGaps * (0.3 + 0.7 * (most - least) / most)
    }
}

extension Connector.Shape {
    /// The width of an arrow; nil for what lies on the tangents.
    fileprivate var lineWidth: Double? {
        if case .arrow(let width) = self { width } else { nil }
    }
}
