import LoupeGeometry

/// What each loupe costs by itself at the points of a grid over the area.
struct PlacementTable {
    private let area: Rect
    /// Steps along each side.
    private let (columns, rows): (Int, Int)
    /// By loupe: the lowest x and y of a centre, the distances between points, and the costs row by row. None where the
    /// loupe does not fit or is not to be placed.
    private let loupes: [Loupe?]

    private struct Loupe {
        let origin: Point
        let step: Vector
        let costs: [Double]
    }

    /// Points along the longer side of the area.
    private static let pointsAlong = 49

    init(_ costs: PlacementCosts, placing indices: [Int]) {
        area = costs.area
        let longer = max(area.width, area.height)
        func count(_ side: Double) -> Int { max(13, Int(Double(Self.pointsAlong) * side / longer)) }
        let (columns, rows) = (count(area.width), count(area.height))
        (self.columns, self.rows) = (columns, rows)
        var loupes = [Loupe?](repeating: nil, count: costs.items.count)
        // What loupes cover depends on their size alone.
        var covered: [(half: Vector, isRound: Bool, costs: [Double])] = []
        for index in indices {
            let half = costs.items[index].body.halfSides
            let room = Vector(dx: costs.area.width - 2 * half.dx, dy: costs.area.height - 2 * half.dy)
            guard room.dx >= 0, room.dy >= 0 else { continue }
            let origin = Point(x: costs.area.minX + half.dx, y: costs.area.minY + half.dy)
            let step = Vector(dx: room.dx / Double(columns - 1), dy: room.dy / Double(rows - 1))
            let points = (0..<rows).flatMap { row in
                (0..<columns).map { column in
                    Point(x: origin.x + Double(column) * step.dx, y: origin.y + Double(row) * step.dy)
                }
            }
            let isRound = costs.items[index].body.core == .zero
            let known = covered.first { $0.half == half && $0.isRound == isRound }?.costs
            let contents = known ?? points.map { costs.content(index, $0) }
            if known == nil { covered.append((half, isRound, contents)) }
            let values = points.indices.map { costs.alone(index, points[$0], content: contents[$0]) }
            loupes[index] = Loupe(origin: origin, step: step, costs: values)
        }
        self.loupes = loupes
    }

    /// Whether a loupe fits anywhere: on the area, and over no source.
    func hasRoom(for index: Int) -> Bool { loupes[index]?.costs.contains { $0 < .infinity } ?? false }

    /// No placement costs less, but for points between those of the grid.
    var leastCost: Double { loupes.reduce(0) { $0 + ($1?.costs.min() ?? 0) } }

    /// The cost at the point of the grid that is nearest to a centre.
    func cost(_ index: Int, near center: Point) -> Double {
        guard let loupe = loupes[index] else { return .infinity }
        func step(_ value: Double, _ size: Double, _ count: Int) -> Int {
            size == 0 ? 0 : min(count - 1, max(0, Int((value / size).rounded())))
        }
        let column = step(center.x - loupe.origin.x, loupe.step.dx, columns)
        let row = step(center.y - loupe.origin.y, loupe.step.dy, rows)
        return loupe.costs[row * columns + column]
    }

    /// The points at which a loupe may lie, the cheapest first.
    func points(_ index: Int) -> [(center: Point, cost: Double)] {
        guard let loupe = loupes[index] else { return [] }
        let allowed = loupe.costs.indices.filter { loupe.costs[$0] < .infinity }
        return allowed.sorted { (loupe.costs[$0], $0) < (loupe.costs[$1], $1) }.map { place in
            let (row, column) = place.quotientAndRemainder(dividingBy: columns)
            let center = Point(
                x: loupe.origin.x + Double(column) * loupe.step.dx, y: loupe.origin.y + Double(row) * loupe.step.dy)
            return (center, loupe.costs[place])
        }
    }
}

