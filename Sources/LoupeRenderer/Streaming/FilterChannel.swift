import LoupeScene

/// The numbers in which filters reckon; `fixed.glsl` and `filter-columns.frag` hold the same.
enum FilterChannel {
    /// What a full channel is.
    static let full: Int32 = 32640
    /// What a full channel is between the directions, and afterwards.
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

    /// A sum of the first direction, as it is held until the second.
    @inline(__always)
    static func fixed(_ sum: SIMD4<Int32>) -> SIMD4<Int32> {
        clamped((sum &+ 8192) &>> 14)
    }

    /// A sum of the second direction.
    @inline(__always)
    static func finished(_ sum: SIMD4<Int32>) -> SIMD4<Int32> {
        clamped((sum &+ 4096) &>> 13)
    }

    @inline(__always)
    static func clamped(_ value: SIMD4<Int32>) -> SIMD4<Int32> {
        value.clamped(lowerBound: SIMD4(repeating: -fullFixed), upperBound: SIMD4(repeating: 65535 - fullFixed))
    }
}
