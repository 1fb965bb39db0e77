import LoupeGeometry

/// Writes the lists of `InkTiles`, tile by tile, from what an `InkSorter` found.
struct InkChains {
    private(set) var starts: [Float]
    private(set) var entries: [SIMD4<Float>]
    /// Of each tile: where its list starts, where its last stroke stands, and where the next entry goes.
    private var firsts: [Int32]
    private var heads: [Int32]
    private var ends: [Int32]

    /// Its square root is a distance at which no stroke has coverage.
    private static let far: Float = 1e18

    init(_ sorter: InkSorter, colors: [SIMD4<Float>]) {
        var end: Int32 = 1
        firsts = sorter.counts.map { count in
            defer { end += count }
            return end
        }
        ends = firsts
        heads = [Int32](repeating: 0, count: firsts.count)
        starts = zip(firsts, sorter.counts).map { $1 > 0 ? Float($0) : 0 }
        let wholeRows = (Int(end) + InkTiles.entriesInRow - 1) / InkTiles.entriesInRow
        entries = [SIMD4<Float>](repeating: .zero, count: wholeRows * InkTiles.entriesInRow)
        write(sorter, colors)
    }

    private mutating func write(_ sorter: InkSorter, _ colors: [SIMD4<Float>]) {
        var lastStroke = [Int32](repeating: -1, count: firsts.count)
        let reaches = sorter.strokes.map(sorter.reach(of:))
        for hit in sorter.hits {
            let tile = Int(hit.tile)
            let reach = reaches[Int(hit.stroke)]
            if lastStroke[tile] != hit.stroke {
                startStroke(in: tile, reach: reach, color: colors[Int(hit.stroke)])
                lastStroke[tile] = hit.stroke
            }
            if hit.covers {
                cover(tile, with: sorter.strokes[Int(hit.stroke)])
            } else {
                let segment = sorter.segments[Int(hit.segment)]
                add(
                    segment.part(near: sorter.center(ofTile: tile), within: reach + Double(2 * InkTiles.side)), to: tile
                )
            }
        }
    }

    private mutating func startStroke(in tile: Int, reach: Double, color: SIMD4<Float>) {
        let head = ends[tile]
        if head > firsts[tile] { entries[Int(heads[tile])].z = Float(head) }
        entries[Int(head)] = SIMD4(0, Float(reach), 0, Self.far)
        entries[Int(head) + 1] = color
        heads[tile] = head
        ends[tile] = head + 2
    }

    private mutating func add(_ segment: SIMD4<Float>, to tile: Int) {
        entries[Int(ends[tile])] = segment
        ends[tile] += 1
        entries[Int(heads[tile])].x += 1
    }

    /// The segments of a stroke that covers the tile need not be measured to.
    private mutating func cover(_ tile: Int, with stroke: Stroke) {
        let head = Int(heads[tile])
        entries[head].x = 0
        entries[head].w = 0
        ends[tile] = heads[tile] + 2
        guard stroke.color.isOpaque else { return }
        // What lies below it is never seen.
        let first = firsts[tile]
        entries[Int(first)] = entries[head]
        entries[Int(first) + 1] = entries[head + 1]
        heads[tile] = first
        ends[tile] = first + 2
    }
}
