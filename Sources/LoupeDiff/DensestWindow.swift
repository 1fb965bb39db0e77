import LoupeGeometry

/// Finds the square in which the most pixels differ.
enum DensestWindow {
    /// The window's side in pixels. A picture's side if that is shorter.
    static let side = 32

    /// The densest window; the topmost, then the leftmost of equal ones. Nil if no pixel differs.
    ///
    /// - Parameter runs: The differing pixels, in reading order.
    static func find(in runs: [DifferingRun], width: Int, height: Int) -> Box? {
        guard !runs.isEmpty else { return nil }
        let (wide, high) = (min(side, width), min(side, height))
        let rows = RowIndex(runs, height: height)
        // The number of differing pixels in each column of the window's rows, and in all columns.
        var columns = [Int32](repeating: 0, count: width)
        var total = 0
        var best: Box?
        for top in (1 - high)...(height - high) {
            for run in rows[top + high - 1] { change(&columns, run, by: 1, &total) }
            for run in rows[top - 1] { change(&columns, run, by: -1, &total) }
            guard top >= 0, total > best?.differingPixels ?? 0 else { continue }
            let densest = densestSpan(of: columns, wide)
            guard densest.sum > best?.differingPixels ?? 0 else { continue }
            let bounds = PixelRect(minX: densest.start, minY: top, maxX: densest.start + wide, maxY: top + high)
            best = Box(bounds: bounds, differingPixels: densest.sum)
        }
        return best
    }

    private static func change(_ columns: inout [Int32], _ run: DifferingRun, by step: Int32, _ total: inout Int) {
        for column in run.columns { columns[column] += step }
        total += run.count * Int(step)
    }

    private static func densestSpan(of columns: [Int32], _ wide: Int) -> (start: Int, sum: Int) {
        columns.withUnsafeBufferPointer { columns in
            var sum = columns[..<wide].reduce(0, &+)
            var best = (start: 0, sum: sum)
            for start in 1..<max(columns.count - wide + 1, 1) {
                sum = sum &+ columns[start + wide - 1] &- columns[start - 1]
                if sum > best.sum { best = (start, sum) }
            }
            return (best.start, Int(best.sum))
        }
    }
}

/// The runs of each row.
private struct RowIndex {
    private let runs: [DifferingRun]
    /// For each row, the index of the first run in it or below it.
    private let starts: [Int]

    init(_ runs: [DifferingRun], height: Int) {
        self.runs = runs
        var starts = [Int](repeating: 0, count: height + 1)
        for run in runs { starts[Int(run.row) + 1] += 1 }
        for row in 0..<height { starts[row + 1] += starts[row] }
        self.starts = starts
    }

    /// The runs of a row; none for a row outside the picture.
    subscript(row: Int) -> ArraySlice<DifferingRun> {
        row >= 0 && row < starts.count - 1 ? runs[starts[row]..<starts[row + 1]] : []
    }
}
