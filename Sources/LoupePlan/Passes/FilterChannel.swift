import LoupeScene

/// The numbers of separable filters, the same as in `filter-sums.glsl` and `horizontal-pass.frag`.
package enum FilterChannel {
    /// A full channel.
    static let full: Int32 = 32640
    /// A full channel between the passes, and after the second.
    package static let fullFixed: Int32 = 16320

    /// The channel of each stored byte, straight, in the working space.
    /// - Parameter isLinear: whether that is linear light.
    package static func table(isLinear: Bool) -> [Float] {
        isLinear
            ? Color.decodedBytes.map { Float(($0 * Double(full)).rounded()) } : (0...255).map { Float($0 * 128) }
    }

    /// A sum of the first pass, as it is stored for the second.
    @inline(__always)
    package static func fixed(_ sum: SIMD4<Int32>) -> SIMD4<Int32> {
        clamped((sum &+ 8192) &>> 14)
    }

    /// A sum of the second pass.
    @inline(__always)
    package static func finished(_ sum: SIMD4<Int32>) -> SIMD4<Int32> {
        clamped((sum &+ 4096) &>> 13)
    }

    @inline(__always)
    package static func clamped(_ value: SIMD4<Int32>) -> SIMD4<Int32> {
        value.clamped(lowerBound: SIMD4(repeating: -fullFixed), upperBound: SIMD4(repeating: 65535 - fullFixed))
    }
}
