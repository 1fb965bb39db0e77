import LoupeBase

// What cutting an outline into pieces needs to know of it. The outline is in output pixels, y down, as a view shows it
// (specification, sections 3 and 7).
//
// A pixel is inside the outline's reach where its coverage clamp(d + ½, 0, 1) is above 0, d being
// the signed distance of its centre from the outline, positive inside.

extension Outline {
    /// Whether all corners are circular and equal. Such outlines have their own cutter and shader.
    package var hasUniformCorners: Bool { radii.uniform != nil }
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
