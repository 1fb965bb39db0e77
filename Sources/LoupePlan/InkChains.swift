import LoupeGeometry
import LoupeScene

/// Writes the lists of `InkTiles`, tile by tile, from what an `InkSorter` found.
struct InkChains {
    private(set) var starts: [Float]
    private(set) var entries: [SIMD4<Float>]
    /// Of each tile: its last stroke so far and where that stands, where the next entry goes, and whether all else
    /// is hidden.
    private var strokes: [Int32]
    private var heads: [Int32]
    private var ends: [Int32]
    private var isHidden: [Bool]

    /// Its square root is a distance at which no stroke has coverage.
    private static let far: Float = 1e18

    init(_ sorter: InkSorter, colors: [SIMD4<Float>]) {
        var end: Int32 = 1
        ends = sorter.counts.map { count in
            defer { end += count }
            return end
        }
        starts = zip(ends, sorter.counts).map { $1 > 0 ? Float($0) : 0 }
        heads = [Int32](repeating: 0, count: ends.count)
        strokes = [Int32](repeating: -1, count: ends.count)
        isHidden = [Bool](repeating: false, count: ends.count)
        let wholeRows = (Int(end) + InkTiles.entriesInRow - 1) / InkTiles.entriesInRow
        entries = [SIMD4<Float>](repeating: .zero, count: wholeRows * InkTiles.entriesInRow)
        write(sorter, colors)
    }

    /// The last hit first, since lists begin with the topmost stroke. Where a stroke covers a tile, that is the last of
    /// its hits there, so that here it stands before those which it makes needless.
    private mutating func write(_ sorter: InkSorter, _ colors: [SIMD4<Float>]) {
        let reaches = sorter.strokes.map(sorter.reach(of:))
        for hit in sorter.hits.reversed() where !isHidden[Int(hit.tile)] {
            let tile = Int(hit.tile)
            let stroke = Int(hit.stroke)
            if strokes[tile] != hit.stroke {
                start(hit, reach: reaches[stroke], color: colors[stroke])
                isHidden[tile] = hit.covers && sorter.strokes[stroke].color.isOpaque
            }
            guard entries[Int(heads[tile])].w > 0 else { continue }
            let reach = reaches[stroke] + Double(2 * InkTiles.side)
            add(sorter.segments[Int(hit.segment)].part(near: sorter.center(ofTile: tile), within: reach), to: tile)
        }
    }

    private mutating func start(_ hit: InkSorter.Hit, reach: Double, color: SIMD4<Float>) {
        let tile = Int(hit.tile)
        let head = ends[tile]
        if strokes[tile] >= 0 { entries[Int(heads[tile])].z = Float(head) }
        entries[Int(head)] = SIMD4(0, Float(reach), 0, hit.covers ? 0 : Self.far)
        entries[Int(head) + 1] = color
        strokes[tile] = hit.stroke
        heads[tile] = head
        ends[tile] = head + 2
    }

    private mutating func add(_ segment: SIMD4<Float>, to tile: Int) {
        entries[Int(ends[tile])] = segment
        ends[tile] += 1
        entries[Int(heads[tile])].x += 1
    }
}
