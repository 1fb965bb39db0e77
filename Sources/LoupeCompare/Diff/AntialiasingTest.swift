/// Tests whether a pixel looks anti-aliased, as pixelmatch 7.2.0 does, after Vyšniauskas, "Anti-aliased pixel and
/// intensity slope detector" (2009).
struct AntialiasingTest {
    let reference: PixelGrid
    let actual: PixelGrid

    /// Whether a pixel looks anti-aliased in at least one of the pictures.
    func isAntialiased(_ column: Int, _ row: Int) -> Bool {
        mayHaveFlatNeighbour(column, row)
            && (isAntialiased(column, row, in: reference) || isAntialiased(column, row, in: actual))
    }

    /// A quick test, since without a neighbour that is flat in both pictures no pixel looks anti-aliased, as in most of a photograph.
    /// True near the border, exact elsewhere.
    private func mayHaveFlatNeighbour(_ column: Int, _ row: Int) -> Bool {
        // Lanes reach from two columns before the pixel to three after it.
        guard column >= 2, column + 3 < reference.width, row >= 2, row + 2 < reference.height else { return true }
        for near in row - 1...row + 1 {
            let both = flatness(column - 1, near, in: reference) & flatness(column - 1, near, in: actual)
            // The fourth lane is no neighbour.
            if both[0] | both[1] | both[2] != 0 { return true }
        }
        return false
    }

    /// For each of four pixels in a row: all bits set where it is flat, else none.
    @inline(__always)
    private func flatness(_ column: Int, _ row: Int, in picture: PixelGrid) -> SIMD4<Int32> {
        let start = row * picture.width + column
        let here = UnsafeRawPointer(picture.words.baseAddress! + start)
        let pixels = here.loadUnaligned(as: SIMD4<UInt32>.self)
        // Each equal neighbour counts −1. Masks as integers: the compiler would split them into single lanes.
        func equals(_ dx: Int, _ dy: Int) -> SIMD4<Int32> {
            let offset = 4 * (dy * picture.width + dx)
            return unsafeBitCast(
                pixels .== here.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self), to: SIMD4<Int32>.self)
        }
        let beside = equals(-1, 0) &+ equals(1, 0)
        let above = equals(-1, -1) &+ equals(0, -1) &+ equals(1, -1)
        let below = equals(-1, 1) &+ equals(0, 1) &+ equals(1, 1)
        return unsafeBitCast(above &+ beside &+ below .< -2, to: SIMD4<Int32>.self)
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
