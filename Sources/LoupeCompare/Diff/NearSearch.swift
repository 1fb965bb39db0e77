/// Compares a pixel with the pixels around its place in the other picture, so that what lies a little aside passes.
///
/// Both ways count: a pixel of the reference has to be in the actual picture, and a pixel of the actual picture in the
/// reference. So a line that vanished does not pass, although all that is there now was there before.
struct NearSearch: Sendable {
    /// How far aside, in pixels each way.
    let radius: Int
    let reference: PixelGrid
    let actual: PixelGrid

    /// The radii that comparisons may have.
    static let radiusRange = 0...8

    /// Nil for a radius of 0.
    init?(radius: Int, _ reference: PixelGrid, _ actual: PixelGrid) {
        guard radius > 0 else { return nil }
        (self.radius, self.reference, self.actual) = (radius, reference, actual)
    }

    /// The larger of two numbers: the smallest difference of the reference's pixel from those near its place in the actual
    /// picture, and that of the actual picture's pixel from those in the reference.
    /// - Parameter measure: The difference of a pixel of the reference and one of the actual picture.
    func difference<Number: Comparable & ExpressibleByIntegerLiteral>(
        _ column: Int, _ row: Int, _ measure: (UInt32, UInt32) -> Number
    ) -> Number {
        let (mine, other) = (reference[column, row], actual[column, row])
        let there = smallest(around: column, row, in: actual) { measure(mine, $0) }
        let back = smallest(around: column, row, in: reference) { measure($0, other) }
        return max(there, back)
    }

    private func smallest<Number: Comparable & ExpressibleByIntegerLiteral>(
        around column: Int, _ row: Int, in grid: PixelGrid, _ measure: (UInt32) -> Number
    ) -> Number {
        var best = measure(grid[column, row])
        for y in max(row - radius, 0)...min(row + radius, grid.height - 1) {
            for x in max(column - radius, 0)...min(column + radius, grid.width - 1) {
                if best == 0 { return best }
                best = min(best, measure(grid[x, y]))
            }
        }
        return best
    }
}
