import LoupeGeometry
import LoupeScene

/// Devices shade blocks of pixels at a time, aligned to the target: a cut through one has it shaded twice.
enum DeviceBlock {
    /// Of the smallest ones that are common, in pixels; a power of two.
    static let side = 4

    /// The end of the block that ends at a pixel's start or next after it.
    static func end(from pixel: Int) -> Int { -start(to: -pixel) }
    /// The start of the block that starts there or last before it.
    static func start(to pixel: Int) -> Int { pixel & ~(side - 1) }
}

extension PixelRect {
    /// The whole device blocks that hold it, as it stands in a target that shows the canvas from pixel (0, 0).
    public var grownToDeviceBlocks: PixelRect {
        PixelRect(
            minX: DeviceBlock.start(to: minX), minY: DeviceBlock.start(to: minY),
            maxX: DeviceBlock.end(from: maxX), maxY: DeviceBlock.end(from: maxY))
    }
}
