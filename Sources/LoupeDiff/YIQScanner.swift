/// The metric `yiq`: compares rows; equal pixels are passed over sixteen at once.
struct YIQScanner {
    /// δ above which a pixel differs.
    private let limit: Double
    /// Nil where anti-aliased pixels count too.
    private let antialiasing: AntialiasingTest?

    init(threshold: Double, antialiasing: AntialiasingTest?) {
        limit = Self.delta(ofThreshold: threshold)
        self.antialiasing = antialiasing
    }

    static func delta(ofThreshold threshold: Double) -> Double { YIQ.largestDelta * threshold * threshold }

    /// The smallest threshold at which a pixel of this δ does not differ.
    static func threshold(ofDelta delta: Double) -> Double {
        var threshold = (delta / YIQ.largestDelta).squareRoot()
        while Self.delta(ofThreshold: threshold) < delta { threshold = threshold.nextUp }
        return threshold
    }

    /// Adds every pixel of a row that is not equal and not left out to `tally`.
    func scan(_ pair: RowPair, row: Int, width: Int, into tally: inout Tally) {
        pair.forEachUnequalChunk { columns in
            for column in columns {
                let words = pair.words(at: column)
                guard words.reference != words.actual, !tally.isExcluded(column, row) else { continue }
                let delta = YIQ.delta(words.reference, words.actual, offset: (row * width + column) * 4)
                let differs = delta > limit
                if differs, let antialiasing, antialiasing.isAntialiased(column, row) { continue }
                tally.add(column, row, delta: delta, differs: differs)
            }
        }
    }
}
