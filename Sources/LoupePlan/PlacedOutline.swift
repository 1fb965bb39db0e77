import CMath
import LoupeGeometry
import LoupeScene

/// A layer's outline as one view shows it: everything in output pixels, y down (SPEC 3 and 7).
///
/// A pixel is inside the outline's reach where its coverage clamp(d + ½, 0, 1) is above 0, d being
/// the signed distance of its centre from the outline, positive inside.
public struct PlacedOutline: Hashable, Sendable {
    public let rect: Rect
    /// The magnified corner radii, which fit the rect.
    public let radii: CornerRadii
    public let exponent: Double

    public init(rect: Rect, radius: Double, exponent: Double) {
        self.init(rect: rect, radii: CornerRadii(radius), exponent: exponent)
    }

    public init(rect: Rect, radii: CornerRadii, exponent: Double) {
        self.rect = rect
        self.radii = radii
        self.exponent = exponent
    }

    public init(of layer: Layer, in view: View) {
        self.init(
            rect: view.output(of: layer.bounds), radii: view.magnification * layer.corner.radii,
            exponent: layer.corner.exponent)
    }

    /// Whether all corners are circular and alike, for which there are a cutter and a shader of their own.
    public var hasUniformCorners: Bool { radii.uniform != nil }
    /// The radius of every corner of an even outline.
    var radius: Double { radii.uniform ?? radii.largest }

    var columns: AxisBands { AxisBands(low: rect.minX, high: rect.maxX, radius: radius) }
    var rows: AxisBands { AxisBands(low: rect.minY, high: rect.maxY, radius: radius) }

    /// Whether some pixel lies within half a pixel of two opposite edges.
    var isThin: Bool { columns.isThin || rows.isThin }

    /// The pixels whose centres lie in the four corner zones: the squares in which the outline curves, grown by half
    /// a pixel. A corner that is a point has at least the pixel around it.
    var cornerZones: [PixelRect] {
        CornerPosition.allCases.map { place in
            let radius = radii[place]
            let x = AxisBands.zone(from: place.isLeft ? rect.minX : rect.maxX - radius.x, radius: radius.x)
            let y = AxisBands.zone(from: place.isTop ? rect.minY : rect.maxY - radius.y, radius: radius.y)
            return PixelRect(minX: x.lowerBound, minY: y.lowerBound, maxX: x.upperBound, maxY: y.upperBound)
        }
    }

    /// How far from a corner's centre the curve lies on one axis where it lies `offset` away on the
    /// other: (rⁿ − offsetⁿ)^(1/n), for `offset` up to the radius.
    func ordinate(at offset: Double) -> Double {
        guard offset > 0 else { return radius }
        guard offset < radius else { return 0 }
        return radius * pow(1 - pow(offset / radius, exponent), 1 / exponent)
    }
}

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
