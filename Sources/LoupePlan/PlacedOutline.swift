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
