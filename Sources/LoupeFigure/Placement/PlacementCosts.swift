import LoupeBase
import LoupeScene

/// The costs of putting loupes at some points, which a placement makes small.
struct PlacementCosts {
    /// The cost of each fault. The numbers are empirical: chosen so that figures of plots, interfaces and photographs
    /// with one to eight loupes look as if they were made by hand. A loupe over a line of text is worth a way across
    /// the page.
    enum Weight {
        /// Covering anything, and for each unit of the mean contrast that is covered.
        static let covering = (some: 2.5, mean: 40.0)
        /// The same contrast just outside the border.
        static let besideContent = 10.0
        /// A way as long as the canvas's diagonal.
        static let distance = 3.0
        /// Lying against its own source, and against another one.
        static let nearOwnSource = 4.0
        static let nearSource = 1.0
        /// Lying against the canvas's edge.
        static let nearEdge = 6.0
        /// A connector that runs a radius over full contrast.
        static let connectorOverContent = 2.0
        /// A connector over the ring of another loupe.
        static let connectorOverSource = 3.0
        /// Two connectors that cross; a loupe over another one's connector.
        static let crossing = 6.0
        static let hiddenConnector = 4.0
        /// Loupes nearer than half a radius: any, and for touching.
        static let near = (some: 3.0, touching: 6.0)
        /// A loupe that is in line with no other; two of which one lies partly above or beside the other; unequal gaps.
        static let outOfLine = 1.0
        static let ragged = 1.5
        static let unevenGaps = 1.5
    }

    /// The distance to keep between loupes, in radii of the larger one.
    static let gap = 0.5
    /// The distance to keep from the canvas's edge and from content, in radii.
    static let edgeGap = 0.2
    static let contentGap = 0.2
    /// What is nearer to a loupe than this, in radii, counts as covered.
    static let clearance = 0.1
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

    /// A loupe at a centre. Its strip is nil where there is no room for a connector.
    struct PlacedItem {
        let index: Int
        let body: PlacementBody
        let strip: PlacementStrip?
    }

    let items: [Item]
    /// Those of the loupes that are to be placed.
    private let moved: [Int]
    let canvas: Rect
    private let content: PlacementContent?
    /// The page, where loupes have to lie in even areas of it; nil where they may lie anywhere on the canvas.
    private let even: Rect?
    /// Of the canvas.
    private let diagonal: Double

    /// - Parameters:
    ///   - indices: the loupes that are to be placed.
    ///   - even: the page, where each loupe has to lie in an even area of it.
    init(_ scene: Scene, placing indices: [Int], content: PlacementContent?, evenIn even: Rect? = nil) {
        items = scene.loupes.enumerated().map { index, loupe in
            let connector = loupe.callout?.connector
            return Item(
                body: PlacementBody(loupe), source: PlacementBody(sourceOf: loupe, in: scene),
                hasConnector: connector != nil, connectorWidth: connector == nil ? 0 : connector?.shape.lineWidth,
                isFixed: !indices.contains(index))
        }
        moved = items.indices.filter(indices.contains)
        canvas = scene.canvas.rect
        (self.content, self.even) = (content, even)
        diagonal = Vector(dx: canvas.width, dy: canvas.height).length
    }

    func placed(_ index: Int, at center: Point) -> PlacedItem {
        let (item, body) = (items[index], items[index].body.at(center))
        let strip = PlacementStrip(from: item.source, to: body, width: item.connectorWidth)
        return PlacedItem(index: index, body: body, strip: strip)
    }

    // MARK: - One loupe

    /// What of the page a loupe covers, and what it lies against.
    func content(_ index: Int, _ center: Point) -> Double {
        guard let content else { return 0 }
        let (item, body) = (items[index], items[index].body.at(center))
        if let even {
            let (half, around) = (body.halfSides, body.widened(by: Self.clearance * item.radius))
            guard even.contains(center - half), even.contains(center + half),
                content.means(under: around).mean.busy == 0
            else { return .infinity }
        }
        let (mean, beside) = content.means(under: body, widenedBy: Self.contentGap * item.radius)
        return (mean.busy > Self.leastCovering ? Weight.covering.some : 0) + Weight.covering.mean * mean.all
            + Weight.besideContent * beside
    }

