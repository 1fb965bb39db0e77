/// Compares rows by the metric `yiq`.
struct YIQScanner {
    /// The δ above which a pixel differs.
    private let limit: Double
    /// Nil if anti-aliased pixels are compared too.
    private let antialiasing: AntialiasingTest?

    init(threshold: Double, antialiasing: AntialiasingTest?) {
        limit = Self.delta(ofThreshold: threshold)
        self.antialiasing = antialiasing
    }

    /// The δ above which a pixel differs at a threshold.
    static func delta(ofThreshold threshold: Double) -> Double { YIQ.largestDelta * threshold * threshold }

    /// The smallest threshold at which a pixel with this δ does not differ.
    static func threshold(ofDelta delta: Double) -> Double {
        var threshold = (delta / YIQ.largestDelta).squareRoot()
        while Self.delta(ofThreshold: threshold) < delta { threshold = threshold.nextUp }
        return threshold
    }

    /// Adds the pixels of a row that are not equal to `tally`.
    func scan(_ pair: RowPair, row: Int, width: Int, into tally: inout Tally) {
        pair.forEachUnequalChunk { columns in
            for column in columns { scanOne(pair, column, row, width, into: &tally) }
        }
    }

    @inline(__always)
    private func scanOne(_ pair: RowPair, _ column: Int, _ row: Int, _ width: Int, into tally: inout Tally) {
        let words = pair.words(at: column)
        guard words.reference != words.actual else { return }
        let delta = YIQ.delta(words.reference, words.actual, offset: (row * width + column) * 4)
        let differs = delta > limit
        if differs, let antialiasing, antialiasing.isAntialiased(column, row) { return }
        tally.add(column, row, delta: delta, differs: differs)
    }
}

/// The colour difference of pixelmatch 7.2.0, after Kotsarenko and Ramos, "Measuring perceived color difference using
/// YIQ NTSC transmission color space in mobile applications" (2010). Sums are in the same order as in pixelmatch, so
/// that results are bit for bit the same.
enum YIQ {
    /// The largest possible δ, that of black and white.
    static let largestDelta = 35215.0

    /// The δ of two RGBA words, 0…35215.
    ///
    /// - Parameter offset: The pixel's byte offset in its picture. It selects the background under translucent pixels.
    @inline(__always)
    static func delta(_ a: UInt32, _ b: UInt32, offset: Int) -> Double {
        let d = rgb(a, b, offset: offset)
        let y = luma(d)
        let i = d.x * 0.59597799 - d.y * 0.27417610 - d.z * 0.32180189
        let q = d.x * 0.21147017 - d.y * 0.52261711 + d.z * 0.31114694
        return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
    }

    /// How much brighter `a` is than `b`.
    @inline(__always)
    static func brightness(_ a: UInt32, over b: UInt32, offset: Int) -> Double {
        a == b ? 0 : luma(rgb(a, b, offset: offset))
    }

    @inline(__always)
    private static func luma(_ d: SIMD3<Double>) -> Double {
        d.x * 0.29889531 + d.y * 0.58662247 + d.z * 0.11448223
    }

    @inline(__always)
    private static func rgb(_ a: UInt32, _ b: UInt32, offset: Int) -> SIMD3<Double> {
        guard a & b >= 0xff00_0000 else { return blendedRGB(a, b, offset: offset) }
        return channels(a) - channels(b)
    }

    /// The difference of both composited over a background that varies from pixel to pixel.
    private static func blendedRGB(_ a: UInt32, _ b: UInt32, offset: Int) -> SIMD3<Double> {
        let (alphaA, alphaB) = (Double(a >> 24), Double(b >> 24))
        let offset = Double(offset)
        let pattern = SIMD3(
            48 + 159 * parity(offset), 48 + 159 * parity(offset / 1.618033988749895),
            48 + 159 * parity(offset / 2.618033988749895))
        return (channels(a) * alphaA - channels(b) * alphaB - pattern * (alphaA - alphaB)) / 255
    }

    /// ⌊x⌋ mod 2.
    private static func parity(_ x: Double) -> Double { Double(Int(x) & 1) }

    @inline(__always)
    private static func channels(_ word: UInt32) -> SIMD3<Double> {
        SIMD3(
            Double(Int32(truncatingIfNeeded: word & 255)), Double(Int32(truncatingIfNeeded: word >> 8 & 255)),
            Double(Int32(truncatingIfNeeded: word >> 16 & 255)))
    }
}
