import LoupeBase
import LoupeImaging

/// A picture of where two pictures differ: the reference faint and grey, differing pixels in red, blue boxes around
/// differing pixels that touch, excluded pixels tinted yellow, and pixels that only the reference has tinted red.
public enum DifferencePicture {
    private static let differing = SIMD3<UInt8>(230, 0, 38)
    private static let box = SIMD3<UInt8>(0, 92, 230)
    private static let excluded = SIMD3<UInt8>(255, 240, 170)
    private static let missing = SIMD3<UInt8>(255, 196, 196)
    /// The factor by which the reference's contrast is reduced.
    private static let contrast = 0.15
    /// The gap between a box and its frame, in pixels.
    private static let gap = 2

    /// Draws the picture, opaque, with the size of the reference.
    public static func draw(_ difference: Difference, over reference: Image) -> Image {
        var canvas = Canvas(width: difference.referenceSize.width, height: difference.referenceSize.height)
        canvas.fade(reference, to: contrast)
        if let excluded = difference.excluded { canvas.tint(excluded, Self.excluded) }
        if difference.referenceSize != difference.actualSize {
            let (offset, size) = (difference.offset, difference.actualSize)
            let columns = offset.x..<offset.x + size.width
            let rows = offset.y..<offset.y + size.height
            canvas.tint(
                (0..<canvas.height).flatMap { y in
                    (0..<canvas.width).map { !rows.contains(y) || !columns.contains($0) }
                }, Self.missing)
        }
        for run in difference.runs { canvas.fill(run.columns, row: Int(run.row), differing) }
        for box in difference.boxes { canvas.frame(box.bounds.inset(by: -(gap + 1)), Self.box) }
        return canvas.image
    }
}

/// An opaque picture to paint on, white at first.
private struct Canvas {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: 255, count: width * height * 4)
    }

    var image: Image { Image(width: width, height: height, pixels: pixels) }

    private mutating func set(_ x: Int, _ y: Int, _ color: SIMD3<UInt8>) {
        let index = (y * width + x) * 4
        pixels[index] = color.x
        pixels[index + 1] = color.y
        pixels[index + 2] = color.z
    }

    /// Paints the brightness of an image over white, with reduced contrast.
    mutating func fade(_ image: Image, to contrast: Double) {
        for y in 0..<image.height {
            for x in 0..<image.width {
                let index = (y * image.width + x) * 4
                let color = SIMD3(
                    Double(image.pixels[index]), Double(image.pixels[index + 1]), Double(image.pixels[index + 2]))
                let luma = (color * SIMD3(0.299, 0.587, 0.114)).sum()
                let weight = contrast * Double(image.pixels[index + 3]) / 255
                set(x, y, SIMD3(repeating: UInt8(255 + (luma - 255) * weight)))
            }
        }
    }

    /// Darkens the marked pixels to a colour.
    mutating func tint(_ isTinted: [Bool], _ color: SIMD3<UInt8>) {
        for index in isTinted.indices where isTinted[index] {
            let old = SIMD3(pixels[index * 4], pixels[index * 4 + 1], pixels[index * 4 + 2])
            set(index % width, index / width, pointwiseMin(old, color))
        }
    }

    /// Paints some columns of a row.
    mutating func fill(_ columns: Range<Int>, row: Int, _ color: SIMD3<UInt8>) {
        for x in columns { set(x, row, color) }
    }

    /// Paints the outermost pixels of a block, as far as they lie on the canvas.
    mutating func frame(_ block: PixelRect, _ color: SIMD3<UInt8>) {
        let columns = max(block.minX, 0)..<min(block.maxX, width)
        let rows = max(block.minY, 0)..<min(block.maxY, height)
        for y in [block.minY, block.maxY - 1] where rows.contains(y) { fill(columns, row: y, color) }
        for x in [block.minX, block.maxX - 1] where columns.contains(x) {
            for y in rows { set(x, y, color) }
        }
    }
}
