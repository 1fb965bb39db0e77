import LoupeGeometry
import LoupeImaging

/// Shows where two pictures differ: the reference faint and grey, differing pixels red, blue boxes around those that
/// touch, and what was left out tinted yellow.
public enum DifferencePicture {
    private static let differing = SIMD3<UInt8>(230, 0, 38)
    private static let box = SIMD3<UInt8>(0, 92, 230)
    private static let excluded = SIMD3<UInt8>(255, 240, 170)
    /// What is left of the reference's contrast.
    private static let contrast = 0.15
    /// Between a box and its line, in pixels.
    private static let room = 2

    /// A picture of the union of both sizes, opaque.
    public static func draw(_ difference: Difference, over reference: Image) -> Image {
        let width = max(difference.referenceSize.width, difference.actualSize.width)
        let height = max(difference.referenceSize.height, difference.actualSize.height)
        var canvas = Canvas(width: width, height: height)
        canvas.fade(reference, to: contrast)
        if let excluded = difference.excluded { canvas.tint(excluded, Self.excluded) }
        for run in difference.runs { canvas.fill(run.columns, row: Int(run.row), differing) }
        for box in difference.boxes { canvas.frame(box.bounds.grown(by: room + 1), Self.box) }
        return canvas.image
    }
}

extension PixelRect {
    fileprivate func grown(by step: Int) -> PixelRect {
        PixelRect(minX: minX - step, minY: minY - step, maxX: maxX + step, maxY: maxY + step)
    }
}

/// Opaque pixels to paint on.
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
        let place = (y * width + x) * 4
        pixels[place] = color.x
        pixels[place + 1] = color.y
        pixels[place + 2] = color.z
    }

    /// The picture's brightness over white.
    mutating func fade(_ image: Image, to contrast: Double) {
        for y in 0..<image.height {
            for x in 0..<image.width {
                let place = (y * image.width + x) * 4
                let color = SIMD3(
                    Double(image.pixels[place]), Double(image.pixels[place + 1]), Double(image.pixels[place + 2]))
                let luma = (color * SIMD3(0.299, 0.587, 0.114)).sum()
                let share = contrast * Double(image.pixels[place + 3]) / 255
                set(x, y, SIMD3(repeating: UInt8(255 + (luma - 255) * share)))
            }
        }
    }

    mutating func tint(_ places: [Bool], _ color: SIMD3<UInt8>) {
        for (place, isTinted) in places.enumerated() where isTinted {
            let old = SIMD3(pixels[place * 4], pixels[place * 4 + 1], pixels[place * 4 + 2])
            set(place % width, place / width, pointwiseMin(old, color))
        }
    }

    mutating func fill(_ columns: Range<Int>, row: Int, _ color: SIMD3<UInt8>) {
        for x in columns { set(x, row, color) }
    }

    /// The border pixels of a block, as far as they lie on the canvas.
    mutating func frame(_ block: PixelRect, _ color: SIMD3<UInt8>) {
        let columns = max(block.minX, 0)..<min(block.maxX, width)
        let rows = max(block.minY, 0)..<min(block.maxY, height)
        for y in [block.minY, block.maxY - 1] where rows.contains(y) { fill(columns, row: y, color) }
        for x in [block.minX, block.maxX - 1] where columns.contains(x) {
            for y in rows { set(x, y, color) }
        }
    }
}
