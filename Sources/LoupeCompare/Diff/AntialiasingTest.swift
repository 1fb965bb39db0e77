/// Tests whether a pixel looks anti-aliased, as pixelmatch 7.2.0 does, after Vyšniauskas, "Anti-aliased pixel and
/// intensity slope detector" (2009).
struct AntialiasingTest {
    let reference: PixelGrid
    let actual: PixelGrid

    /// Whether a pixel looks anti-aliased in at least one of the pictures.
    func isAntialiased(_ column: Int, _ row: Int) -> Bool {
        guard FlatNeighbours.mayExist(column, row, in: reference, actual) else { return false }
        return isAntialiased(column, row, in: reference) || isAntialiased(column, row, in: actual)
    }

    private func isAntialiased(_ column: Int, _ row: Int, in picture: PixelGrid) -> Bool {
        let near = Neighbourhood(column, row, picture)
        let center = picture[column, row]
        let offset = (row * picture.width + column) * 4
        var equals = near.isAtBorder ? 1 : 0
        var darkest = (brightness: 0.0, column: 0, row: 0)
        var brightest = (brightness: 0.0, column: 0, row: 0)
        for x in near.minColumn..<near.endColumn {
            for y in near.minRow..<near.endRow where x != column || y != row {
                let brightness = YIQ.brightness(center, over: picture[x, y], offset: offset)
                if brightness == 0 {
                    equals += 1
                    if equals > 2 { return false }
                } else if brightness < darkest.brightness {
                    darkest = (brightness, x, y)
                } else if brightness > brightest.brightness {
                    brightest = (brightness, x, y)
                }
            }
        }
        guard darkest.brightness != 0, brightest.brightness != 0 else { return false }
        return isFlatInBoth(darkest.column, darkest.row) || isFlatInBoth(brightest.column, brightest.row)
    }

    private func isFlatInBoth(_ column: Int, _ row: Int) -> Bool {
        isFlat(column, row, in: reference) && isFlat(column, row, in: actual)
    }

    /// Whether at least three neighbours are identical to the pixel. A picture's border counts as one neighbour.
    private func isFlat(_ column: Int, _ row: Int, in picture: PixelGrid) -> Bool {
        let near = Neighbourhood(column, row, picture)
        let center = picture[column, row]
        var equals = near.isAtBorder ? 1 : 0
        for x in near.minColumn..<near.endColumn {
            for y in near.minRow..<near.endRow where (x != column || y != row) && picture[x, y] == center {
                equals += 1
                if equals > 2 { return true }
            }
        }
        return false
    }

    /// A pixel and its up to eight neighbours.
    private struct Neighbourhood {
        let minColumn: Int
        let endColumn: Int
        let minRow: Int
        let endRow: Int

        @inline(__always)
        init(_ column: Int, _ row: Int, _ picture: PixelGrid) {
            minColumn = max(column - 1, 0)
            endColumn = min(column + 2, picture.width)
            minRow = max(row - 1, 0)
            endRow = min(row + 2, picture.height)
        }

        var isAtBorder: Bool { endColumn - minColumn < 3 || endRow - minRow < 3 }
    }
}

/// A quick test that none of a pixel's neighbours is flat, which is the most frequent case in photographs.
///
/// A pixel is flat if at least three of its own neighbours are identical to it. Only a pixel with flat neighbours can look
/// anti-aliased, so the others need no test of brightness.
private enum FlatNeighbours {
    /// Whether a neighbour of a pixel may be flat in both pictures. Always true near the border, exact elsewhere.
    @inline(__always)
    static func mayExist(_ column: Int, _ row: Int, in reference: PixelGrid, _ actual: PixelGrid) -> Bool {
        // Lanes reach from two columns before the pixel to three after it.
        guard column >= 2, column + 3 < reference.width, row >= 2, row + 2 < reference.height else { return true }
        for near in row - 1...row + 1 {
            let both = flat(column - 1, near, reference) & flat(column - 1, near, actual)
            // The fourth lane is not a neighbour.
            if both[0] | both[1] | both[2] != 0 { return true }
        }
        return false
    }

    /// For each of four pixels in a row: all bits set if it is flat, else none.
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
        // Each equal neighbour counts −1.
        return bits(above &+ beside &+ below .< -2)
    }

    /// A mask as integers, −1 for true. The compiler would otherwise split masks into single lanes.
    @inline(__always)
    private static func bits(_ mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<Int32> {
        unsafeBitCast(mask, to: SIMD4<Int32>.self)
    }
}
