/// The differences found in some rows: where pixels differ and by how much.
struct Tally: Sendable {
    /// The differences in one region of the picture, or in the whole picture if no scene was given.
    struct Part: Sendable {
        /// For the metric `channel`, how many pixels differ by each level, within tolerance or not. Equal pixels are not
        /// counted.
        var levels = [Int](repeating: 0, count: 256)
        /// How many pixels are beyond tolerance.
        var differing = 0
        /// The largest difference, within tolerance or not, in the metric's internal unit.
        var largest = 0.0
    }

    private let regions: RegionMap?

    /// The differing pixels, in reading order.
    private(set) var runs: [DifferingRun] = []
    /// One part for each region, or a single one.
    private(set) var parts: [Part]
    /// For the metric `yiq`, the δ of each differing pixel.
    private(set) var deltas: [Double] = []
    /// The largest difference, within tolerance or not, in the metric's internal unit.
    private(set) var largest = 0.0
    /// The first pixel in reading order with the largest difference.
    private(set) var largestAt: (column: Int, row: Int)?

    init(regions: RegionMap?) {
        self.regions = regions
        parts = [Part](repeating: Part(), count: regions == nil ? 1 : PictureRegion.allCases.count)
    }

    /// Whether pixels are counted for each region.
    var hasRegions: Bool { regions != nil }

    /// The region of a pixel; nil if no scene was given.
    @inline(__always)
    func region(_ column: Int, _ row: Int) -> PictureRegion? {
        regions?.region(column: column, row: row)
    }

    /// Counts a pixel of the metric `channel`.
    @inline(__always)
    mutating func add(_ column: Int, _ row: Int, level: Int, in region: PictureRegion?, differs: Bool) {
        parts[partIndex(of: region)].levels[level] += 1
        add(column, row, difference: Double(level), in: region, differs: differs)
    }

    /// Counts a pixel of the metric `yiq`.
    @inline(__always)
    mutating func add(_ column: Int, _ row: Int, delta: Double, differs: Bool) {
        if differs { deltas.append(delta) }
        add(column, row, difference: delta, in: region(column, row), differs: differs)
    }

    @inline(__always)
    private mutating func add(
        _ column: Int, _ row: Int, difference: Double, in region: PictureRegion?, differs: Bool
    ) {
        let part = partIndex(of: region)
        if difference > parts[part].largest { parts[part].largest = difference }
        if difference > largest {
            largest = difference
            largestAt = (column, row)
        }
        guard differs else { return }
        parts[part].differing += 1
        if let last = runs.last, last.row == Int32(row), last.end == Int32(column) {
            runs[runs.count - 1].end += 1
        } else {
            runs.append(DifferingRun(row: Int32(row), start: Int32(column), end: Int32(column) + 1))
        }
    }

    /// Counts a row of the metric `channel` in a tally without regions.
    @inline(__always)
    mutating func withPlainRow(_ row: Int, differsAbove limit: Int, _ body: (inout PlainRow) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: PlainRow.countsCount) { counts in
            counts.initialize(repeating: 0)
            var found = PlainRow(
                row: Int32(row), limit: UInt32(limit), largest: UInt32(largest), counts: counts, runs: runs)
            runs = []
            body(&found)
            found.endRun()
            runs = found.runs
            parts[0].differing += found.differing
            // Equal pixels are not counted.
            for level in 1..<256 { parts[0].levels[level] += found.count(of: level) }
            if let column = found.largestColumn {
                largest = Double(found.largest)
                parts[0].largest = largest
                largestAt = (column, row)
            }
        }
    }

    private static let regions = PictureRegion.allCases

    @inline(__always)
    private func partIndex(of region: PictureRegion?) -> Int {
        region.flatMap { Self.regions.firstIndex(of: $0) } ?? 0
    }

    /// Adds the tally of the rows below.
    mutating func append(_ below: Tally) {
        runs += below.runs
        deltas += below.deltas
        for part in parts.indices {
            parts[part].differing += below.parts[part].differing
            parts[part].largest = max(parts[part].largest, below.parts[part].largest)
            for level in 0..<256 { parts[part].levels[level] += below.parts[part].levels[level] }
        }
        if below.largest > largest {
            largest = below.largest
            largestAt = below.largestAt
        }
    }
}

/// The pixels of one row by the metric `channel`, in order, where each counts by its difference alone. That needs no look at
/// arrays for most of them.
struct PlainRow {
    private let row: Int32
    /// A pixel differs above this level.
    private let limit: UInt32
    /// How many pixels have each level, for each lane of a vector by itself: a counter that was just written is slow to read.
    private let counts: UnsafeMutableBufferPointer<UInt32>
    /// No pixel up to this level differs, or is the largest one.
    private var unnoted: UInt32
    private var start = -1
    private var end = -1

    /// Those of the rows above, and of this one.
    private(set) var runs: [DifferingRun]
    /// How many pixels of this row differ.
    private(set) var differing = 0
    /// The largest level so far.
    private(set) var largest: UInt32
    /// The first pixel of this row with that level, if it is larger than those above.
    private(set) var largestColumn: Int?

    fileprivate static let countsCount = 256 * PixelVector.count

    fileprivate init(
        row: Int32, limit: UInt32, largest: UInt32, counts: UnsafeMutableBufferPointer<UInt32>, runs: [DifferingRun]
    ) {
        (self.row, self.limit, self.largest, self.counts, self.runs) = (row, limit, largest, counts, runs)
        unnoted = min(limit, largest)
    }

    /// Counts a pixel.
    @inline(__always)
    mutating func add(_ column: Int, _ level: UInt32) {
        counts[Int(level)] &+= 1
        if level > unnoted { note(column, level) }
    }

    /// Counts four pixels from a column on.
    @inline(__always)
    mutating func addFour(_ column: Int, _ levels: PixelVector.Words) {
        for lane in 0..<PixelVector.count { counts[256 &* lane &+ Int(levels[lane])] &+= 1 }
        // The sign is that of a level that is not larger.
        let smaller = levels &- (unnoted &+ 1)
        guard PixelVector.anyBit(~smaller) >> 31 != 0 else { return }
        for lane in 0..<PixelVector.count where levels[lane] > unnoted { note(column + lane, levels[lane]) }
    }

    @inline(__always)
    private mutating func note(_ column: Int, _ level: UInt32) {
        if level > largest {
            (largest, largestColumn) = (level, column)
            unnoted = min(limit, largest)
        }
        guard level > limit else { return }
        if end != column {
            endRun()
            start = column
        }
        end = column + 1
    }

    /// Adds the run of pixels that differ to the others.
    fileprivate mutating func endRun() {
        guard end > start else { return }
        runs.append(DifferingRun(row: row, start: Int32(start), end: Int32(end)))
        differing += end - start
        start = end
    }

    fileprivate func count(of level: Int) -> Int {
        (0..<PixelVector.count).reduce(0) { $0 + Int(counts[256 * $1 + level]) }
    }
}
