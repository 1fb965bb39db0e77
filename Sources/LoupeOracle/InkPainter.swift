import LoupeBase
import LoupeScene

/// Paints a layer's strokes over its texels in one view, row by row.
struct InkPainter {
    private struct Segment {
        let start: Point
        let end: Point

        /// The distance to the nearest point of the segment, in canvas pixels.
        func distance(to point: Point) -> Double {
            let side = end - start
            let square = side.dx * side.dx + side.dy * side.dy
            let offset = point - start
            guard square > 0 else { return offset.length }
            let position = (offset.dx * side.dx + offset.dy * side.dy) / square
            return point.distance(to: start + min(max(position, 0), 1) * side)
        }

        func isWithin(_ reach: Double, ofRow y: Double) -> Bool {
            min(start.y, end.y) - reach <= y && y <= max(start.y, end.y) + reach
        }

        func isWithin(_ reach: Double, ofColumn x: Double) -> Bool {
            min(start.x, end.x) - reach <= x && x <= max(start.x, end.x) + reach
        }
    }

    /// One stroke; lengths are in canvas pixels.
    private struct Ink {
        let segments: [Segment]
        let halfWidth: Double
        /// The distance from the segments beyond which the coverage is zero.
        let reach: Double
        let pixel: Pixel
    }

    private let inks: [Ink]
    private let magnification: Double

    init(_ strokes: [Stroke], magnification: Double, codec: PixelCodec) {
        self.magnification = magnification
        inks = strokes.map { stroke in
            let ends = stroke.points.count > 1 ? stroke.points.dropFirst() : stroke.points[...]
            return Ink(
                segments: zip(stroke.points, ends).map(Segment.init), halfWidth: stroke.width / 2,
                reach: stroke.width / 2 + 0.5 / magnification, pixel: codec.pixel(stroke.color))
        }
    }

    /// Paints the strokes over the texels of one row.
    ///
    /// - Parameters:
    ///   - canvasX: The canvas x of each texel.
    ///   - canvasY: The canvas y of all of them.
    func paint(over texels: inout [Pixel], canvasX: ArraySlice<Double>, canvasY: Double) {
        for ink in inks {
            let segments = ink.segments.filter { $0.isWithin(ink.reach, ofRow: canvasY) }
            guard !segments.isEmpty else { continue }
            for (index, x) in canvasX.enumerated() {
                let coverage = coverage(of: ink, segments, at: Point(x: x, y: canvasY))
                if coverage > 0 { texels[index] = (ink.pixel * coverage).sourceOver(texels[index]) }
            }
        }
    }

    private func coverage(of ink: Ink, _ segments: [Segment], at point: Point) -> Double {
        var least = Double.infinity
        for segment in segments where segment.isWithin(ink.reach, ofColumn: point.x) {
            least = min(least, segment.distance(to: point))
        }
        return min(max(magnification * (ink.halfWidth - least) + 0.5, 0), 1)
    }
}
