/// The metric `channel`: compares rows, sixteen pixels at once.
struct ChannelScanner {
    let tolerance: Tolerance

    /// Adds every pixel of a row that is not equal to `tally`.
    func scan(_ pair: RowPair, row: Int, into tally: inout Tally) {
        pair.forEachUnequalChunk { columns in
            guard columns.count == RowPair.chunk, let differences = opaqueDifferences(pair, at: columns.lowerBound)
            else {
                for column in columns {
                    let words = pair.words(at: column)
                    guard words.reference != words.actual else { continue }
                    add(Premultiplied.difference(words.reference, words.actual), column, row, to: &tally)
                }
                return
            }
            for (lane, column) in columns.enumerated() where differences[lane] != 0 {
                add(Int(differences[lane]), column, row, to: &tally)
            }
        }
    }

    @inline(__always)
    private func add(_ difference: Int, _ column: Int, _ row: Int, to tally: inout Tally) {
        // Colours under no alpha may differ unseen.
        guard difference > 0, !tally.isExcluded(column, row) else { return }
        let region = tally.region(column, row)
        tally.add(column, row, level: difference, in: region, differs: difference > tolerance[region])
    }

    /// The largest channel difference of each pixel of a chunk, or nil where a pixel is not opaque.
    @inline(__always)
    private func opaqueDifferences(_ pair: RowPair, at column: Int) -> SIMD16<UInt32>? {
        let a = pair.bytes(of: pair.reference, at: column)
        let b = pair.bytes(of: pair.actual, at: column)
        let colors = SIMD16<UInt32>(repeating: 0x00ff_ffff as UInt32)
        let alphas = unsafeBitCast(a & b, to: SIMD16<UInt32>.self) | colors
        guard alphas.min() == .max else { return nil }
        var largest = pointwiseMax(a, b) &- pointwiseMin(a, b)
        largest = pointwiseMax(
            largest, unsafeBitCast(unsafeBitCast(largest, to: SIMD16<UInt32>.self) &>> 16, to: RowPair.Bytes.self))
        largest = pointwiseMax(
            largest, unsafeBitCast(unsafeBitCast(largest, to: SIMD16<UInt32>.self) &>> 8, to: RowPair.Bytes.self))
        return unsafeBitCast(largest, to: SIMD16<UInt32>.self) & 255
    }
}
