import LoupeGeometry
import LoupeImaging

extension Image {
    /// A block as an image of its own.
    /// - Precondition: it lies within the image.
    func cropped(to block: PixelRect) -> Image {
        let count = block.pixelCount * 4
        let rowBytes = block.width * 4
        let copy = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<block.height {
                    let start = ((block.minY + y) * width + block.minX) * 4
                    _ = UnsafeMutableBufferPointer(rebasing: buffer[(y * rowBytes)...])
                        .initialize(from: pixels[start..<(start + rowBytes)])
                }
            }
            initializedCount = count
        }
        return Image(width: block.width, height: block.height, pixels: copy)
    }

    /// Puts another image in the place of a block of its size.
    /// - Precondition: the block lies within this image.
    mutating func replace(_ block: PixelRect, with part: Image) {
        precondition((block.width, block.height) == (part.width, part.height))
        let (width, rowBytes) = (width, block.width * 4)
        // In one go: each change of `pixels` may copy them.
        pixels.withUnsafeMutableBufferPointer { pixels in
            part.pixels.withUnsafeBufferPointer { part in
                for y in 0..<block.height {
                    let start = ((block.minY + y) * width + block.minX) * 4
                    _ = UnsafeMutableBufferPointer(rebasing: pixels[start..<(start + rowBytes)])
                        .update(from: part[(y * rowBytes)..<((y + 1) * rowBytes)])
                }
            }
        }
    }
}