/// Puts each loupe where it is cheapest beside the others: wherever no row or column of all of them is good.
struct PlacementSearch {
    private let costs: PlacementCosts
    private let indices: [Int]
    private let table: PlacementTable

    init(_ costs: PlacementCosts, placing indices: [Int], _ table: PlacementTable) {
        (self.costs, self.table) = (costs, table)
        // The largest first: they fit in the fewest places.
        func key(_ index: Int) -> (Double, Int) { (-costs.items[index].radius, index) }
        self.indices = indices.sorted { key($0) < key($1) }
    }

    /// Gaps between loupes, in radii of the larger one; the largest for which there is room is used.
    private static let gaps = [PlacementCosts.gap, 0.2, 0]
    /// How many points may be tried for a gap before the next one is.
    private static let budget = 50_000
    private static let rounds = 6

    /// - Parameter start: centres to start from, too.
    func best(from start: [Point]?) -> (centers: [Point], cost: Double)? {
        let choices = indices.map { table.points($0) }
        var best: (centers: [Point], cost: Double)?
        for begin in [first(choices), start].compactMap({ $0 }) {
            let found = improve(begin, choices)
            if found.cost < best?.cost ?? .infinity { best = found }
        }
        return best
    }

    // MARK: - A first placement

    private func first(_ choices: [[(center: Point, cost: Double)]]) -> [Point]? {
        for gap in Self.gaps {
            var budget = Self.budget
            var placed: [PlacementBody] = []
            guard fill(choices, &placed, gap: gap, &budget) else { continue }
            var centers = costs.items.map { $0.body.center }
            for (index, body) in zip(indices, placed) { centers[index] = body.center }
            return centers
        }
        return nil
    }

    /// Depth-first: takes for each loupe the first point that the ones before it leave free, and goes back where there
    /// is none.
    private func fill(
        _ choices: [[(center: Point, cost: Double)]], _ placed: inout [PlacementBody], gap: Double, _ budget: inout Int
    ) -> Bool {
        guard placed.count < choices.count else { return true }
        let item = costs.items[indices[placed.count]]
        for choice in choices[placed.count] {
            budget -= 1
            guard budget > 0 else { return false }
            let body = item.body.at(choice.center)
            let isFree = placed.indices.allSatisfy { other in
                let wanted = gap * max(item.radius, costs.items[indices[other]].radius)
                return body.distance(to: placed[other]) >= wanted
            }
            guard isFree else { continue }
            placed.append(body)
            if fill(choices, &placed, gap: gap, &budget) { return true }
            placed.removeLast()
        }
        return false
    }

    // MARK: - Improvement

    private func improve(
        _ start: [Point], _ choices: [[(center: Point, cost: Double)]]
    ) -> (centers: [Point], cost: Double) {
        var centers = start
        for _ in 0..<Self.rounds {
            var isBetter = false
            for (position, index) in indices.enumerated() {
                if relocate(index, choices[position], &centers) { isBetter = true }
            }
            if exchange(&centers) { isBetter = true }
            guard isBetter else { break }
        }
        for index in indices {
            centers[index].x.round()
            centers[index].y.round()
        }
        var cost = costs.total(centers)
        refine(&centers, &cost)
        align(&centers, &cost)
        refine(&centers, &cost, together: true)
        return (centers, cost)
    }

    /// Moves a loupe to the point where it costs least beside the others.
    private func relocate(
        _ index: Int, _ choices: [(center: Point, cost: Double)], _ centers: inout [Point]
    ) -> Bool {
        let strips = costs.items.indices.map { costs.strip($0, centers[$0]) }
        let now = centers
        func cost(_ center: Point, alone: Double, below limit: Double) -> Double {
            var cost = alone
            let strip = costs.strip(index, center)
            for other in indices where other != index && cost < limit {
                cost += costs.pair(index, center, strip, other, now[other], strips[other])
            }
            return cost
        }
        let before = cost(now[index], alone: costs.alone(index, now[index]), below: .infinity)
        var (best, center) = (before, now[index])
        for choice in choices {
            guard choice.cost < best else { break }
            let found = cost(choice.center, alone: choice.cost, below: best)
            if found < best - 1e-9 { (best, center) = (found, choice.center) }
        }
        centers[index] = center
        return best < before
    }

