import LoupeBase
import LoupeImaging

/// The picture as a page has it, so that only what differs is sent: a browser takes longer to receive pixels than to show them.
struct ShownPicture {
    private var (width, height) = (0, 0)
    /// Straight RGBA, a word a pixel.
    private var pixels: [UInt32] = []

    /// The rows of a block.
    private static let rows = 16

    /// The blocks in which an image differs from what the page has, each as wide as it has to be, and their pixels in this
    /// order. The page has the image from now on.
    /// - Parameter changed: where the image may differ.
    mutating func take(_ image: Image, within changed: PixelRect) -> (blocks: [PixelRect], bytes: [UInt8]) {
        image.pixels.withUnsafeBytes { bytes in
            let new = bytes.assumingMemoryBound(to: UInt32.self)
            let canvas = PixelRect(width: image.width, height: image.height)
            guard (width, height) == (image.width, image.height) else {
                (width, height, pixels) = (image.width, image.height, Array(new))
                return ([canvas], image.pixels)
            }
            let changed = changed.intersection(canvas)
            var (blocks, sent): ([PixelRect], [UInt8]) = ([], [])
            for top in stride(from: changed.minY, to: changed.maxY, by: Self.rows) {
                let rows = top..<min(top + Self.rows, changed.maxY)
                guard let columns = columns(of: rows, in: changed, where: new) else { continue }
                blocks.append(PixelRect(columns, rows))
                for y in rows {
                    let row = y * width + columns.lowerBound..<y * width + columns.upperBound
                    sent += UnsafeRawBufferPointer(rebasing: bytes[4 * row.lowerBound..<4 * row.upperBound])
                    pixels.replaceSubrange(row, with: UnsafeBufferPointer(rebasing: new[row]))
                }
            }
            return (blocks, sent)
        }
    }

    /// The columns in which rows differ from what the page has; nil for none.
    private func columns(
        of rows: Range<Int>, in changed: PixelRect, where new: UnsafeBufferPointer<UInt32>
    ) -> Range<Int>? {
        var (left, right) = (changed.maxX, changed.minX)
        for y in rows {
            let row = y * width
            var x = changed.minX
            while x < left, new[row + x] == pixels[row + x] { x += 1 }
            left = x
            x = changed.maxX
            while x > max(right, left), new[row + x - 1] == pixels[row + x - 1] { x -= 1 }
            right = max(right, x)
        }
        return left < right ? left..<right : nil
    }
}
