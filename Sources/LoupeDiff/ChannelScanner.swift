/// The metric `channel`: compares rows, four pixels at once.
struct ChannelScanner {
    let tolerance: Tolerance

    /// Adds every pixel of a row that is not equal to `tally`.
    func scan(_ pair: RowPair, row: Int, into tally: inout Tally) {
        pair.forEachUnequalChunk { columns in
            var column = columns.lowerBound
            while column < columns.upperBound {
                if column + PixelVector.count <= columns.upperBound {
                    scanFour(pair, column, row, into: &tally)
                    column += PixelVector.count
                } else {
                    scanOne(pair, column, row, into: &tally)
                    column += 1
                }
            }
        }
    }

    @inline(__always)
    private func scanFour(_ pair: RowPair, _ column: Int, _ row: Int, into tally: inout Tally) {
        let (a, b) = pair.vectors(at: column)
        guard PixelVector.areOpaque(a & b) else {
            for place in column..<(column + PixelVector.count) { scanOne(pair, place, row, into: &tally) }
            return
        }
        let differences = PixelVector.largestDifferences(a, b)
        guard PixelVector.anyBit(differences) != 0 else { return }
        for lane in 0..<PixelVector.count {
            add(Int(differences[lane]), column + lane, row, to: &tally)
        }
    }

    @inline(__always)
    private func scanOne(_ pair: RowPair, _ column: Int, _ row: Int, into tally: inout Tally) {
        let words = pair.words(at: column)
        guard words.reference != words.actual else { return }
        add(Premultiplied.difference(words.reference, words.actual), column, row, to: &tally)
    }

    @inline(__always)
    private func add(_ difference: Int, _ column: Int, _ row: Int, to tally: inout Tally) {
        // Colours under no alpha may differ unseen.
        guard difference > 0, !tally.isExcluded(column, row) else { return }
        let region = tally.region(column, row)
        tally.add(column, row, level: difference, in: region, differs: difference > tolerance[region])
    }
}
