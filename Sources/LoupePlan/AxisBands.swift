import LoupeBase

/// The crossings of one axis with an outline: the first pixel at or beyond each change.
///
/// From low to high the pixels are outside, in the low edge's band, inside, in the high edge's
/// band, outside; the corner zones reach from the outside over the band into the inside.
struct AxisBands {
    /// The first pixel that the low edge's feather reaches, and the first fully inside it.
    let outerLow, innerLow: Int
    /// The first pixel beyond the low corner zone, and the first of the high one.
    let zoneLow, zoneHigh: Int
    /// The cuts between the corner zones and what lies between them: at a zone's end, or a little beyond it at the next
    /// border of a device block.
    let cutLow, cutHigh: Int
    /// The first pixel in the high edge's feather, and the first beyond it.
    let innerHigh, outerHigh: Int
    /// Whether some pixel lies in both feathers.
    let isThin: Bool

    init(low: Double, high: Double, radius: Double) {
        outerLow = Self.firstPixel(centeredAbove: low - 0.5)
        outerHigh = max(outerLow, Self.firstPixel(centeredAtLeast: high + 0.5))
        let insideLow = Self.firstPixel(centeredAtLeast: low + 0.5)
        let insideHigh = Self.firstPixel(centeredAbove: high - 0.5)
        isThin = insideLow > insideHigh
        innerLow = min(insideLow, outerHigh)
        innerHigh = max(innerLow, min(insideHigh, outerHigh))
        let pastLow = Self.firstPixel(centeredAtLeast: low + radius + 0.5)
        let firstHigh = Self.firstPixel(centeredAbove: high - radius - 0.5)
        // Where the zones of a fully rounded side overlap, they meet in the middle.
        let middle = (pastLow + firstHigh) / 2
        zoneLow = min(max(pastLow <= firstHigh ? pastLow : middle, innerLow), innerHigh)
        zoneHigh = max(zoneLow, min(pastLow <= firstHigh ? firstHigh : middle, innerHigh))
        let (blockLow, blockHigh) = (DeviceBlock.end(from: zoneLow), DeviceBlock.start(to: zoneHigh))
        (cutLow, cutHigh) = blockLow <= blockHigh ? (blockLow, blockHigh) : (zoneLow, zoneHigh)
    }

    /// The corner zones and what lies between them and the cuts.
    var lowEnd: Range<Int> { outerLow..<cutLow }
    var highEnd: Range<Int> { cutHigh..<outerHigh }
    /// What lies between the cuts.
    var between: Range<Int> { cutLow..<cutHigh }
    /// The pixels of the corner zones among some.
    func zoned(_ pixels: Range<Int>) -> Range<Int> {
        pixels.upperBound <= cutLow ? pixels.clamped(to: outerLow..<zoneLow) : pixels.clamped(to: zoneHigh..<outerHigh)
    }
    /// The pixels inside both edges.
    var inside: Range<Int> { innerLow..<innerHigh }

    /// The pixels centred from half a pixel before `start` to half a pixel beyond `start + radius`, both included.
    static func zone(from start: Double, radius: Double) -> Range<Int> {
        firstPixel(centeredAtLeast: start - 0.5)..<firstPixel(centeredAbove: start + radius + 0.5)
    }

    static func firstPixel(centeredAbove value: Double) -> Int {
        Int((value - 0.5).rounded(.down)) + 1
    }

    static func firstPixel(centeredAtLeast value: Double) -> Int {
        Int((value - 0.5).rounded(.up))
    }
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
