import LoupeGeometry

/// Loupes side by side, in line by their centres, with equal gaps: a row or a column.
struct PlacementLine {
    let isRow: Bool
    /// By index, in the order of the line.
    var members: [Int]
    /// The position of the centres, across the line, in canvas pixels.
    var position: Double
    /// Where the first loupe's border begins, along the line, in canvas pixels.
    var start: Double
    /// Between borders, in canvas pixels.
    var gap: Double
}

/// Arranges loupes in one row or column, or in two that face each other.
struct PlacementLines {
    private let costs: PlacementCosts
    /// To be placed.
    private let indices: [Int]
    /// What each loupe costs by itself at points of a grid.
    private let table: PlacementTable

    init(_ costs: PlacementCosts, placing indices: [Int], _ table: PlacementTable) {
        (self.costs, self.indices, self.table) = (costs, indices, table)
    }

    /// How many arrangements are improved.
    private static let started = 3
    /// How many positions, gaps and starts of a line are tried before.
    private static let (positions, gaps, starts) = (25, 4, 9)

    /// The best arrangement; nil where loupes fit in no line.
    func best() -> (centers: [Point], cost: Double)? {
        var found: [(lines: [PlacementLine], cost: Double)] = []
        func note(_ lines: [PlacementLine]) {
            let lines = uncrossed(lines)
            found.append((lines, costs.total(centers(of: lines))))
        }
        for isRow in [true, false] {
            if let one = coarse(sorted(along: isRow), isRow: isRow) { note([one.line]) }
            guard indices.count > 1 else { continue }
            // Two lines that face each other: those whose sources are nearer to the first one go there.
            let across = sorted(along: !isRow)
            for count in 1..<across.count {
                let parts = [Array(across[..<count]), Array(across[count...])].map { part in
                    sorted(along: isRow).filter { part.contains($0) }
                }
                guard let first = coarse(parts[0], isRow: isRow, inHalf: 0),
                    let second = coarse(parts[1], isRow: isRow, inHalf: 1)
                else { continue }
                note([first.line, second.line])
            }
        }
        found.sort { $0.cost < $1.cost }
        var best: (centers: [Point], cost: Double)?
        for arrangement in found.prefix(Self.started) {
            let improved = improve(arrangement.lines)
            if improved.cost < best?.cost ?? .infinity { best = (centers(of: improved.lines), improved.cost) }
        }
        return best
    }

    /// By the places of their sources.
    private func sorted(along isRow: Bool) -> [Int] {
        func key(_ index: Int) -> (Double, Double, Int) {
            let point = costs.items[index].source.center
            return isRow ? (point.x, point.y, index) : (point.y, point.x, index)
        }
        return indices.sorted { key($0) < key($1) }
    }

    private func half(_ index: Int, along isRow: Bool) -> Double {
        let half = costs.items[index].body.halfSides
        return isRow ? half.dx : half.dy
    }

    /// The centres of all loupes, in which those of some lines are in place.
    private func centers(of lines: [PlacementLine]) -> [Point] {
        var centers = costs.items.map { $0.body.center }
        for line in lines {
            var along = line.start
            for index in line.members {
                let half = half(index, along: line.isRow)
                centers[index] =
                    line.isRow ? Point(x: along + half, y: line.position) : Point(x: line.position, y: along + half)
                along += 2 * half + line.gap
            }
        }
        return centers
    }

    /// The same lines, in which loupes of one size have exchanged their places for as long as connectors got shorter in
    /// all. Then no two of the straight lines from those loupes to their sources cross.
    private func uncrossed(_ lines: [PlacementLine]) -> [PlacementLine] {
        var lines = lines
        let places = lines.indices.flatMap { line in lines[line].members.indices.map { (line: line, position: $0) } }
        let centers = centers(of: lines)
        let points = places.map { centers[lines[$0.line].members[$0.position]] }
        var members = places.map { lines[$0.line].members[$0.position] }
        func length(_ member: Int, _ place: Int) -> Double {
            costs.items[member].source.center.distance(to: points[place])
        }
        var isShorter = true
        while isShorter {
            isShorter = false
            for first in members.indices {
                for second in 0..<first {
                    let (a, b) = (members[first], members[second])
                    guard costs.items[a].body.halfSides == costs.items[b].body.halfSides,
                        length(a, second) + length(b, first) < length(a, first) + length(b, second) - 1e-6
                    else { continue }
                    members.swapAt(first, second)
                    isShorter = true
                }
            }
        }
        for (place, member) in zip(places, members) { lines[place.line].members[place.position] = member }
        return lines
    }

    // MARK: - The best line by the table

