/// Blocks of a picture of 8 bits.
extension Image {
    /// A block as a picture of its own.
    /// - Precondition: it lies within this one.
    public func cropped(x: Int, y: Int, width blockWidth: Int, height blockHeight: Int) -> Image {
        if (x, y, blockWidth, blockHeight) == (0, 0, width, height) { return self }
        let rowBytes = blockWidth * 4
        let block = [UInt8](unsafeUninitializedCapacity: rowBytes * blockHeight) { buffer, count in
            pixels.withUnsafeBufferPointer { pixels in
                for row in 0..<blockHeight {
                    let start = ((y + row) * width + x) * 4
                    _ = UnsafeMutableBufferPointer(rebasing: buffer[(row * rowBytes)...])
                        .initialize(from: pixels[start..<(start + rowBytes)])
                }
            }
            count = rowBytes * blockHeight
        }
        return Image(width: blockWidth, height: blockHeight, pixels: block)
    }

    /// Puts another picture in the place of a block of its size; what reaches beyond this one's last row is left out.
    /// - Precondition: the block lies within this picture's columns.
    public mutating func replaceBlock(x: Int, y: Int, with part: Image) {
        precondition(x >= 0 && y >= 0 && x + part.width <= width)
        let (width, rowBytes) = (width, part.width * 4)
        let rows = 0..<min(part.height, max(0, height - y))
        // In one go: each change of `pixels` may copy them.
        pixels.withUnsafeMutableBufferPointer { pixels in
            part.pixels.withUnsafeBufferPointer { part in
                for row in rows {
                    let start = ((y + row) * width + x) * 4
                    _ = UnsafeMutableBufferPointer(rebasing: pixels[start..<(start + rowBytes)])
                        .update(from: part[(row * rowBytes)..<((row + 1) * rowBytes)])
                }
            }
        }
    }
}
