import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene

/// A layer's texels after the first direction of a separable filter, for a band of output rows.
struct FilteredRows {
    let texture: Texture
    /// Weights of the second direction, for the rows of the band.
    let rowTable: Texture
    let rowTaps: Int
    /// The output column of the texture's column 0.
    let firstColumn: Int
    /// The output rows that the band serves.
    let rows: Range<Int>
    /// The texel rows that the texture holds from its row 0 on; it may be larger.
    let texelRows: Range<Int>
}

extension FilteredRows {
    /// Rows that have gone through both directions already: each pixel row takes its own as it is.
    init(finished texture: Texture, block: PixelRect, on context: Context) throws(GLError) {
        let entries = (0..<block.height).flatMap { [Float($0), Float(FilterTable.wholeUnit)] }
        self.init(
            texture: texture, rowTable: try Texture.table(context, entries), rowTaps: 1, firstColumn: block.minX,
            rows: block.minY..<block.maxY, texelRows: 0..<block.height)
    }
}

extension FilterTable {
    /// The most that one band of filtered rows may take, in bytes.
    private static let bandBytes = 64 << 20

    /// The rows of a block, cut so that a band's filtered rows fit a texture and little memory.
    func bands(of block: PixelRect, textureLimit: Int) -> [Range<Int>] {
        guard !block.isEmpty else { return [] }
        let limit = max(1, min(textureLimit, Self.bandBytes / (8 * block.width)))
        var bands: [Range<Int>] = []
        var start = block.minY
        for row in block.minY..<block.maxY where texelRows(of: start..<(row + 1)).count > limit && row > start {
            bands.append(start..<row)
            start = row
        }
        return bands + [start..<block.maxY]
    }

    /// The texels that a run of pixels needs, padding left out.
    func texelRows(of pixels: Range<Int>) -> Range<Int> {
        let firsts = pixels.map { firstTexels[$0 - firstPixel] }
        let low = firsts.min() ?? 0
        let high = (firsts.max() ?? 0) + taps
        return low..<max(low + 1, min(high, texels.upperBound))
    }

    /// For `tableEntry` of the shaders: each pixel's first texel, then its weights.
    /// - Parameter isFine: whether the weights are those of `FINE_ROWS`, fractions of 1, and not whole numbers.
    func entries(of pixels: Range<Int>, isFine: Bool) -> [Float] {
        pixels.flatMap { pixel in
            let index = pixel - firstPixel
            let weights =
                isFine
                ? weights[(index * taps)..<((index + 1) * taps)].map(Float.init)
                : wholeWeights(ofPixelAt: index).map(Float.init)
            return [Float(firstTexels[index])] + weights
        }
    }
}
