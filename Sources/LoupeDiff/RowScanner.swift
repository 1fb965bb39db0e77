/// Finds the differing pixels of a row, by whichever metric.
struct RowScanner: Sendable {
    let metric: Metric
    let pair: PicturePair
    let reference: PixelGrid
    let actual: PixelGrid

    func scan(row: Int, into tally: inout Tally) {
        let columns = pair.columns(inRow: row)
        let rows = RowPair(reference: reference.row(row), actual: actual.row(row), count: columns.common)
        switch metric {
        case .channel(let tolerance):
            ChannelScanner(tolerance: tolerance).scan(rows, row: row, into: &tally)
        case .yiq(let threshold, let includesAntialiased):
            let test = includesAntialiased ? nil : AntialiasingTest(reference: reference, actual: actual)
            YIQScanner(threshold: threshold, antialiasing: test).scan(rows, row: row, width: pair.width, into: &tally)
        }
        for column in columns.common..<columns.either where !tally.isExcluded(column, row) {
            addMissing(column, row, to: &tally)
        }
    }

    /// A pixel that only one of the pictures has.
    private func addMissing(_ column: Int, _ row: Int, to tally: inout Tally) {
        switch metric {
        case .channel: tally.add(column, row, level: 255, in: tally.region(column, row), differs: true)
        case .yiq: tally.add(column, row, delta: YIQ.largestDelta, differs: true)
        }
    }
}