    /// Exchanges the centres of two loupes where that is better.
    private func exchange(_ centers: inout [Point]) -> Bool {
        var cost = costs.total(centers)
        var isBetter = false
        for first in indices {
            for second in indices where second < first {
                centers.swapAt(first, second)
                let found = costs.total(centers, below: cost)
                if found < cost - 1e-9 {
                    (cost, isBetter) = (found, true)
                } else {
                    centers.swapAt(first, second)
                }
            }
        }
        return isBetter
    }

    /// Moves loupes by ever smaller steps.
    /// - Parameter together: those that are in line, as one.
    private func refine(_ centers: inout [Point], _ cost: inout Double, together: Bool = false) {
        var step = 16.0
        while step >= 1 {
            for index in indices {
                for move in [
                    Vector(dx: step, dy: 0), Vector(dx: -step, dy: 0), Vector(dx: 0, dy: step),
                    Vector(dx: 0, dy: -step),
                ] {
                    var moved = centers
                    for other in indices {
                        let offset = centers[other] - centers[index]
                        // Across its row or column.
                        let isInLine = move.dx == 0 ? abs(offset.dy) < 0.5 : abs(offset.dx) < 0.5
                        if other == index || together && isInLine { moved[other] = moved[other] + move }
                    }
                    let found = costs.total(moved, below: cost)
                    if found < cost - 1e-9 { (centers, cost) = (moved, found) }
                }
            }
            step = (step / 2).rounded(.down)
        }
    }

    /// Puts loupes that are almost in line in line, with equal gaps, where that is better.
    private func align(_ centers: inout [Point], _ cost: inout Double) {
        func attempt(_ moved: [Point]) {
            let found = costs.total(moved, below: cost)
            if found < cost - 1e-9 { (centers, cost) = (moved, found) }
        }
        for index in indices {
            for isRow in [true, false] {
                for reach in [0.35, 0.7, 1.2] {
                    let members = indices.filter {
                        let offset = centers[$0] - centers[index]
                        return abs(isRow ? offset.dy : offset.dx) < reach * costs.items[index].radius
                    }
                    guard members.count > 1 else { continue }
                    var aligned = centers
                    for member in members {
                        if isRow { aligned[member].y = centers[index].y } else { aligned[member].x = centers[index].x }
                    }
                    attempt(spaced(members, isRow: isRow, aligned))
                    attempt(aligned)
                }
            }
        }
    }

    /// The same with equal gaps between the first and the last of some loupes.
    private func spaced(_ members: [Int], isRow: Bool, _ centers: [Point]) -> [Point] {
        guard members.count > 2 else { return centers }
        func middle(_ index: Int) -> Double { isRow ? centers[index].x : centers[index].y }
        func half(_ index: Int) -> Double {
            let half = costs.items[index].body.halfSides
            return isRow ? half.dx : half.dy
        }
        let sorted = members.sorted { (middle($0), $0) < (middle($1), $1) }
        guard let first = sorted.first, let last = sorted.last else { return centers }
        let inner = sorted.dropFirst().dropLast().reduce(0) { $0 + 2 * half($1) }
        let room = middle(last) - half(last) - middle(first) - half(first) - inner
        let gap = room / Double(sorted.count - 1)
        guard gap >= 0 else { return centers }
        var spaced = centers
        var along = middle(first) + half(first) + gap
        for index in sorted.dropFirst().dropLast() {
            if isRow { spaced[index].x = along + half(index) } else { spaced[index].y = along + half(index) }
            along += 2 * half(index) + gap
        }
        return spaced
    }
}
