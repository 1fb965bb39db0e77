/// The differences found in some rows: where pixels differ and by how much.
struct Tally: Sendable {
    /// The differences in one region of the picture, or in the whole picture if no scene was given.
    struct Part: Sendable {
        /// For the metric `channel`, how many pixels differ by each level, within tolerance or not. Equal pixels are not
        /// counted. Of 16 bits, the level is rounded up.
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

    /// Counts a pixel of the metric `channel` in 16 bits.
    /// - Parameter steps: the difference in 1/65535.
    @inline(__always)
    mutating func add(_ column: Int, _ row: Int, steps: Int, in region: PictureRegion?, differs: Bool) {
        parts[partIndex(of: region)].levels[(steps + 256) / 257] += 1
        add(column, row, difference: Double(steps) / 257, in: region, differs: differs)
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