    /// - Parameter part: the half of the area, 0 or 1, in which the line lies; nil for all of it.
    private func coarse(
        _ members: [Int], isRow: Bool, inHalf part: Int? = nil
    ) -> (line: PlacementLine, cost: Double)? {
        let area = costs.area
        let (low, high) = isRow ? (area.minX, area.maxX) : (area.minY, area.maxY)
        let reach = members.map { half($0, along: !isRow) }.max() ?? 0
        let (near, far) = isRow ? (area.minY + reach, area.maxY - reach) : (area.minX + reach, area.maxX - reach)
        let sizes = members.reduce(0) { $0 + 2 * half($1, along: isRow) }
        let spaces = Double(members.count - 1)
        guard near <= far + 1e-6, sizes <= high - low + 1e-6 else { return nil }
        let middle = (near + far) / 2
        let (from, to) = (part == 1 ? middle : near, part == 0 ? middle : far)
        let radius = members.map { costs.items[$0].radius }.max() ?? 0
        let widest = spaces == 0 ? 0 : (high - low - sizes) / spaces
        let wanted = min(widest, PlacementCosts.gap * radius)
        var best: (line: PlacementLine, cost: Double)?
        for gapStep in 0..<(spaces == 0 || widest == wanted ? 1 : Self.gaps) {
            let gap = wanted + Double(gapStep) / Double(Self.gaps - 1) * (widest - wanted)
            let room = max(0, high - low - sizes - spaces * gap)
            for step in 0..<Self.positions {
                let position = from + Double(step) / Double(Self.positions - 1) * (to - from)
                for startStep in 0..<(room == 0 ? 1 : Self.starts) {
                    let start = low + Double(startStep) / Double(Self.starts - 1) * room
                    let line = PlacementLine(
                        isRow: isRow, members: members, position: position, start: start, gap: gap)
                    let cost = tabled(line, below: best?.cost ?? .infinity)
                    if cost < best?.cost ?? .infinity { best = (line, cost) }
                }
            }
        }
        return best
    }

    /// What the loupes of a line cost, each by itself, about.
    private func tabled(_ line: PlacementLine, below limit: Double) -> Double {
        var (cost, along) = (0.0, line.start)
        for index in line.members {
            let half = half(index, along: line.isRow)
            let center =
                line.isRow ? Point(x: along + half, y: line.position) : Point(x: line.position, y: along + half)
            cost += table.cost(index, near: center)
            guard cost < limit else { return .infinity }
            along += 2 * half + line.gap
        }
        return cost
    }

    // MARK: - Improvement

    /// Moves lines, spreads them and exchanges their members for as long as that is better.
    private func improve(_ lines: [PlacementLine]) -> (lines: [PlacementLine], cost: Double) {
        var best = lines
        for index in best.indices {
            best[index].position.round()
            best[index].start.round(.down)
            best[index].gap.round(.down)
        }
        var cost = costs.total(centers(of: best))
        func attempt(_ change: (inout [PlacementLine]) -> Void) -> Bool {
            var changed = best
            change(&changed)
            let found = costs.total(centers(of: changed), below: cost)
            guard found < cost - 1e-9 else { return false }
            (best, cost) = (changed, found)
            return true
        }
        var isBetter = true
        // Two loupes of one size anywhere, or any two of a line; and one to another place in its line.
        func exchange() {
            let places = best.indices.flatMap { line in best[line].members.indices.map { (line: line, position: $0) } }
            for (index, first) in places.enumerated() {
                for second in places[..<index] {
                    let sizes = [first, second].map { costs.items[best[$0.line].members[$0.position]].body.halfSides }
                    guard first.line == second.line || sizes[0] == sizes[1] else { continue }
                    let isMoved = attempt {
                        let member = $0[first.line].members[first.position]
                        $0[first.line].members[first.position] = $0[second.line].members[second.position]
                        $0[second.line].members[second.position] = member
                    }
                    if isMoved { isBetter = true }
                }
                for other in best[first.line].members.indices where other != first.position {
                    let isMoved = attempt {
                        let member = $0[first.line].members.remove(at: first.position)
                        $0[first.line].members.insert(member, at: other)
                    }
                    if isMoved { isBetter = true }
                }
            }
        }
        var step = 32.0
        exchange()
        while step >= 1 {
            isBetter = true
            var rounds = 0
            while isBetter, rounds < 6 {
                (isBetter, rounds) = (false, rounds + 1)
                for line in best.indices {
                    for sign in [-1.0, 1] {
                        let move = sign * step
                        if attempt({ $0[line].position += move }) { isBetter = true }
                        if attempt({ $0[line].start += move }) { isBetter = true }
                        if best[line].members.count > 1, best[line].gap + move >= 0 {
                            // About the middle, and about the first loupe.
                            let spaces = Double(best[line].members.count - 1)
                            let about = (move * spaces / 2).rounded()
                            if attempt({
                                $0[line].gap += move
                                $0[line].start -= about
                            }) {
                                isBetter = true
                            }
                            if attempt({ $0[line].gap += move }) { isBetter = true }
                        }
                    }
                }
            }
            if step == 8 { exchange() }
            step = (step / 2).rounded(.down)
        }
        return (best, cost)
    }
}
