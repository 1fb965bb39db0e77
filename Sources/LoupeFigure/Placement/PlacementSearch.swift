import LoupeBase
import LoupeScene

/// Finds the cheapest centres for loupes.
///
/// It starts from a row, from a column, and from each loupe by itself. From there it moves single loupes to other points of
/// a grid and exchanges them, for as long as that is cheaper. The best is aligned and moved by whole pixels at last.
struct PlacementSearch {
    private let costs: PlacementCosts
    private let indices: [Int]
    /// By loupe: the points of a grid at which it may lie, by itself, the cheapest first.
    private let points: [[(center: Point, cost: Double)]]

    /// Points along the longer side of the canvas.
    private static let pointsAlong = 49
    /// Gaps between loupes, in radii of the larger one; the largest for which there is room is used.
    private static let gaps = [PlacementCosts.gap, 0.2, 0]
    /// How many points may be tried for a gap before the next one is.
    private static let budget = 50_000
    /// How often every loupe is moved at most.
    private static let rounds = 6
    /// How many positions across and along a row or a column are tried.
    private static let (positions, starts) = (17, 7)

    /// - Parameter indices: the loupes that are to be placed.
    init(_ costs: PlacementCosts, placing indices: [Int]) {
        self.costs = costs
        // The largest first: they fit in the fewest places.
        func key(_ index: Int) -> (Double, Int) { (-costs.items[index].radius, index) }
        self.indices = indices.sorted { key($0) < key($1) }
        let canvas = costs.canvas
        let longer = max(canvas.width, canvas.height)
        func count(_ side: Double) -> Int { max(13, Int(Double(Self.pointsAlong) * side / longer)) }
        let (columns, rows) = (count(canvas.width), count(canvas.height))
        var points = [[(center: Point, cost: Double)]](repeating: [], count: costs.items.count)
        // What loupes cover depends on their shape alone.
        var covered: [(index: Int, costs: [Double])] = []
        for index in indices {
            let body = costs.items[index].body
            let half = body.halfSides
            let (across, down) = (canvas.width - 2 * half.dx, canvas.height - 2 * half.dy)
            guard across >= 0, down >= 0 else { continue }
            let centers = (0..<rows * columns).map { place in
                Point(
                    x: half.dx + Double(place % columns) / Double(columns - 1) * across,
                    y: half.dy + Double(place / columns) / Double(rows - 1) * down)
            }
            let known = covered.first { costs.items[$0.index].body.hasShape(of: body) }?.costs
            let contents = known ?? centers.map { costs.content(index, $0) }
            if known == nil { covered.append((index, contents)) }
            let choices = centers.indices.map { costs.alone(index, centers[$0], content: contents[$0]) }
            let allowed = choices.indices.filter { choices[$0] < .infinity }
            points[index] = allowed.sorted { (choices[$0], $0) < (choices[$1], $1) }.map {
                (centers[$0], choices[$0])
            }
        }
        self.points = points
    }

    /// Whether a loupe fits anywhere: on the canvas, and over no source.
    func hasRoom(for index: Int) -> Bool { !points[index].isEmpty }

    /// The best placement that is found; nil where there is none.
    func best() -> (centers: [Point], cost: Double)? {
        let starts = [free, line(isRow: true), line(isRow: false)].compactMap { $0 }.map(relocated)
        let totals = starts.map { costs.total($0) }
        guard let best = totals.indices.min(by: { totals[$0] < totals[$1] }) else { return nil }
        return refined(starts[best])
    }

    // MARK: - First placements

    /// Each loupe at the cheapest point that larger ones leave free.
    private var free: [Point]? {
        for gap in Self.gaps {
            var budget = Self.budget
            var placed: [PlacementBody] = []
            guard fill(&placed, gap: gap, &budget) else { continue }
            var centers = costs.items.map { $0.body.center }
            for (index, body) in zip(indices, placed) { centers[index] = body.center }
            return centers
        }
        return nil
    }

    /// Depth-first: takes for each loupe the first point that the ones before it leave free, and goes back where there
    /// is none.
    private func fill(_ placed: inout [PlacementBody], gap: Double, _ budget: inout Int) -> Bool {
        guard placed.count < indices.count else { return true }
        let index = indices[placed.count]
        let item = costs.items[index]
        for choice in points[index] {
            budget -= 1
            guard budget > 0 else { return false }
            let body = item.body.at(choice.center)
            let isFree = placed.indices.allSatisfy { other in
                let wanted = gap * max(item.radius, costs.items[indices[other]].radius)
                return body.distance(to: placed[other]) >= wanted
            }
            guard isFree else { continue }
            placed.append(body)
            if fill(&placed, gap: gap, &budget) { return true }
            placed.removeLast()
        }
        return false
    }