    /// What a loupe costs by itself; infinite where it may not lie: beyond the canvas, or on a source or a loupe that stays.
    /// - Parameter known: what ``content(_:_:)`` returns for it, where that is known.
    func alone(_ index: Int, _ center: Point, content known: Double? = nil) -> Double {
        let (item, body) = (items[index], items[index].body.at(center))
        let half = body.halfSides
        let edge = min(
            center.x - half.dx, canvas.maxX - center.x - half.dx, center.y - half.dy, canvas.maxY - center.y - half.dy)
        // Centres may be a rounding error outside.
        guard edge >= -1e-6 else { return .infinity }
        var cost = 0.0
        for (other, another) in items.enumerated() {
            let distance = body.distance(to: another.source)
            guard distance >= 0 else { return .infinity }
            let wanted = (other == index ? Self.gap : Self.gap / 2) * item.radius
            if distance < wanted {
                let weight = other == index ? Weight.nearOwnSource : Weight.nearSource
                cost += weight * (1 - distance / wanted)
            }
            if another.isFixed, other != index, body.distance(to: another.body) < 0 { return .infinity }
        }
        cost += Weight.distance * max(0, body.distance(to: item.source)) / diagonal
        let wanted = Self.edgeGap * item.radius
        if edge < wanted { cost += Weight.nearEdge * (1 - edge / wanted) }
        cost += known ?? content(index, center)
        let placed = placed(index, at: center)
        guard let strip = placed.strip else { return cost }
        if item.hasConnector {
            cost += Weight.connectorOverContent * (content?.mean(along: strip) ?? 0) * strip.length / item.radius
            for (other, another) in items.enumerated() where other != index && strip.meets(another.source) {
                cost += Weight.connectorOverSource
            }
        }
        for (other, another) in items.enumerated() where another.isFixed && other != index {
            cost += pair(placed, self.placed(other, at: another.body.center))
        }
        return cost
    }

    // MARK: - Several loupes

    /// What two loupes cost together; infinite where they overlap.
    func pair(_ first: PlacedItem, _ second: PlacedItem) -> Double {
        let distance = first.body.distance(to: second.body)
        guard distance >= 0 else { return .infinity }
        let (one, other) = (items[first.index], items[second.index])
        var cost = 0.0
        let wanted = Self.gap * max(one.radius, other.radius)
        if distance < wanted - 1e-6 { cost += Weight.near.some + Weight.near.touching * (1 - distance / wanted) }
        if one.hasConnector, first.strip?.meets(second.body) == true { cost += Weight.hiddenConnector }
        if other.hasConnector, second.strip?.meets(first.body) == true { cost += Weight.hiddenConnector }
        if let strip = first.strip, let another = second.strip, strip.crosses(another) {
            // Where no lines are drawn, the reader's eye draws them.
            cost += (one.hasConnector && other.hasConnector ? 1 : 0.25) * Weight.crossing
        }
        return cost
    }

    /// What a whole placement costs.
    /// - Parameters:
    ///   - centers: of all loupes.
    ///   - limit: beyond which the sum is of no interest.
    ///   - known: other centres, and what each loupe costs there by itself, which holds for those that stay.
    func total(
        _ centers: [Point], below limit: Double = .infinity, known: (centers: [Point], alone: [Double])? = nil
    ) -> Double {
        var cost = order(of: centers)
        let placed = moved.map { self.placed($0, at: centers[$0]) }
        for first in placed.indices {
            for second in 0..<first where cost < limit { cost += pair(placed[first], placed[second]) }
        }
        // Last, as it reads the page.
        for index in moved where cost < limit {
            if let known, known.centers[index] == centers[index] {
                cost += known.alone[index]
            } else {
                cost += alone(index, centers[index])
            }
        }
        return cost
    }

    /// What a placement costs for its lack of order: loupes that are in no line, or almost in one, and unequal gaps.
    func order(of centers: [Point], countsGaps: Bool = true) -> Double {
        guard moved.count > 1 else { return 0 }
        var cost = 0.0
        for index in moved {
            var (row, column) = (0, 0)
            for other in moved where other != index {
                let offset = centers[other] - centers[index]
                if abs(offset.dy) <= 0.5 { row += 1 }
                if abs(offset.dx) <= 0.5 { column += 1 }
                let least = min(abs(offset.dx), abs(offset.dy))
                // Counted for each of the two.
                let reach = Self.ragged * (items[index].radius + items[other].radius) / 2
                if least > 0.5, least < reach { cost += Weight.ragged / 2 }
            }
            if row + column == 0 { cost += Weight.outOfLine }
            guard countsGaps else { continue }
            if row > 1 { cost += unevenness(inLineWith: index, isRow: true, centers) / Double(row + 1) }
            if column > 1 { cost += unevenness(inLineWith: index, isRow: false, centers) / Double(column + 1) }
        }
        return cost
    }

    /// What a row or a column costs for its unequal gaps.
    private func unevenness(inLineWith index: Int, isRow: Bool, _ centers: [Point]) -> Double {
        var sides: [(start: Double, end: Double)] = []
        for member in moved {
            let (center, half) = (centers[member], items[member].body.halfSides)
            guard abs(isRow ? center.y - centers[index].y : center.x - centers[index].x) <= 0.5 else { continue }
            sides.append(isRow ? (center.x - half.dx, center.x + half.dx) : (center.y - half.dy, center.y + half.dy))
        }
        sides.sort { $0.start < $1.start }
        let gaps = zip(sides, sides.dropFirst()).map { $1.start - $0.end }
        guard let least = gaps.min(), let most = gaps.max(), most - least > 0.5 else { return 0 }
        return Weight.unevenGaps * (0.3 + 0.7 * (most - least) / most)
    }
}

extension Connector.Shape {
    /// The width of an arrow or a leader; nil for what lies on the tangents.
    var lineWidth: Double? {
        switch self {
        case .arrow(let width), .leader(let width): width
        case .lines, .cone: nil
        }
    }
}
