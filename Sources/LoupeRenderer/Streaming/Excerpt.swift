import LoupeGeometry

/// A block of an image's texels, cut out while its rows come by.
final class Excerpt {
    /// In texels of the image.
    let block: PixelRect
    private(set) var pixels: [UInt32] = []

    /// - Parameter block: at least one texel, all within the image.
    init(_ block: PixelRect) {
        self.block = block
        pixels.reserveCapacity(block.pixelCount)
    }

    /// Takes some of the image's rows, in order.
    func take(_ band: UnsafeBufferPointer<UInt32>, width: Int, rows: Range<Int>) {
        for row in rows.clamped(to: block.minY..<block.maxY) {
            let start = (row - rows.lowerBound) * width
            pixels += band[(start + block.minX)..<(start + block.maxX)]
        }
    }
}