    /// The cheapest row or column with equal gaps, in the order of the sources; nil where loupes fit in none.
    private func line(isRow: Bool) -> [Point]? {
        func along(_ vector: Vector) -> Double { isRow ? vector.dx : vector.dy }
        func across(_ vector: Vector) -> Double { isRow ? vector.dy : vector.dx }
        let canvas = Vector(dx: costs.canvas.width, dy: costs.canvas.height)
        func key(_ index: Int) -> (Double, Double, Int) {
            let source = costs.items[index].source.center - Point.zero
            return (along(source), across(source), index)
        }
        let members = indices.sorted { key($0) < key($1) }
        let halves: [Vector] = members.map { costs.items[$0].body.halfSides }
        let reach: Double = halves.map { across($0) }.max() ?? 0
        let sizes: Double = halves.reduce(0) { $0 + 2 * along($1) }
        let spaces = Double(members.count - 1)
        guard spaces > 0, 2 * reach <= across(canvas), sizes <= along(canvas) else { return nil }
        let widest = (along(canvas) - sizes) / spaces
        let radius = members.map { costs.items[$0].radius }.max() ?? 0
        var best: (centers: [Point], cost: Double)?
        for gap in [min(widest, PlacementCosts.gap * radius).rounded(.up), widest.rounded(.down)] {
            let room = max(0, along(canvas) - sizes - spaces * gap)
            for place in 0..<Self.positions * Self.starts {
                let (position, start) = place.quotientAndRemainder(dividingBy: Self.starts)
                let middle = reach + Double(position) / Double(Self.positions - 1) * (across(canvas) - 2 * reach)
                var end = (Double(start) / Double(Self.starts - 1) * room).rounded(.down)
                var centers = costs.items.map { $0.body.center }
                for (index, half) in zip(members, halves) {
                    let own = end + along(half)
                    centers[index] = isRow ? Point(x: own, y: middle.rounded()) : Point(x: middle.rounded(), y: own)
                    end = own + along(half) + gap
                }
                let cost = costs.total(centers, below: best?.cost ?? .infinity)
                if cost < best?.cost ?? .infinity { best = (centers, cost) }
            }
        }
        return best?.centers
    }

    // MARK: - Improvement

    /// The same, with each loupe where it costs least beside the others. Single moves come to rest where two loupes hold each
    /// other's place, so loupes are exchanged too.
    private func relocated(_ start: [Point]) -> [Point] {
        var centers = start
        for _ in 0..<Self.rounds {
            let before = centers
            for index in indices { relocate(index, &centers) }
            exchange(&centers)
            if centers == before { break }
        }
        return centers
    }

    /// Moves one loupe to the point where it costs least beside the others.
    private func relocate(_ index: Int, _ centers: inout [Point]) {
        let placed = costs.items.indices.map { costs.placed($0, at: centers[$0]) }
        var moved = centers
        func cost(_ center: Point, alone: Double, below limit: Double) -> Double {
            var cost = alone
            let item = costs.placed(index, at: center)
            for other in indices where other != index && cost < limit { cost += costs.pair(item, placed[other]) }
            guard cost < limit else { return cost }
            moved[index] = center
            return cost + costs.order(of: moved)
        }
        var best = cost(centers[index], alone: costs.alone(index, centers[index]), below: .infinity)
        for choice in points[index] {
            guard choice.cost < best else { break }
            let found = cost(choice.center, alone: choice.cost, below: best)
            if found < best - 1e-9 { (best, centers[index]) = (found, choice.center) }
        }
    }

    /// Exchanges the centres of two loupes where that is better.
    private func exchange(_ centers: inout [Point]) {
        var cost = costs.total(centers)
        for first in indices {
            for second in indices where second < first {
                var exchanged = centers
                exchanged.swapAt(first, second)
                let found = costs.total(exchanged, below: cost)
                if found < cost - 1e-9 { (centers, cost) = (exchanged, found) }
            }
        }
    }

    /// The same on whole pixels, with loupes in line that almost are, and moved by ever smaller steps, alone and with those
    /// in line.
    private func refined(_ start: [Point]) -> (centers: [Point], cost: Double) {
        var centers = start
        for index in indices { centers[index] = Point(x: centers[index].x.rounded(), y: centers[index].y.rounded()) }
        var cost = costs.total(centers)
        var alone = costs.items.indices.map { indices.contains($0) ? costs.alone($0, centers[$0]) : 0 }
        func attempt(_ changed: [Point]) {
            let found = costs.total(changed, below: cost, known: (centers, alone))
            guard found < cost - 1e-9 else { return }
            for index in indices where changed[index] != centers[index] {
                alone[index] = costs.alone(index, changed[index])
            }
            (centers, cost) = (changed, found)
        }
        for index in indices {
            for other in indices where other != index {
                for isRow in [true, false] {
                    var aligned = centers
                    if isRow { aligned[index].y = centers[other].y } else { aligned[index].x = centers[other].x }
                    attempt(aligned)
                }
            }
        }
        for step in [16.0, 8, 4, 2, 1] {
            for index in indices {
                let row = indices.filter { abs(centers[$0].y - centers[index].y) < 0.5 }
                let column = indices.filter { abs(centers[$0].x - centers[index].x) < 0.5 }
                for members in [row, column, [index]] {
                    for (dx, dy) in [(step, 0.0), (-step, 0), (0, step), (0, -step)] {
                        var moved = centers
                        for member in members { moved[member] = moved[member] + Vector(dx: dx, dy: dy) }
                        attempt(moved)
                    }
                }
            }
        }
        return (centers, cost)
    }
}
