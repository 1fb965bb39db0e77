import LoupeBase
import LoupeScene

/// Finds which tiles of a view each segment of some strokes touches.
struct InkSorter {
    /// A segment in a tile.
    struct Hit {
        let tile: Int32
        let stroke: Int32
        let segment: Int32
        /// Whether the stroke's coverage is 1 all over the tile.
        let covers: Bool
    }

    let block: PixelRect
    /// The tiles that hold the block's pixels.
    let columns: Range<Int>
    let rows: Range<Int>
    let strokes: [Stroke]
    let magnification: Double
    /// The segments of all strokes that touch a tile.
    private(set) var segments: [InkSegment] = []
    /// In the order of the strokes.
    private(set) var hits: [Hit] = []
    /// How many entries each tile's list may need.
    private(set) var counts: [Int32]
    /// The last stroke found in each tile, and the last that covers the tile.
    private var lastStroke: [Int32]
    private var lastCovering: [Int32]

    /// The largest distance of a pixel's centre from the centre of its tile.
    private static let halfDiagonal = Double(InkTiles.side - 1) / 2 * 2.0.squareRoot()

    init(_ strokes: [Stroke], in view: View, over block: PixelRect) {
        self.block = block
        self.strokes = strokes
        magnification = view.magnification
        let side = Double(InkTiles.side)
        columns = Int((Double(block.minX) / side).rounded(.down))..<Int((Double(block.maxX) / side).rounded(.up))
        rows = Int((Double(block.minY) / side).rounded(.down))..<Int((Double(block.maxY) / side).rounded(.up))
        counts = [Int32](repeating: 0, count: columns.count * rows.count)
        lastStroke = [Int32](repeating: -1, count: counts.count)
        lastCovering = lastStroke
        for index in strokes.indices { add(strokes[index], index: Int32(index), in: view) }
    }

    /// The number of all entries, with the first, which no tile's list starts at.
    var entryCount: Int { counts.reduce(1) { $0 + Int($1) } }

    /// How far from its segments a stroke's coverage ends, in output pixels.
    func reach(of stroke: Stroke) -> Double { magnification * stroke.width / 2 + 0.5 }

    func center(ofTile tile: Int) -> Point {
        let (row, column) = tile.quotientAndRemainder(dividingBy: columns.count)
        return center(column: columns.lowerBound + column, row: rows.lowerBound + row)
    }

    private func center(column: Int, row: Int) -> Point {
        let half = InkTiles.side / 2
        return Point(x: Double(column * InkTiles.side + half), y: Double(row * InkTiles.side + half))
    }

    private mutating func add(_ stroke: Stroke, index: Int32, in view: View) {
        let reach = reach(of: stroke)
        guard var last = stroke.points.first.map(view.output(of:)) else { return }
        if stroke.points.count == 1 { add(from: last, to: last, of: index, reach: reach) }
        for point in stroke.points.dropFirst() {
            let next = view.output(of: point)
            add(from: last, to: next, of: index, reach: reach)
            last = next
        }
    }

    private mutating func add(from start: Point, to end: Point, of stroke: Int32, reach: Double) {
        guard min(start.x, end.x) - reach < Double(block.maxX), max(start.x, end.x) + reach > Double(block.minX),
            min(start.y, end.y) - reach < Double(block.maxY), max(start.y, end.y) + reach > Double(block.minY)
        else { return }
        let segment = InkSegment(from: start, to: end)
        let before = hits.count
        for row in Self.tiles(from: min(start.y, end.y) - reach, to: max(start.y, end.y) + reach, in: rows) {
            let top = Double(row * InkTiles.side)
            guard let xs = segment.columns(between: top - reach, and: top + Double(InkTiles.side) + reach) else {
                continue
            }
            for column in Self.tiles(from: xs.lowerBound - reach, to: xs.upperBound + reach, in: columns) {
                test(segment, of: stroke, reach: reach, column: column, row: row)
            }
        }
        if hits.count > before { segments.append(segment) }
    }

    private mutating func test(_ segment: InkSegment, of stroke: Int32, reach: Double, column: Int, row: Int) {
        let square = segment.squaredDistance(to: center(column: column, row: row))
        let outer = reach + Self.halfDiagonal
        guard square < outer * outer else { return }
        let tile = (row - rows.lowerBound) * columns.count + column - columns.lowerBound
        guard lastCovering[tile] != stroke else { return }
        let inner = reach - 1 - Self.halfDiagonal
        let covers = inner >= 0 && square <= inner * inner
        hits.append(Hit(tile: Int32(tile), stroke: stroke, segment: Int32(segments.count), covers: covers))
        counts[tile] += lastStroke[tile] == stroke ? 1 : 3
        lastStroke[tile] = stroke
        if covers { lastCovering[tile] = stroke }
    }

    private static func tiles(from low: Double, to high: Double, in range: Range<Int>) -> Range<Int> {
        let side = Double(InkTiles.side)
        let first = max(Int((low / side).rounded(.down)), range.lowerBound)
        return first..<max(first, min(Int((high / side).rounded(.down)) + 1, range.upperBound))
    }
}

/// A straight part of a stroke in output pixels; a dot has no length.
struct InkSegment {
    let start: Point
    /// The unit vector from start to end; zero for a dot.
    let direction: Vector
    package let length: Double

    init(from start: Point, to end: Point) {
        let way = end - start
        self.start = start
        length = way.length
        direction = length > 0 ? (1 / length) * way : .zero
    }

    /// The square of the distance from a point.
    func squaredDistance(to point: Point) -> Double {
        let offset = point - start
        let nearest = offset - min(max(along(offset), 0), length) * direction
        return nearest.dx * nearest.dx + nearest.dy * nearest.dy
    }

    /// The range of x of the part between two heights; nil where there is no such part.
    func columns(between top: Double, and bottom: Double) -> ClosedRange<Double>? {
        var (low, high) = (0.0, length)
        if direction.dy != 0 {
            let crossings = [(top - start.y) / direction.dy, (bottom - start.y) / direction.dy]
            low = max(low, min(crossings[0], crossings[1]))
            high = min(high, max(crossings[0], crossings[1]))
            guard low <= high else { return nil }
        }
        let ends = (start.x + low * direction.dx, start.x + high * direction.dx)
        return min(ends.0, ends.1)...max(ends.0, ends.1)
    }

    /// Its start relative to a point and the vector to its end, clipped to what lies within `reach` of the point along the
    /// segment.
    func part(near point: Point, within reach: Double) -> SIMD4<Float> {
        let middle = along(point - start)
        let low = min(max(middle - reach, 0), length)
        let high = min(max(middle + reach, 0), length)
        let from = (start - point) + low * direction
        let way = (high - low) * direction
        return SIMD4(Float(from.dx), Float(from.dy), Float(way.dx), Float(way.dy))
    }

    private func along(_ offset: Vector) -> Double { offset.dx * direction.dx + offset.dy * direction.dy }
}
