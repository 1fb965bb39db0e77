import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Paints one layer in one view, row by row.
struct LayerPainter {
    private enum Source {
        case fill(Pixel)
        case image(TexelSampler)
        case vector(DrawnPicture)
    }

    private let source: Source
    private let ink: InkPainter
    private let grid: GridPainter?
    private let outline: Outline
    private let opacity: Double
    private let vertical: Axis
    /// The output pixels that the outline can touch.
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// The canvas x of each of `columns`.
    private let canvasX: [Double]

    /// - Parameters:
    ///   - layer: What to paint.
    ///   - loupe: The one that shows it, if any; its filter stands in for the layer's.
    ///   - lens: The view.
    ///   - columns: The output columns that the view can ask for.
    ///   - rows: The output rows that it can ask for.
    ///   - images: By path.
    init(
        _ layer: Layer, in loupe: Loupe?, lens: Lens, columns: Range<Int>, rows: Range<Int>, codec: PixelCodec,
        images: [String: Image]
    ) throws(OracleError) {
        let rect = layer.rect
        let bounds = layer.crop ?? rect
        outline = Outline(rect: bounds, radii: layer.corner.radii, exponent: layer.corner.exponent)
        opacity = layer.opacity
        ink = InkPainter(layer.strokes, magnification: lens.vertical.magnification, codec: codec)
        vertical = lens.vertical
        self.columns = lens.horizontal.pixels(in: columns, touching: bounds.x, length: bounds.width)
        self.rows = lens.vertical.pixels(in: rows, touching: bounds.y, length: bounds.height)
        canvasX = self.columns.map(lens.horizontal.canvasCoordinate(ofPixel:))
        switch layer.content {
        case .fill(let color):
            source = .fill(codec.pixel(color))
            grid = nil
        case .image(let path):
            guard let image = images[path] else { throw .missingImage(path: path) }
            var horizontal = TexelAxis(
                axis: lens.horizontal, rectStart: rect.x, rectLength: rect.width, imageLength: image.width,
                isCropped: layer.crop != nil, filter: layer.filter)
            var vertical = TexelAxis(
                axis: lens.vertical, rectStart: rect.y, rectLength: rect.height, imageLength: image.height,
                isCropped: layer.crop != nil, filter: layer.filter)
            if let loupe {
                let size = min(horizontal.texelSize, vertical.texelSize)
                horizontal.filter = loupe.filter.filter(atTexelSize: size)
                vertical.filter = horizontal.filter
            }
            if let document = image.vector {
                source = .vector(
                    try DrawnPicture(
                        document, codec: codec, horizontal: horizontal, vertical: vertical, columns: columns,
                        rows: rows))
            } else {
                source = .image(
                    TexelSampler(
                        image: image, codec: codec, columns: self.columns, horizontal: horizontal, vertical: vertical))
            }
            grid = loupe?.grid.flatMap {
                GridPainter($0, horizontal: horizontal, vertical: vertical, codec: codec)
            }
        }
    }

    /// Paints over some columns of output row `y`; `pixels` holds one for each of `span`.
    func paint(over pixels: inout [Pixel], span: Range<Int>, row y: Int) {
        let visible = span.clamped(to: columns)
        guard rows.contains(y), !visible.isEmpty else { return }
        var texels = texels(row: y, span: visible)
        let canvasY = vertical.canvasCoordinate(ofPixel: y)
        let start = visible.lowerBound - columns.lowerBound
        ink.lay(over: &texels, canvasX: canvasX[start..<start + visible.count], canvasY: canvasY)
        if let grid {
            for (index, x) in visible.enumerated() { texels[index] = grid.pixel(x: x, y: y).over(texels[index]) }
        }
        for (index, column) in visible.enumerated() {
            let point = Point(x: canvasX[column - columns.lowerBound], y: canvasY)
            let share = outline.coverage(at: point, magnification: vertical.magnification) * opacity
            guard share > 0 else { continue }
            let place = column - span.lowerBound
            pixels[place] = (texels[index] * share).over(pixels[place])
        }
    }

    private func texels(row y: Int, span: Range<Int>) -> [Pixel] {
        switch source {
        case .fill(let pixel): [Pixel](repeating: pixel, count: span.count)
        case .image(let sampler): sampler.texels(row: y, span: span)
        case .vector(let picture): picture.texels(row: y, span: span)
        }
    }
}
