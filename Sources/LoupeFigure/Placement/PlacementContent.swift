import LoupeBase
import LoupeScene

/// The page content under a body, as a contrast grid on the canvas.
struct PlacementContent {
    private let grid: ContrastGrid
    /// The page, in canvas pixels.
    private let page: Rect
    /// The size of a cell, in canvas pixels.
    private let cell: (width: Double, height: Double)
    /// The sums of the weights to the left of each cell, and of those that are more than paper, `grid.columns + 1` for
    /// each row.
    private let sums: [SIMD2<Float>]

    /// Contrasts below this are those of paper: faint grids and borders, even surfaces, the noise of a photograph.
    static let faint: Float = 0.2

    /// - Parameters:
    ///   - page: what the grid's page is stretched to, in canvas pixels.
    ///   - faint: contrasts below this count a quarter, and not as text and data.
    init(_ grid: ContrastGrid, on page: Rect, faint: Float = PlacementContent.faint) {
        (self.grid, self.page) = (grid, page)
        cell = (
            Double(grid.cell) * page.width / Double(grid.width), Double(grid.cell) * page.height / Double(grid.height)
        )
        var sums: [SIMD2<Float>] = []
        sums.reserveCapacity((grid.columns + 1) * grid.rows)
        for row in 0..<grid.rows {
            var sum = SIMD2<Float>.zero
            sums.append(sum)
            for column in 0..<grid.columns {
                let value = grid.values[row * grid.columns + column]
                sum += value < faint ? SIMD2(value / 4, 0) : SIMD2(value, value)
                sums.append(sum)
            }
        }
        self.sums = sums
    }

    /// What lies under a body: the mean of all weights, and of what is more than paper, each 0 … 1; and the mean of all
    /// weights under the body if it were wider by a margin. Cells that it touches count whole.
    func means(under body: PlacementBody, widenedBy margin: Double = 0) -> (
        mean: (all: Double, busy: Double), beside: Double
    ) {
        let radius = body.radius + margin
        let (across, middle) = (body.center.x - page.x, body.center.y - page.y)
        let (first, end) = Self.cells(
            from: middle - body.core.dy - radius, to: middle + body.core.dy + radius, cell.height, grid.rows)
        let (top, bottom) = Self.cells(
            from: middle - body.core.dy - body.radius, to: middle + body.core.dy + body.radius, cell.height, grid.rows)
        var (sum, beside) = (SIMD2<Float>.zero, Float.zero)
        sums.withUnsafeBufferPointer { sums in
            for row in first..<max(first, end) {
                // The row's nearest approach to the inner rectangle.
                let (above, below) = (Double(row) * cell.height, Double(row + 1) * cell.height)
                let away = max(above - (middle + body.core.dy), middle - body.core.dy - below, 0)
                func part(_ radius: Double) -> SIMD2<Float> {
                    let reach = body.core.dx + max(0, radius * radius - away * away).squareRoot()
                    let (left, right) = Self.cells(from: across - reach, to: across + reach, cell.width, grid.columns)
                    guard left < right else { return .zero }
                    let start = row * (grid.columns + 1)
                    return sums[start + right] - sums[start + left]
                }
                if margin > 0 { beside += part(radius).x }
                if top..<max(top, bottom) ~= row { sum += part(body.radius) }
            }
        }
        let part = cell.width * cell.height / body.area
        let mean = (all: min(1, Double(sum.x) * part), busy: min(1, Double(sum.y) * part))
        return (mean, margin > 0 ? min(1, Double(beside) * part) : mean.all)
    }

    /// The cells that a length touches.
    private static func cells(from start: Double, to end: Double, _ size: Double, _ count: Int) -> (Int, Int) {
        let (first, last) = (start / size, end / size)
        let whole = Int(last)
        return (max(0, Int(first)), min(count, Double(whole) < last ? whole + 1 : whole))
    }

    /// How much of a connector runs over what is more than paper, 0 … 1.
    func mean(along strip: PlacementStrip) -> Double {
        let samples = 12
        var sum = 0.0
        for line in 0..<strip.lineCount {
            for sample in 0..<samples {
                sum += value(at: strip.point((Double(sample) + 0.5) / Double(samples), ofLine: line))
            }
        }
        return sum / Double(strip.lineCount * samples)
    }

    /// Whether nothing but paper lies under a connector outside of its source.
    func isPaper(along strip: PlacementStrip, from source: PlacementBody) -> Bool {
        let samples = max(1, Int(bounded: 2 * strip.length / min(cell.width, cell.height)))
        return (0..<strip.lineCount).allSatisfy { line in
            (0...samples).allSatisfy { sample in
                let point = strip.point(Double(sample) / Double(samples), ofLine: line)
                guard let index = index(at: point), grid.values[index] > ContrastGrid.mostOfEven else { return true }
                // What lies in the ring is no text under the line.
                let (row, column) = index.quotientAndRemainder(dividingBy: grid.columns)
                let middle = Point(
                    x: page.x + (Double(column) + 0.5) * cell.width, y: page.y + (Double(row) + 0.5) * cell.height)
                return source.distance(to: PlacementBody(at: middle)) <= 0
            }
        }
    }

    /// How busy the page is under a text's box, 0 … 1. Faint lines count in full, as they strike out small letters.
    func busy(under rect: Rect) -> Double {
        let mean = means(under: PlacementBody(rect)).mean
        return min(1, mean.busy + 4 * max(0, mean.all - mean.busy))
    }

    /// The contrast at a point, 0 … 1; 0 for paper, and beyond the page.
    private func value(at point: Point) -> Double {
        let value = index(at: point).map { grid.values[$0] } ?? 0
        return value < Self.faint ? 0 : Double(value)
    }

    /// The cell at a point; nil beyond the page.
    private func index(at point: Point) -> Int? {
        let (across, down) = ((point.x - page.x) / cell.width, (point.y - page.y) / cell.height)
        guard across >= 0, down >= 0, across < Double(grid.columns), down < Double(grid.rows) else { return nil }
        return Int(down) * grid.columns + Int(across)
    }
}
