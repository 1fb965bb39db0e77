import LoupeBase
import LoupeImaging
import LoupeSystem

/// Finds the regions in which methods differ most.
package enum DifferingRegions {
    /// Regions of one size, apart from each other, in the order in which methods differ: those where the mean squared error
    /// of the worst method is farthest above that of the best one; of a single method, where its error is largest.
    /// - Parameters:
    ///   - count: how many; fewer are found where there is no room.
    ///   - reference: opaque.
    ///   - actuals: of its size, opaque, not empty.
    package static func find(_ count: Int, reference: Image, actuals: [Image]) -> [PixelRect] {
        // Windows of 8 × 6 cells, a tenth of the longer side wide; half a window stays free between them. A long picture is a
        // cell high.
        let (longer, shorter) = (max(reference.width, reference.height), min(reference.width, reference.height))
        let cell = min(max(1, longer / 80), shorter)
        let (columns, rows) = (reference.width / cell, reference.height / cell)
        let (wide, high) = (min(8, columns), min(6, rows))
        let sums = Threads.map(actuals.count) { integral(reference, actuals[$0], cell, columns, rows) }
        var windows: [(score: Int, column: Int, row: Int)] = []
        for row in 0...rows - high {
            for column in 0...columns - wide {
                let errors = sums.map { sums in
                    func sum(_ x: Int, _ y: Int) -> Int { sums[y * (columns + 1) + x] }
                    return sum(column + wide, row + high) - sum(column, row + high) - sum(column + wide, row)
                        + sum(column, row)
                }
                let best = errors.count > 1 ? errors.min() ?? 0 : 0
                windows.append(((errors.max() ?? 0) - best, column, row))
            }
        }
        var found: [(column: Int, row: Int)] = []
        // The upper left one of those that are alike.
        for window in windows.sorted(by: { ($0.score, $1.row, $1.column) > ($1.score, $0.row, $0.column) }) {
            guard found.count < count else { break }
            let isFree = found.allSatisfy {
                abs($0.column - window.column) >= wide + wide / 2 || abs($0.row - window.row) >= high + high / 2
            }
            if isFree { found.append((window.column, window.row)) }
        }
        return found.map { column, row in
            PixelRect(
                minX: column * cell, minY: row * cell, maxX: (column + wide) * cell, maxY: (row + high) * cell)
        }
    }

    /// The sums of squared differences in all cells above and left of each corner of a cell.
    private static func integral(_ a: Image, _ b: Image, _ cell: Int, _ columns: Int, _ rows: Int) -> [Int] {
        let (width, stride) = (a.width, columns + 1)
        var sums = [Int](repeating: 0, count: stride * (rows + 1))
        a.pixels.withUnsafeBufferPointer { a in
            b.pixels.withUnsafeBufferPointer { b in
                for y in 0..<rows * cell {
                    for column in 0..<columns {
                        var sum = 0
                        // Alpha is the same in both.
                        for index in 4 * (y * width + column * cell)..<4 * (y * width + (column + 1) * cell) {
                            let difference = Int(a[index]) - Int(b[index])
                            sum &+= difference &* difference
                        }
                        sums[(y / cell + 1) * stride + column + 1] &+= sum
                    }
                }
            }
        }
        for row in 1...rows {
            for column in 1...columns {
                sums[row * stride + column] +=
                    sums[row * stride + column - 1] + sums[(row - 1) * stride + column]
                    - sums[(row - 1) * stride + column - 1]
            }
        }
        return sums
    }
}
