import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Frames the texel at a loupe's focus.
struct MarkPainter {
    private let color: Pixel
    /// The texel, in output pixels.
    private let columns: ClosedRange<Double>
    private let rows: ClosedRange<Double>
    private let width: Double

    /// Nil where the loupe has no mark, or no texel at its focus.
    init?(_ loupe: Loupe, lens: Lens, layers: [Layer], images: [String: Image], codec: PixelCodec) {
        guard let mark = loupe.mark else { return nil }
        for layer in layers.reversed() {
            guard case .image(let path) = layer.content, let image = images[path] else { continue }
            guard loupe.focus.isIn(layer.rect), loupe.focus.isIn(layer.crop ?? layer.rect) else { continue }
            color = codec.pixel(mark.color)
            width = mark.width
            columns = Self.texel(
                loupe.focus.x, start: layer.rect.x, length: layer.rect.width, count: image.width, lens.horizontal)
            rows = Self.texel(
                loupe.focus.y, start: layer.rect.y, length: layer.rect.height, count: image.height, lens.vertical)
            return
        }
        return nil
    }

    private static func texel(
        _ focus: Double, start: Double, length: Double, count: Int, _ axis: Axis
    ) -> ClosedRange<Double> {
        let index = min(Int((focus - start) * Double(count) / length), count - 1)
        func output(_ border: Int) -> Double {
            axis.center + (start + Double(border) * length / Double(count) - axis.focus) * axis.magnification
        }
        return output(index)...output(index + 1)
    }

    /// The frame over what an output pixel shows.
    func lay(over pixel: Pixel, x: Int, y: Int) -> Pixel {
        let share = share(x, y, grownBy: width) - share(x, y, grownBy: 0)
        return share > 0 ? (color * share).over(pixel) : pixel
    }

    private func share(_ x: Int, _ y: Int, grownBy growth: Double) -> Double {
        let (x, y) = (Double(x) + 0.5, Double(y) + 0.5)
        let depth = min(x - columns.lowerBound, columns.upperBound - x, y - rows.lowerBound, rows.upperBound - y)
        return coverage(ofDistance: depth + growth)
    }
}

extension Point {
    fileprivate func isIn(_ rect: Rect) -> Bool {
        (rect.minX..<rect.maxX).contains(x) && (rect.minY..<rect.maxY).contains(y)
    }
}
