import LoupeScene

/// The numbers of separable filters, the same as in `filter-sums.glsl` and `horizontal-pass.frag`.
enum FilterChannel {
    /// A full channel.
    static let full: Int32 = 32640
    /// A full channel between the passes, and after the second.
    static let fullFixed: Int32 = 16320

    /// The channel of each stored byte, straight, in the working space.
    static func table(_ blending: Blending) -> [Float] {
        (0...255).map { byte in
            switch blending {
            case .srgb: Float(byte * 128)
            case .linear: Float((Color.decoded(Double(byte) / 255) * Double(full)).rounded())
            }
        }
    }

    /// A sum of the first pass, as it is stored for the second.
    @inline(__always)
    static func fixed(_ sum: SIMD4<Int32>) -> SIMD4<Int32> {
        clamped((sum &+ 8192) &>> 14)
    }

    /// A sum of the second pass.
    @inline(__always)
    static func finished(_ sum: SIMD4<Int32>) -> SIMD4<Int32> {
        clamped((sum &+ 4096) &>> 13)
    }

    @inline(__always)
    static func clamped(_ value: SIMD4<Int32>) -> SIMD4<Int32> {
        value.clamped(lowerBound: SIMD4(repeating: -fullFixed), upperBound: SIMD4(repeating: 65535 - fullFixed))
    }
}
