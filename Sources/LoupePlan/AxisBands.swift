import LoupeBase

/// The crossings of one axis with an outline: the first pixel at or beyond each change.
///
/// From low to high the pixels are outside, in the low edge's feather, inside, in the high edge's feather, outside.
struct AxisBands {
    private let low, high: Double
    /// The first pixel that the low edge's feather reaches, and the first fully inside it.
    let outerLow, innerLow: Int
    /// The first pixel in the high edge's feather, and the first beyond it.
    let innerHigh, outerHigh: Int
    /// Whether some pixel lies in both feathers.
    let isThin: Bool

    init(low: Double, high: Double) {
        (self.low, self.high) = (low, high)
        outerLow = Self.firstPixel(centeredAbove: low - 0.5)
        outerHigh = max(outerLow, Self.firstPixel(centeredAtLeast: high + 0.5))
        let insideLow = Self.firstPixel(centeredAtLeast: low + 0.5)
        let insideHigh = Self.firstPixel(centeredAbove: high - 0.5)
        isThin = insideLow > insideHigh
        innerLow = min(insideLow, outerHigh)
        innerHigh = max(innerLow, min(insideHigh, outerHigh))
    }

    /// The pixels of a corner's zone: those of the edge's feather, and those centred up to half a pixel beyond the radius.
    func zone(ofRadius radius: Double, isLow: Bool) -> Range<Int> {
        isLow
            ? outerLow..<max(innerLow, Self.firstPixel(centeredAtLeast: low + radius + 0.5))
            : min(innerHigh, Self.firstPixel(centeredAbove: high - radius - 0.5))..<outerHigh
    }

    /// The pixels centred from half a pixel before `start` to half a pixel beyond `start + radius`, both included.
    static func zone(from start: Double, radius: Double) -> Range<Int> {
        firstPixel(centeredAtLeast: start - 0.5)..<firstPixel(centeredAbove: start + radius + 0.5)
    }

    private static func firstPixel(centeredAbove value: Double) -> Int {
        Int(bounded: (value - 0.5).rounded(.down)) + 1
    }

    private static func firstPixel(centeredAtLeast value: Double) -> Int {
        Int(bounded: (value - 0.5).rounded(.up))
    }
}

extension Outline {
    var columns: AxisBands { AxisBands(low: rect.minX, high: rect.maxX) }
    var rows: AxisBands { AxisBands(low: rect.minY, high: rect.maxY) }

    /// Whether some pixel lies within half a pixel of two opposite edges.
    var isThin: Bool { columns.isThin || rows.isThin }
}

/// Devices shade aligned blocks of pixels at a time. A block that is cut is shaded twice.
enum DeviceBlock {
    /// The side of the smallest blocks that are common, in pixels; a power of two.
    static let side = 4

    /// The first block border at or after a pixel.
    static func end(from pixel: Int) -> Int { -start(to: -pixel) }
    /// The last block border at or before a pixel.
    static func start(to pixel: Int) -> Int { pixel & ~(side - 1) }
}

extension PixelRect {
    /// The whole device blocks that hold it, in a target whose first pixel is the canvas's pixel (0, 0).
    package var grownToDeviceBlocks: PixelRect {
        PixelRect(
            minX: DeviceBlock.start(to: minX), minY: DeviceBlock.start(to: minY),
            maxX: DeviceBlock.end(from: maxX), maxY: DeviceBlock.end(from: maxY))
    }
}
