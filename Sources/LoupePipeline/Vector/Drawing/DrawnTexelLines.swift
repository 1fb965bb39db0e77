import LoupeBase
import LoupePlan
import LoupeScene

/// The borders of a layer's texels, as lines and as a frame around one texel, in canvas pixels.
///
/// Pictures of pixels draw them on whole pixels (specification, section 5.7). Here they lie where the borders are, which is
/// up to half a pixel away.
struct DrawnTexelLines {
    private let rect: Rect
    private let size: ImageSize
    private let magnification: Double
    /// The width of a line in the view, a whole number of pixels as in pictures of pixels.
    private let drawnWidth: Double

    init(_ layer: Layer, _ size: ImageSize, in view: View, width: Double) {
        (rect, self.size, magnification) = (layer.rect, size, view.magnification)
        drawnWidth = Self.whole(width)
    }

    private static func whole(_ width: Double) -> Double { max(1, (width + 0.5).rounded(.down)) }

    /// How large a texel appears, along the shorter of its sides, in output pixels.
    static func size(of layer: Layer, _ size: ImageSize, in view: View) -> Double {
        view.magnification * min(layer.rect.width / Double(size.width), layer.rect.height / Double(size.height))
    }

    /// The factor of a grid's alpha.
    private var strength: Double {
        let texel = magnification * min(rect.width / Double(size.width), rect.height / Double(size.height))
        let fading = TexelGrid.fadingTexelSizes
        return min(
            max((texel / drawnWidth - fading.lowerBound) / (fading.upperBound - fading.lowerBound), 0), 1)
    }

    /// The lines that are seen; nil where none is.
    func grid(_ grid: TexelGrid, over seen: Rect) -> DrawingOperation? {
        guard strength > 0, let part = rect.intersection(seen) else { return nil }
        let columns = lines(rect.minX, rect.width, size.width, from: part.minX, to: part.maxX)
        let rows = lines(rect.minY, rect.height, size.height, from: part.minY, to: part.maxY)
        var path = VectorPath()
        for line in columns {
            path = path + VectorPath(Rect(x: line.start, y: part.y, width: line.width, height: part.height))
        }
        for line in rows {
            path = path + VectorPath(Rect(x: part.x, y: line.start, width: part.width, height: line.width))
        }
        guard !path.elements.isEmpty else { return nil }
        var color = grid.color
        color.alpha = UInt8((Double(color.alpha) * strength).rounded())
        return .fill(path, color)
    }

    private func lines(
        _ start: Double, _ length: Double, _ texels: Int, from low: Double, to high: Double
    ) -> [(start: Double, width: Double)] {
        let step = length / Double(texels)
        let first = max(0, Int(((low - start) / step).rounded(.down)) - 1)
        let last = min(texels, Int(((high - start) / step).rounded(.up)) + 1)
        guard first <= last else { return [] }
        return (first...last).map { line($0, start, step, texels) }
    }

    /// Lines of the image's own borders lie inside the image.
    private func line(_ border: Int, _ start: Double, _ step: Double, _ texels: Int) -> (start: Double, width: Double) {
        let width = drawnWidth / magnification
        let position = start + Double(border) * step
        return (border == 0 ? position : border == texels ? position - width : position - width / 2, width)
    }

    /// A frame around the texel at a point, outside of it; where a grid is seen, outside of the inner sides of its lines.
    func frame(_ mark: TexelMark, around point: Point, besideGrid grid: TexelGrid?) -> DrawingOperation {
        let width = Self.whole(mark.width) / magnification
        let hasLines = grid != nil && strength > 0
        func inside(_ point: Double, _ start: Double, _ length: Double, _ texels: Int) -> (low: Double, high: Double) {
            let step = length / Double(texels)
            let texel = min(Int((point - start) / step), texels - 1)
            guard hasLines else { return (start + Double(texel) * step, start + Double(texel + 1) * step) }
            let (before, after) = (line(texel, start, step, texels), line(texel + 1, start, step, texels))
            return (before.start + before.width, after.start)
        }
        let (left, right) = inside(point.x, rect.minX, rect.width, size.width)
        let (top, bottom) = inside(point.y, rect.minY, rect.height, size.height)
        let inner = Rect(x: left, y: top, width: right - left, height: bottom - top)
        let hole = [
            Point(x: inner.minX, y: inner.minY), Point(x: inner.minX, y: inner.maxY),
            Point(x: inner.maxX, y: inner.maxY), Point(x: inner.maxX, y: inner.minY),
        ]
        return .fill(VectorPath(inner.inset(by: -width)) + VectorPath(hole), mark.color)
    }
}
