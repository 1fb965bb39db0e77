/// Tests whether a pixel looks anti-aliased, as pixelmatch 7.2.0 does, after Vyšniauskas, "Anti-aliased pixel and
/// intensity slope detector" (2009).
struct AntialiasingTest {
    let reference: PixelGrid
    let actual: PixelGrid

    /// Whether a pixel looks anti-aliased in at least one of the pictures.
    func isAntialiased(_ column: Int, _ row: Int) -> Bool {
        isAntialiased(column, row, in: reference) || isAntialiased(column, row, in: actual)
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
