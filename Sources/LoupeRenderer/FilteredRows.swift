import LoupeGLES
import LoupeGeometry
import LoupeScene

/// A layer's texels after the first direction of a separable filter, for a band of output rows.
struct FilteredRows {
    let framebuffer: Framebuffer
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
    func entries(of pixels: Range<Int>) -> [Float] {
        pixels.flatMap { pixel in
            let index = pixel - firstPixel
            return [Float(firstTexels[index])] + weights[(index * taps)..<((index + 1) * taps)].map(Float.init)
        }
    }
}
