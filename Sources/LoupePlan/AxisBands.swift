import LoupeGeometry

/// Where one axis crosses an outline: the first pixel at or beyond each change.
///
/// From low to high the pixels are outside, in the low edge's band, inside, in the high edge's
/// band, outside; the corner zones reach from the outside over the band into the inside.
struct AxisBands {
    /// The first pixel that the low edge's feather reaches, and the first fully inside it.
    let outerLow, innerLow: Int
    /// The first pixel beyond the low corner zone, and the first of the high one.
    let zoneLow, zoneHigh: Int
    /// Where what lies beside a corner zone is cut from what lies between two: at a zone's end, or a little beyond it
    /// where a block of the device ends.
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
