import LoupeBase
import LoupeScene

/// The lines on the borders of a layer's texels as one view shows them: whole pixels.
package struct PlacedGrid: Hashable, Sendable {
    /// The colour of the lines.
    package let color: Color
    /// The factor of the colour's alpha: above 0, at most 1.
    package let strength: Double
    private let columns: TexelLines
    private let rows: TexelLines

    /// Nil where no line is visible.
    init?(_ grid: TexelGrid, of layer: Layer, in view: View, imageSize: ImageSize) {
        let width = grid.width.wholePixels
        let fading = TexelGrid.fadingTexelSizes
        let size = layer.texelSize(of: imageSize, in: view) / Double(width)
        strength = min(max((size - fading.lowerBound) / (fading.upperBound - fading.lowerBound), 0), 1)
        color = grid.color
        columns = TexelLines(axis: .columns(of: layer, in: view, texels: imageSize.width), width: width)
        rows = TexelLines(axis: .rows(of: layer, in: view, texels: imageSize.height), width: width)
        guard strength > 0 else { return nil }
    }

    /// For each pixel column of a block, then for each of its rows: 1 where it belongs to a line, otherwise 0.
    package func lines(in block: PixelRect) -> [Float] {
        columns.coverage(of: block.minX..<block.maxX) + rows.coverage(of: block.minY..<block.maxY)
    }

    /// The pixels of a texel between the lines around it.
    fileprivate func inside(column: Int, row: Int) -> PixelRect {
        PixelRect(
            minX: columns.line(at: column).upperBound, minY: rows.line(at: row).upperBound,
            maxX: columns.line(at: column + 1).lowerBound, maxY: rows.line(at: row + 1).lowerBound)
    }
}

/// The lines of a grid along one axis.
private struct TexelLines: Hashable {
    let axis: AxisMapping
    /// In pixels.
    let width: Int

    /// The pixels of the line on a texel's first border. Lines of the image's own borders lie inside the image.
    func line(at border: Int) -> Range<Int> {
        let first = axis.firstPixel(ofTexel: border)
        let start = border == 0 ? first : border == axis.texels ? first - width : first - width / 2
        return start..<start + width
    }

    func coverage(of pixels: Range<Int>) -> [Float] {
        var coverage = [Float](repeating: 0, count: pixels.count)
        // A line may begin some pixels away from its border.
        let low = axis.texelCoordinate(ofPixel: pixels.lowerBound - width - 1)
        let high = axis.texelCoordinate(ofPixel: pixels.upperBound + width + 1)
        let borders = (axis.whole(low))...max(axis.whole(low), axis.whole(high))
        for border in borders {
            for pixel in line(at: border).clamped(to: pixels) { coverage[pixel - pixels.lowerBound] = 1 }
        }
        return coverage
    }
}

extension AxisMapping {
    /// A pixel's centre that lies before a texel's border by less than this counts as on it, so that rounding does not
    /// decide.
    private static let tolerance = 1.0 / 1024

    /// The first pixel whose centre does not lie before a texel.
    fileprivate func firstPixel(ofTexel texel: Int) -> Int {
        let canvas = rectStart + Double(texel) * rectLength / Double(texels)
        let border = center + (canvas - focus) * magnification
        return Int(bounded: (border - 0.5 - Self.tolerance).rounded(.up))
    }

    /// The border of a texel at or before a texel coordinate, of those that the image has.
    fileprivate func whole(_ coordinate: Double) -> Int {
        Int(min(max(coordinate.rounded(.down), 0), Double(texels)))
    }
}

extension Double {
    /// A width as it is drawn: the nearest whole number of pixels, at least 1.
    var wholePixels: Int { max(1, Int((self + 0.5).rounded(.down))) }
}

extension AxisMapping {
    /// The texel at a canvas coordinate that lies within the rect.
    fileprivate func texel(at canvas: Double) -> Int {
        min(Int(bounded: ((canvas - rectStart) * Double(texels) / rectLength).rounded(.down)), texels - 1)
    }
}

extension Layer {
    /// How large a texel appears, along the shorter of its sides, in output pixels.
    func texelSize(of imageSize: ImageSize, in view: View) -> Double {
        view.magnification * min(rect.width / Double(imageSize.width), rect.height / Double(imageSize.height))
    }
}

/// A frame around one texel, on whole output pixels.
package struct PlacedMark: Hashable, Sendable {
    /// The texel, less the lines of a grid around it.
    package let inner: PixelRect
    /// The width of the frame, in output pixels.
    package let width: Int
    /// The colour of the frame.
    package let color: Color

    /// Nil where there is no texel at the loupe's focus.
    init?(_ mark: TexelMark, of loupe: Loupe, in view: View, layers: [Layer], images: [ImagePath: ImageTraits]) {
        let marked = layers.last {
            $0.imagePath != nil && $0.rect.contains(loupe.focus) && $0.bounds.contains(loupe.focus)
        }
        guard let marked, let size = marked.imagePath.flatMap({ images[$0]?.size }) else { return nil }
        let columns = AxisMapping.columns(of: marked, in: view, texels: size.width)
        let rows = AxisMapping.rows(of: marked, in: view, texels: size.height)
        let (column, row) = (columns.texel(at: loupe.focus.x), rows.texel(at: loupe.focus.y))
        let grid = loupe.grid.flatMap { PlacedGrid($0, of: marked, in: view, imageSize: size) }
        inner =
            grid?.inside(column: column, row: row)
            ?? PixelRect(
                minX: columns.firstPixel(ofTexel: column), minY: rows.firstPixel(ofTexel: row),
                maxX: columns.firstPixel(ofTexel: column + 1), maxY: rows.firstPixel(ofTexel: row + 1))
        width = mark.width.wholePixels
        color = mark.color
    }

    /// The pixels of the frame in a block, each in one rect.
    package func rects(in block: PixelRect) -> [PixelRect] {
        inner.inset(by: -width).without(inner).map { $0.intersection(block) }.filter { !$0.isEmpty }
    }
}
