import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Paints the texel grid: lines on the borders of a layer's texels.
struct GridPainter {
    private let color: Pixel
    private let horizontal: TexelAxis
    private let vertical: TexelAxis

    /// Nil if the texels appear too small for the grid to be visible.
    init?(_ grid: TexelGrid, horizontal: TexelAxis, vertical: TexelAxis, codec: PixelCodec) {
        let size = min(horizontal.texelSize, vertical.texelSize)
        let fading = TexelGrid.fadingTexelSizes
        let opacity = (size - fading.lowerBound) / (fading.upperBound - fading.lowerBound)
        guard opacity > 0 else { return nil }
        color = codec.pixel(grid.color) * min(opacity, 1)
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// The grid at an output pixel. It is composited over the layer's texels and strokes, before the layer's outline and
    /// opacity apply.
    func pixel(x: Int, y: Int) -> Pixel {
        let distance = min(horizontal.distanceToBorder(ofPixel: x), vertical.distanceToBorder(ofPixel: y))
        return color * coverage(ofDistance: 0.5 - distance)
    }
}

extension TexelAxis {
    /// The distance from an output pixel's middle to the nearest border of a texel, in output pixels.
    fileprivate func distanceToBorder(ofPixel index: Int) -> Double {
        let canvas = axis.canvasCoordinate(ofPixel: index)
        let step = rectLength / Double(imageLength)
        let border = min(max(((canvas - rectStart) / step).rounded(), 0), Double(imageLength))
        return abs(canvas - (rectStart + border * step)) * axis.magnification
    }
}

/// Paints the mark: a frame around the texel at a loupe's focus.
struct MarkPainter {
    private let color: Pixel
    /// The texel from left to right, in output pixels.
    private let columns: ClosedRange<Double>
    /// The texel from top to bottom, in output pixels.
    private let rows: ClosedRange<Double>
    /// The frame's width, in output pixels.
    private let width: Double

    /// Nil if the loupe has no mark or no texel at its focus. The topmost image counts.
    init?(_ loupe: Loupe, mapping: ViewMapping, layers: [Layer], images: [ImagePath: Image], codec: PixelCodec) {
        guard let mark = loupe.mark else { return nil }
        for layer in layers.reversed() {
            guard case .image(let path) = layer.content, let image = images[path] else { continue }
            guard loupe.focus.isIn(layer.rect), loupe.focus.isIn(layer.crop ?? layer.rect) else { continue }
            color = codec.pixel(mark.color)
            width = mark.width
            columns = Self.texel(
                loupe.focus.x, start: layer.rect.x, length: layer.rect.width, count: image.width, mapping.horizontal)
            rows = Self.texel(
                loupe.focus.y, start: layer.rect.y, length: layer.rect.height, count: image.height, mapping.vertical)
            return
        }
        return nil
    }

    /// One axis of the texel at the focus, in output pixels.
    private static func texel(
        _ focus: Double, start: Double, length: Double, count: Int, _ axis: Axis
    ) -> ClosedRange<Double> {
        let index = min(Int((focus - start) * Double(count) / length), count - 1)
        func output(_ border: Int) -> Double {
            axis.center + (start + Double(border) * length / Double(count) - axis.focus) * axis.magnification
        }
        return output(index)...output(index + 1)
    }

    /// An output pixel with the frame composited over it.
    func painted(over pixel: Pixel, x: Int, y: Int) -> Pixel {
        let coverage = texelCoverage(x, y, grownBy: width) - texelCoverage(x, y, grownBy: 0)
        return coverage > 0 ? (color * coverage).sourceOver(pixel) : pixel
    }

    /// How much of an output pixel the texel covers, grown by `growth` pixels on each side.
    private func texelCoverage(_ x: Int, _ y: Int, grownBy growth: Double) -> Double {
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
