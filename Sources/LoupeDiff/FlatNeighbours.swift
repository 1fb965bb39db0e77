/// Finds out at once that no pixel around another one is flat, which most of a photograph's are not.
///
/// A pixel is flat if at least three of its own neighbours are identical to it. Only flat neighbours make a pixel
/// look anti-aliased, so where there are none its brightness need not be looked at.
enum FlatNeighbours {
    /// Whether some neighbour of a pixel may be flat in both pictures; exact but for pixels near the border.
    @inline(__always)
    static func mayExist(_ column: Int, _ row: Int, in reference: PixelGrid, _ actual: PixelGrid) -> Bool {
        // Lanes reach from two columns before the pixel to three after it.
        guard column >= 2, column + 3 < reference.width, row >= 2, row + 2 < reference.height else { return true }
        for near in row - 1...row + 1 {
            let both = flat(column - 1, near, reference) & flat(column - 1, near, actual)
            // The fourth lane is no neighbour.
            if both[0] | both[1] | both[2] != 0 { return true }
        }
        return false
    }

    /// Of four pixels in a row: all bits set for one that is flat, none for any other.
    @inline(__always)
    private static func flat(_ column: Int, _ row: Int, _ picture: PixelGrid) -> SIMD4<Int32> {
        let here = UnsafeRawPointer(picture.words.baseAddress! + row * picture.width + column)
        let pixel = here.loadUnaligned(as: SIMD4<UInt32>.self)
        let stride = picture.width * 4
        @inline(__always)
        func equals(_ offset: Int) -> SIMD4<Int32> {
            bits(pixel .== here.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self))
        }
        let above = equals(-stride - 4) &+ equals(-stride) &+ equals(-stride + 4)
        let beside = equals(-4) &+ equals(4)
        let below = equals(stride - 4) &+ equals(stride) &+ equals(stride + 4)
        // Each that is equal counts −1.
        return bits(above &+ beside &+ below .< -2)
    }

    /// A mask as the machine holds it, −1 for true: the compiler takes masks apart otherwise, lane by lane.
    @inline(__always)
    private static func bits(_ mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<Int32> {
        unsafeBitCast(mask, to: SIMD4<Int32>.self)
    }
}
