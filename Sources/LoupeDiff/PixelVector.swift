/// Arithmetic on four RGBA words at once: as many as every machine has registers for. The compiler takes wider
/// vectors apart lane by lane.
enum PixelVector {
    typealias Words = SIMD4<UInt32>
    static let count = Words.scalarCount

    /// All lanes, or-ed.
    @inline(__always)
    static func anyBit(_ words: Words) -> UInt32 {
        let two = words.lowHalf | words.highHalf
        return two.x | two.y
    }

    /// Whether the alpha of each word is 255.
    @inline(__always)
    static func areOpaque(_ words: Words) -> Bool {
        anyBit(~words) & 0xff00_0000 == 0
    }

    /// The largest difference of a byte of each pair of words, 0…255.
    @inline(__always)
    static func largestDifferences(_ a: Words, _ b: Words) -> Words {
        let (a, b) = (bytes(a), bytes(b))
        let channels = pointwiseMax(a, b) &- pointwiseMin(a, b)
        let pairs = pointwiseMax(channels, bytes(words(channels) &>> 16))
        return words(pointwiseMax(pairs, bytes(words(pairs) &>> 8))) & 255
    }

    @inline(__always)
    private static func bytes(_ words: Words) -> SIMD16<UInt8> { unsafeBitCast(words, to: SIMD16<UInt8>.self) }

    @inline(__always)
    private static func words(_ bytes: SIMD16<UInt8>) -> Words { unsafeBitCast(bytes, to: Words.self) }
}
