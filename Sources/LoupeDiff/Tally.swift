/// What was found in some rows: where pixels differ, and by how much.
struct Tally: Sendable {
    /// The differences in one region of the picture, or in all of it where no regions are told apart.
    struct Part: Sendable {
        /// How many pixels differ by each level of the metric `channel`, those within tolerance included, and equal
        /// pixels not; empty for other metrics.
        var levels: [Int]
        /// How many are beyond tolerance.
        var differing = 0
        /// The largest difference, within tolerance or not, in the metric's own unit.
        var largest = 0.0
    }

    private let excluded: [Bool]?
    private let width: Int
    private let regions: RegionMap?

    private(set) var runs: [DifferingRun] = []
    private(set) var parts: [Part]
    /// δ of each differing pixel of the metric `yiq`.
    private(set) var deltas: [Double] = []
    /// The first of the largest differences.
    private(set) var largest = 0.0
    private(set) var largestAt: (column: Int, row: Int)?

    init(width: Int, excluded: [Bool]?, regions: RegionMap?, hasLevels: Bool) {
        self.width = width
        self.excluded = excluded
        self.regions = regions
        let part = Part(levels: hasLevels ? [Int](repeating: 0, count: 256) : [])
        parts = [Part](repeating: part, count: regions == nil ? 1 : PictureRegion.allCases.count)
    }

    @inline(__always)
    func isExcluded(_ column: Int, _ row: Int) -> Bool {
        excluded.map { $0[row * width + column] } ?? false
    }

    @inline(__always)
    func region(_ column: Int, _ row: Int) -> PictureRegion? {
        regions?.region(column: column, row: row)
    }

    /// Counts a pixel of the metric `channel`.
    @inline(__always)
    mutating func add(_ column: Int, _ row: Int, level: Int, in region: PictureRegion?, differs: Bool) {
        parts[place(of: region)].levels[level] += 1
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
        let place = place(of: region)
        if difference > parts[place].largest { parts[place].largest = difference }
        if difference > largest {
            largest = difference
            largestAt = (column, row)
        }
        guard differs else { return }
        parts[place].differing += 1
        if let last = runs.last, last.row == Int32(row), last.end == Int32(column) {
            runs[runs.count - 1].end += 1
        } else {
            runs.append(DifferingRun(row: Int32(row), start: Int32(column), end: Int32(column) + 1))
        }
    }

    @inline(__always)
    private func place(of region: PictureRegion?) -> Int {
        region?.place ?? 0
    }

    /// Takes in what was found in the rows below.
    mutating func append(_ below: Tally) {
        runs += below.runs
        deltas += below.deltas
        for place in parts.indices {
            parts[place].differing += below.parts[place].differing
            parts[place].largest = max(parts[place].largest, below.parts[place].largest)
            for level in parts[place].levels.indices {
                parts[place].levels[level] += below.parts[place].levels[level]
            }
        }
        if below.largest > largest {
            largest = below.largest
            largestAt = below.largestAt
        }
    }
}
