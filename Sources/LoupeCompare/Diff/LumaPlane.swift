import LoupeBase

/// A picture's brightness, for finding where a picture lies on another one.
struct LumaPlane: Sendable {
    /// The offset of one plane from another, to the right and down, in pixels.
    struct Offset: Hashable {
        let x, y: Int

        static let none = Offset(x: 0, y: 0)
    }

    private let width: Int
    private let height: Int
    /// Row by row, 0…255, translucent pixels over black.
    private let values: [Float]

    /// - Parameter block: the part of the picture; nil for all of it.
    init(_ grid: PixelGrid, in block: PixelRect? = nil) {
        let block = block ?? PixelRect(width: grid.width, height: grid.height)
        let values = (block.minY..<block.maxY).flatMap { row in
            (row * grid.width + block.minX..<row * grid.width + block.maxX).map(grid.luma)
        }
        self.init(width: block.width, height: block.height, values: values)
    }

    private init(width: Int, height: Int, values: [Float]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// The offset of another plane with which both differ least. At least half of the smaller one's sides overlap. Of equal
    /// offsets the shortest; none for planes that are too small to say anything.
    func offset(of other: LumaPlane) -> Offset {
        let isLarge = min(width, height, other.width, other.height) >= Self.shortestSide
        return isLarge ? offsets(of: other).first ?? .none : .none
    }

    /// In pixels.
    private static let shortestSide = 8

    /// The best offsets: of all where the planes are small, and else those near the best of planes half as large.
    private func offsets(of other: LumaPlane) -> [Offset] {
        let (wide, high) = (min(width, other.width), min(height, other.height))
        let (across, down) = (wide < 32 ? 1 : 2, high < 32 ? 1 : 2)
        var candidates = Set<Offset>()
        if across == 1, down == 1 {
            let (farX, farY) = (max(width, other.width) - wide / 2, max(height, other.height) - high / 2)
            // A small picture fits nearly anywhere on a large one.
            guard (2 * farX + 1) * (2 * farY + 1) <= Self.mostTried else { return [.none] }
            for y in -farY...farY { candidates.formUnion((-farX...farX).map { Offset(x: $0, y: y) }) }
        } else {
            for coarse in reduced(across, down).offsets(of: other.reduced(across, down)) {
                for near in 0..<9 {
                    candidates.insert(
                        Offset(x: across * coarse.x + near % 3 - 1, y: down * coarse.y + near / 3 - 1))
                }
            }
        }
        let judged = candidates.filter { offset in
            2 * (min(other.width, width + offset.x) - max(0, offset.x)) >= wide
                && 2 * (min(other.height, height + offset.y) - max(0, offset.y)) >= high
        }.map { ($0, distance(to: other, at: $0), abs($0.x) + abs($0.y)) }
        return judged.sorted { ($0.1, $0.2, $0.0.x, $0.0.y) < ($1.1, $1.2, $1.0.x, $1.0.y) }.prefix(Self.kept)
            .map { $0.0 }
    }

    /// How many offsets of the smallest planes are tried.
    private static let mostTried = 1 << 20
    /// How many offsets of the smaller planes are looked at again in the larger ones.
    private static let kept = 8

    /// The means of blocks of so many pixels.
    private func reduced(_ across: Int, _ down: Int) -> LumaPlane {
        let (columns, rows) = (width / across, height / down)
        let means = [Float](unsafeUninitializedCapacity: columns * rows) { means, count in
            for y in 0..<rows {
                for x in 0..<columns {
                    var sum: Float = 0
                    for row in 0..<down {
                        let start = (y * down + row) * width + x * across
                        for column in 0..<across { sum += values[start + column] }
                    }
                    means[y * columns + x] = sum / Float(across * down)
                }
            }
            count = columns * rows
        }
        return LumaPlane(width: columns, height: rows, values: means)
    }

    /// The mean difference of the pixels that both have in common where the other lies at an offset; ∞ where there are none.
    private func distance(to other: LumaPlane, at offset: Offset) -> Double {
        let (left, top) = (max(offset.x, 0), max(offset.y, 0))
        let columns = left..<max(min(other.width, width + offset.x), left)
        let rows = top..<max(min(other.height, height + offset.y), top)
        guard !columns.isEmpty, !rows.isEmpty else { return .infinity }
        // No more rows than a result of three digits needs.
        let step = max(rows.count / 256, 1)
        var (sum, count) = (0.0, 0)
        values.withUnsafeBufferPointer { values in
            other.values.withUnsafeBufferPointer { others in
                for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
                    let (mine, theirs) = ((y - offset.y) * width - offset.x, y * other.width)
                    var ofRow: Float = 0
                    for x in columns { ofRow += abs(others[theirs + x] - values[mine + x]) }
                    sum += Double(ofRow)
                    count += columns.count
                }
            }
        }
        return sum / Double(count)
    }
}

extension LumaPlane.Offset {
    /// Whether four fifths of what differs in a block are what lies at this offset in the other picture, in both directions: what
    /// was there has to be somewhere, and what is there has to come from somewhere.
    func explains(_ reference: PixelGrid, _ actual: PixelGrid, in block: PixelRect) -> Bool {
        let (width, height) = (reference.width, reference.height)
        var (all, left) = (0.0, 0.0)
        for row in stride(from: block.minY, to: block.maxY, by: max(block.height / 256, 1)) {
            for column in block.minX..<block.maxX where reference[column, row] != actual[column, row] {
                let index = row * width + column
                let (before, after) = (reference.luma(index), actual.luma(index))
                let difference = abs(before - after)
                all += Double(2 * difference)
                let isInside = { (sign: Int) in
                    0..<width ~= column + sign * x && 0..<height ~= row + sign * y
                }
                left += Double(isInside(-1) ? abs(after - reference.luma(index - y * width - x)) : difference)
                left += Double(isInside(1) ? abs(before - actual.luma(index + y * width + x)) : difference)
            }
        }
        return left < 0.2 * all
    }
}

extension PixelGrid {
    /// The brightness of the pixel at an index, 0…255, over black.
    @inline(__always)
    func luma(_ index: Int) -> Float {
        let word = UInt32(littleEndian: words[index])
        let color = SIMD3(Float(word & 255), Float(word >> 8 & 255), Float(word >> 16 & 255))
        return (color * SIMD3(0.299, 0.587, 0.114)).sum() * Float(word >> 24) / 255
    }
}
