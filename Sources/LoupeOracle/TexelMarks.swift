import LoupeBase
import LoupeImaging
import LoupeScene

/// Paints the texel grid: lines on the borders of a layer's texels.
struct GridPainter {
    private let color: Pixel
    private let horizontal: GridLines
    private let vertical: GridLines

    /// Nil if the texels appear too small for the grid to be visible.
    init?(_ grid: TexelGrid, horizontal: TexelAxis, vertical: TexelAxis, codec: PixelCodec) {
        let width = drawnWidth(grid.width)
        let size = min(horizontal.texelSize, vertical.texelSize)
        let opacity = (size - 4 * width) / (4 * width)
        guard opacity > 0 else { return nil }
        color = codec.pixel(grid.color) * min(opacity, 1)
        self.horizontal = GridLines(axis: horizontal, width: width)
        self.vertical = GridLines(axis: vertical, width: width)
    }

    /// The grid at an output pixel. It is composited over the layer's texels and strokes, before the layer's outline and
    /// opacity apply.
    func pixel(x: Int, y: Int) -> Pixel {
        horizontal.contains(pixel: x) || vertical.contains(pixel: y) ? color : .zero
    }

    /// The columns and the rows of a texel that no line covers.
    fileprivate func inside(column: Int, row: Int) -> (columns: ClosedRange<Double>, rows: ClosedRange<Double>) {
        (horizontal.inside(texel: column), vertical.inside(texel: row))
    }
}

/// The lines of a grid along one axis.
private struct GridLines {
    let axis: TexelAxis
    let width: Double

    /// Where the line of a border starts, in output pixels.
    private func start(ofLineAt border: Int) -> Double {
        if border == 0 { return axis.start(ofTexel: 0) }
        if border == axis.imageLength { return axis.start(ofTexel: border) - width }
        return axis.start(ofTexel: border) - (width / 2).rounded(.down)
    }

    func inside(texel: Int) -> ClosedRange<Double> {
        start(ofLineAt: texel) + width...start(ofLineAt: texel + 1)
    }

    func contains(pixel: Int) -> Bool {
        let middle = Double(pixel) + 0.5
        // The texels at the pixel and beside it have all the lines that can be here.
        let here = Int(bounded: (axis.texelCoordinate(ofPixel: pixel)).rounded(.down))
        return (here - 1...here + 2).contains { border in
            guard (0...axis.imageLength).contains(border) else { return false }
            let start = start(ofLineAt: border)
            return start < middle && middle < start + width
        }
    }
}

extension TexelAxis {
    /// The left or upper side of a texel's first pixel: of the first one whose middle is not before the texel.
    fileprivate func start(ofTexel index: Int) -> Double {
        let border = axis.output(ofCanvas: rectStart + Double(index) * rectLength / Double(imageLength))
        return (border - 0.5 - 1.0 / 1024).rounded(.up)
    }
}

/// A width as it is drawn: a whole number of pixels.
private func drawnWidth(_ width: Double) -> Double { max(1, (width + 0.5).rounded(.down)) }

/// Paints the mark: a frame around the texel at a loupe's focus.
struct MarkPainter {
    private let color: Pixel
    /// The inside of the frame from left to right, in output pixels.
    private let columns: ClosedRange<Double>
    /// The inside of the frame from top to bottom, in output pixels.
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
            width = drawnWidth(mark.width)
            let horizontal = TexelAxis(
                axis: mapping.horizontal, rectStart: layer.rect.x, rectLength: layer.rect.width,
                imageLength: image.width, isCropped: false, filter: .nearest)
            let vertical = TexelAxis(
                axis: mapping.vertical, rectStart: layer.rect.y, rectLength: layer.rect.height,
                imageLength: image.height, isCropped: false, filter: .nearest)
            let column = Self.texel(loupe.focus.x, on: horizontal)
            let row = Self.texel(loupe.focus.y, on: vertical)
            let grid = loupe.grid.flatMap {
                GridPainter($0, horizontal: horizontal, vertical: vertical, codec: codec)
            }
            (columns, rows) =
                grid?.inside(column: column, row: row)
                ?? (
                    horizontal.start(ofTexel: column)...horizontal.start(ofTexel: column + 1),
                    vertical.start(ofTexel: row)...vertical.start(ofTexel: row + 1)
                )
            return
        }
        return nil
    }

    /// The texel at a canvas coordinate within the layer's rect.
    private static func texel(_ focus: Double, on axis: TexelAxis) -> Int {
        min(Int(bounded: (focus - axis.rectStart) * Double(axis.imageLength) / axis.rectLength), axis.imageLength - 1)
    }

    /// An output pixel with the frame composited over it.
    func painted(over pixel: Pixel, x: Int, y: Int) -> Pixel {
        let middle = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let isInside = columns.contains(middle.x) && rows.contains(middle.y)
        let isWithin =
            (columns.lowerBound - width...columns.upperBound + width).contains(middle.x)
            && (rows.lowerBound - width...rows.upperBound + width).contains(middle.y)
        return isWithin && !isInside ? color.sourceOver(pixel) : pixel
    }
}

extension Point {
    fileprivate func isIn(_ rect: Rect) -> Bool {
        (rect.minX..<rect.maxX).contains(x) && (rect.minY..<rect.maxY).contains(y)
    }
}
