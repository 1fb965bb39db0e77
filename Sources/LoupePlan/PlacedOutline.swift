import CMath
import LoupeGeometry
import LoupeScene

/// A layer's outline as one view shows it: everything in output pixels, y down (specification, sections
/// 3 and 7).
///
/// A pixel is inside the outline's reach where its coverage clamp(d + ½, 0, 1) is above 0, d being
/// the signed distance of its centre from the outline, positive inside.
public struct PlacedOutline: Hashable, Sendable {
    /// The magnified rect.
    public let rect: Rect
    /// The magnified corner radii, which fit the rect.
    public let radii: CornerRadii
    /// n of the superellipse, 1 … 32.
    public let exponent: Double

    /// An outline with four equal circular corners.
    public init(rect: Rect, radius: Double, exponent: Double) {
        self.init(rect: rect, radii: CornerRadii(radius), exponent: exponent)
    }

    /// An outline in output pixels.
    public init(rect: Rect, radii: CornerRadii, exponent: Double) {
        self.rect = rect
        self.radii = radii
        self.exponent = exponent
    }

    /// A border that is in output pixels already.
    public init(_ outline: Outline) {
        self.init(rect: outline.rect, radii: outline.radii, exponent: outline.exponent)
    }

    /// A layer's outline in a view.
    public init(of layer: Layer, in view: View) {
        self.init(
            rect: view.output(of: layer.bounds), radii: view.magnification * layer.corner.radii,
            exponent: layer.corner.exponent)
    }

    /// Whether all corners are circular and equal. Such outlines have their own cutter and shader.
    public var hasUniformCorners: Bool { radii.uniform != nil }
    /// The radius of every corner of an outline with uniform corners.
    var radius: Double { radii.uniform ?? radii.largest }

    var columns: AxisBands { AxisBands(low: rect.minX, high: rect.maxX, radius: radius) }
    var rows: AxisBands { AxisBands(low: rect.minY, high: rect.maxY, radius: radius) }

    /// Whether some pixel lies within half a pixel of two opposite edges.
    var isThin: Bool { columns.isThin || rows.isThin }

    /// The pixels whose centres lie in the four corner zones: the rectangles in which the outline curves, extended by half
    /// a pixel. The zone of a square corner is the pixel around it.
    var cornerZones: [PixelRect] {
        CornerPosition.allCases.map { position in
            let radius = radii[position]
            let x = AxisBands.zone(from: position.isLeft ? rect.minX : rect.maxX - radius.x, radius: radius.x)
            let y = AxisBands.zone(from: position.isTop ? rect.minY : rect.maxY - radius.y, radius: radius.y)
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
