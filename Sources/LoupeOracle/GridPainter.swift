import LoupeScene

/// Lays lines on the borders of a layer's texels.
struct GridPainter {
    private let color: Pixel
    private let horizontal: TexelAxis
    private let vertical: TexelAxis

    /// Nil where the texels appear too small for any line.
    init?(_ grid: TexelGrid, horizontal: TexelAxis, vertical: TexelAxis, codec: PixelCodec) {
        let size = min(horizontal.texelSize, vertical.texelSize)
        let fading = TexelGrid.fadingTexelSizes
        let share = (size - fading.lowerBound) / (fading.upperBound - fading.lowerBound)
        guard share > 0 else { return nil }
        color = codec.pixel(grid.color) * min(share, 1)
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// What lies over the layer's texels and strokes at an output pixel, before its outline and opacity apply.
    func pixel(x: Int, y: Int) -> Pixel {
        let distance = min(horizontal.distanceToBorder(ofPixel: x), vertical.distanceToBorder(ofPixel: y))
        return color * coverage(ofDistance: 0.5 - distance)
    }
}

extension TexelAxis {
    /// How long a texel appears, in output pixels.
    var texelSize: Double { axis.magnification * rectLength / Double(imageLength) }

    /// From an output pixel's middle to the nearest border of a texel, in output pixels.
    fileprivate func distanceToBorder(ofPixel index: Int) -> Double {
        let canvas = axis.canvasCoordinate(ofPixel: index)
        let step = rectLength / Double(imageLength)
        let border = min(max(((canvas - rectStart) / step).rounded(), 0), Double(imageLength))
        return abs(canvas - (rectStart + border * step)) * axis.magnification
    }
}
