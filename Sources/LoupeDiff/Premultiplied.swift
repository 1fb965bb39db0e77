/// The channels that the metric `channel` compares.
enum Premultiplied {
    /// Red, green, blue and alpha of a straight RGBA word (red in its lowest byte), colours times alpha, rounded to
    /// nearest; each 0…255.
    @inline(__always)
    static func channels(of word: UInt32) -> SIMD4<UInt32> {
        let straight = SIMD4(word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24)
        let alpha = straight.w
        guard alpha != 255 else { return straight }
        // 255 is odd, so no quotient ends in a half.
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
