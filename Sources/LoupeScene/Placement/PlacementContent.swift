import LoupeGeometry

/// What of a page lies under a body: a contrast grid on the canvas.
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

    /// What a contrast counts: a faint one a quarter.
    private static func weight(of value: Float) -> Float { value < faint ? value / 4 : value }

    /// - Parameter page: what the grid's page is stretched to, in canvas pixels.
    init(_ grid: ContrastGrid, on page: Rect) {
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
                sum += SIMD2(Self.weight(of: value), value < Self.faint ? 0 : value)
                sums.append(sum)
            }
        }
        self.sums = sums
    }

    /// What lies under a body that is widened by a distance: the mean of all weights, and of what is more than paper, each
    /// 0 … 1. Cells that it touches count whole.
    func mean(under body: PlacementBody, widenedBy margin: Double = 0) -> (all: Double, busy: Double) {
        let radius = body.radius + margin
        let (middle, half) = (body.center.y - page.y, body.core.dy + radius)
        let first = max(0, Int(((middle - half) / cell.height).rounded(.down)))
        let end = min(grid.rows, Int(((middle + half) / cell.height).rounded(.up)))
        guard first < end else { return (0, 0) }
        var sum = SIMD2<Float>.zero
        for row in first..<end {
            // The row's nearest approach to the inner rectangle.
            let (top, bottom) = (Double(row) * cell.height, Double(row + 1) * cell.height)
            let away = max(top - (middle + body.core.dy), middle - body.core.dy - bottom, 0)
            let reach = body.core.dx + max(0, radius * radius - away * away).squareRoot()
            let from = Int(((body.center.x - page.x - reach) / cell.width).rounded(.down))
            let to = Int(((body.center.x - page.x + reach) / cell.width).rounded(.up))
            let (left, right) = (max(0, from), min(grid.columns, to))
            guard left < right else { continue }
            sum += sums[row * (grid.columns + 1) + right] - sums[row * (grid.columns + 1) + left]
        }
        let part = cell.width * cell.height / body.area
        return (min(1, Double(sum.x) * part), min(1, Double(sum.y) * part))
    }

    /// The contrast at a point, 0 … 1; 0 beyond the page.
    func value(at point: Point) -> Double {
        let column = Int(((point.x - page.x) / cell.width).rounded(.down))
        let row = Int(((point.y - page.y) / cell.height).rounded(.down))
        guard 0..<grid.columns ~= column, 0..<grid.rows ~= row else { return 0 }
        return Double(Self.weight(of: grid.values[row * grid.columns + column]))
    }

    /// How much of the canvas shows nothing but paper, in square pixels.
    func freeArea(on canvas: Rect) -> Double {
        let busy = grid.values.reduce(0) { $0 + ($1 < Self.faint ? 0 : 1) }
        return max(0, canvas.width * canvas.height - Double(busy) * cell.width * cell.height)
    }
}
