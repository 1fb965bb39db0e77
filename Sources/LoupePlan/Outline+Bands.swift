import LoupeBase

// What cutting an outline into pieces needs to know of it. The outline is in output pixels, y down, as a view shows it
// (specification, sections 3 and 7).
//
// A pixel is inside the outline's reach where its coverage clamp(d + ½, 0, 1) is above 0, d being
// the signed distance of its centre from the outline, positive inside.

extension Outline {
    var columns: AxisBands { AxisBands(low: rect.minX, high: rect.maxX) }
    var rows: AxisBands { AxisBands(low: rect.minY, high: rect.maxY) }

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
}
