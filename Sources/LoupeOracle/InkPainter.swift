import LoupeGeometry
import LoupeScene

/// Lays a layer's strokes over its texels as one view shows them, row by row.
struct InkPainter {
    private struct Segment {
        let start: Point
        let end: Point

        func distance(to point: Point) -> Double {
            let way = end - start
            let square = way.dx * way.dx + way.dy * way.dy
            let offset = point - start
            guard square > 0 else { return offset.length }
            let share = (offset.dx * way.dx + offset.dy * way.dy) / square
            return point.distance(to: start + min(max(share, 0), 1) * way)
        }

        func isWithin(_ reach: Double, ofRow y: Double) -> Bool {
            min(start.y, end.y) - reach <= y && y <= max(start.y, end.y) + reach
        }

        func isWithin(_ reach: Double, ofColumn x: Double) -> Bool {
            min(start.x, end.x) - reach <= x && x <= max(start.x, end.x) + reach
        }
    }

    private struct Ink {
        /// In canvas pixels, as all here.
        let segments: [Segment]
        let halfWidth: Double
        /// Beyond this from the segments nothing of it is seen.
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

    /// Lays the ink over texels whose canvas x is `canvasX`, all of one row.
    func lay(over texels: inout [Pixel], canvasX: ArraySlice<Double>, canvasY: Double) {
        for ink in inks {
            let segments = ink.segments.filter { $0.isWithin(ink.reach, ofRow: canvasY) }
            guard !segments.isEmpty else { continue }
            for (index, x) in canvasX.enumerated() {
                let share = coverage(of: ink, segments, at: Point(x: x, y: canvasY))
                if share > 0 { texels[index] = (ink.pixel * share).over(texels[index]) }
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
