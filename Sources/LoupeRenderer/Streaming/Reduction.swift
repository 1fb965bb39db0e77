import Dispatch
import LoupeGeometry
import LoupePlan
import LoupeScene

/// Both directions of a separable filter on the CPU, while the rows of the image come by.
final class Reduction {
    /// The pixels that come out.
    let block: PixelRect
    /// Finished pixels as `FilteredRows` holds them.
    private(set) var pixels: [UInt16]

    private let columns: ColumnFilter
    private let rows: FilterTable
    private let rowWeights: [[Int]]
    /// Output rows that have begun and not ended, by their place in the block, and their sums.
    private var open: [(row: Int, sums: [SIMD4<Int32>])] = []
    private var nextRow = 0

    init(columns: FilterTable, rows: FilterTable, block: PixelRect, blending: Blending) {
        self.block = block
        self.columns = ColumnFilter(columns, blending: blending)
        self.rows = rows
        rowWeights = rows.firstTexels.indices.map(rows.wholeWeights(ofPixelAt:))
        pixels = [UInt16](repeating: 0, count: block.pixelCount * 4)
    }

    /// Takes some of the image's rows, in order.
    /// - Parameters:
    ///   - band: pixels of straight RGBA.
    ///   - width: of the image.
    func take(_ band: UnsafeBufferPointer<UInt32>, width: Int, rows indices: Range<Int>) {
        let needed = indices.clamped(to: rows.texels)
        guard !needed.isEmpty, let start = band.baseAddress else { return }
        let count = columns.count
        withUnsafeTemporaryAllocation(of: SIMD4<Int32>.self, capacity: needed.count * count) { filtered in
            nonisolated(unsafe) let (from, to) = (start, filtered.baseAddress.unsafelyUnwrapped)
            let columns = columns
            DispatchQueue.concurrentPerform(iterations: needed.count) { index in
                let row = needed.lowerBound + index - indices.lowerBound
                columns.filter(from + row * width, into: to + index * count)
            }
            for (index, row) in needed.enumerated() { add(to + index * count, row: row) }
        }
    }

    private func add(_ filtered: UnsafePointer<SIMD4<Int32>>, row: Int) {
        while nextRow < rows.firstTexels.count, rows.firstTexels[nextRow] <= row {
            open.append((nextRow, [SIMD4<Int32>](repeating: .zero, count: columns.count)))
            nextRow += 1
        }
        for index in open.indices {
            let tap = row - rows.firstTexels[open[index].row]
            let weight = Int32(rowWeights[open[index].row][tap])
            open[index].sums.withUnsafeMutableBufferPointer { sums in
                for x in sums.indices { sums[x] &+= filtered[x] &* weight }
            }
        }
        open.removeAll { output in
            guard row >= min(rows.firstTexels[output.row] + rows.taps, rows.texels.upperBound) - 1 else { return false }
            finish(output.row, output.sums)
            return true
        }
    }

    private func finish(_ row: Int, _ sums: [SIMD4<Int32>]) {
        var place = row * block.width * 4
        for sum in sums {
            let value = FilterChannel.finished(sum) &+ FilterChannel.fullFixed
            for channel in 0..<4 { pixels[place + channel] = UInt16(truncatingIfNeeded: value[channel]) }
            place += 4
        }
    }
}
