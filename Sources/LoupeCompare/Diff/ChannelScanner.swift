/// Compares rows by the metric `channel`.
struct ChannelScanner {
    let tolerance: Tolerance

    /// Adds the pixels of a row that are not equal to `tally`.
    func scan(_ pair: RowPair, row: Int, into tally: inout Tally) {
        pair.forEachUnequalChunk { columns in
            for column in columns { scanOne(pair, column, row, into: &tally) }
        }
    }

    @inline(__always)
    private func scanOne(_ pair: RowPair, _ column: Int, _ row: Int, into tally: inout Tally) {
        let words = pair.words(at: column)
        let difference = Premultiplied.difference(words.reference, words.actual)
        // Colours of transparent pixels may differ without effect.
        guard difference > 0 else { return }
        let region = tally.region(column, row)
        tally.add(column, row, level: difference, in: region, differs: Double(difference) > tolerance[region])
    }
}

/// The channels that the metric `channel` compares.
enum Premultiplied {
    /// Premultiplied red, green, blue and alpha of a straight RGBA word with red in its lowest byte. Each is 0…255, colours
    /// are rounded to nearest.
    @inline(__always)
    static func channels(of word: UInt32) -> SIMD4<UInt32> {
        let straight = SIMD4(word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24)
        let alpha = straight.w
        guard alpha != 255 else { return straight }
        // 255 is odd, so no quotient is half-way between two integers.
        var premultiplied = (straight &* SIMD4(repeating: alpha) &+ SIMD4(repeating: 127)) / SIMD4(repeating: 255)
        premultiplied.w = alpha
        return premultiplied
    }

    /// The largest difference of a premultiplied channel of two words, 0…255.
    @inline(__always)
    static func difference(_ a: UInt32, _ b: UInt32) -> Int {
        let (a, b) = (channels(of: a), channels(of: b))
        return Int((pointwiseMax(a, b) &- pointwiseMin(a, b)).max())
    }
}
