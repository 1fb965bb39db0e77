import LoupeBase
import LoupeImaging
import LoupeScene

/// Paints the background and the layers of a scene in one view, row by row from the top.
struct ViewPainter {
    private let background: BackdropPainter?
    private let layers: [LayerPainter]
    private let mark: MarkPainter?

    /// - Parameters:
    ///   - scene: The scene. Its background and layers are painted, its loupes are not.
    ///   - mapping: The view.
    ///   - loupe: The loupe whose view it is; nil for the base view.
    ///   - columns: The output columns that can be asked for.
    ///   - rows: The output rows that can be asked for.
    init(
        _ scene: Scene, mapping: ViewMapping, of loupe: Loupe? = nil, columns: Range<Int>, rows: Range<Int>,
        codec: PixelCodec, images: [ImagePath: Image]
    ) throws(DrawingError) {
        background =
            loupe?.outside == .transparent ? nil : BackdropPainter(scene.canvas, mapping: mapping, codec: codec)
        mark = loupe.flatMap { MarkPainter($0, mapping: mapping, layers: scene.layers, images: images, codec: codec) }
        layers = try scene.layers.map { layer throws(DrawingError) in
            try LayerPainter(
                layer, in: loupe, mapping: mapping, columns: columns, rows: rows, codec: codec,
                images: images)
        }
    }

    /// The pixels of some columns of output row `y`.
    func pixels(row y: Int, span: Range<Int>) -> [Pixel] {
        var pixels = span.map { background?.pixel(x: $0, y: y) ?? .zero }
        for layer in layers { layer.paint(over: &pixels, span: span, row: y) }
        if let mark {
            for (index, x) in span.enumerated() { pixels[index] = mark.painted(over: pixels[index], x: x, y: y) }
        }
        return pixels
    }
}

/// The background of a canvas in one view (specification, section 6.2).
private struct BackdropPainter {
    private let from: Pixel
    /// Nil for one colour.
    private let to: Pixel?
    private let mapping: ViewMapping
    private let width: Double
    private let height: Double
    private let radians: Double

    init(_ canvas: Scene.Canvas, mapping: ViewMapping, codec: PixelCodec) {
        self.mapping = mapping
        (width, height) = (Double(canvas.width), Double(canvas.height))
        switch canvas.background {
        case .color(let color): (from, to, radians) = (codec.pixel(color), nil, 0)
        case .gradient(let gradient):
            (from, to) = (codec.pixel(gradient.from), codec.pixel(gradient.to))
            radians = gradient.angle / 180 * .pi
        }
    }

    func pixel(x: Int, y: Int) -> Pixel {
        guard let to else { return from }
        let across = mapping.horizontal.canvasCoordinate(ofPixel: x) - width / 2
        let down = mapping.vertical.canvasCoordinate(ofPixel: y) - height / 2
        let length = width * abs(cos(radians)) + height * abs(sin(radians))
        let position = 0.5 + (across * cos(radians) + down * sin(radians)) / length
        let weight = min(max(position, 0), 1)
        return from * (1 - weight) + to * weight
    }
}

/// Paints one layer in one view, row by row.
private struct LayerPainter {
    /// The source of the layer's texels.
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
    /// The output columns that the outline can touch.
    private let columns: Range<Int>
    /// The output rows that the outline can touch.
    private let rows: Range<Int>
    /// The canvas x of each of `columns`.
    private let canvasX: [Double]
    private let shadow: Loupe.Shadow?
    private let shadowColor: Pixel
    private let horizontal: Axis

    /// - Parameters:
    ///   - layer: The layer to paint.
    ///   - loupe: The loupe that shows it; nil for the base view. A loupe's filter replaces the layer's.
    ///   - mapping: The view.
    ///   - columns: The output columns that the view can ask for.
    ///   - rows: The output rows that the view can ask for.
    ///   - images: The scene's images by path.
    init(
        _ layer: Layer, in loupe: Loupe?, mapping: ViewMapping, columns: Range<Int>, rows: Range<Int>,
        codec: PixelCodec, images: [ImagePath: Image]
    ) throws(DrawingError) {
        let rect = layer.rect
        let bounds = layer.crop ?? rect
        outline = Outline(rect: bounds, radii: layer.corner.radii, exponent: layer.corner.exponent)
        opacity = layer.opacity
        ink = InkPainter(layer.strokes, magnification: mapping.vertical.magnification, codec: codec)
        vertical = mapping.vertical
        horizontal = mapping.horizontal
        shadow = layer.shadow
        shadowColor = layer.shadow.map { codec.pixel($0.color) } ?? .zero
        self.columns = mapping.horizontal.pixels(in: columns, touching: bounds.x, length: bounds.width)
        self.rows = mapping.vertical.pixels(in: rows, touching: bounds.y, length: bounds.height)
        canvasX = self.columns.map(mapping.horizontal.canvasCoordinate(ofPixel:))
        switch layer.content {
        case .fill(let color):
            source = .fill(codec.pixel(color))
            grid = nil
        case .image(let path):
            guard let image = images[path] else { throw OracleError.missingImage(path: path) }
            var horizontal = TexelAxis(
                axis: mapping.horizontal, rectStart: rect.x, rectLength: rect.width, imageLength: image.width,
                isCropped: layer.crop != nil, filter: layer.filter)
            var vertical = TexelAxis(
                axis: mapping.vertical, rectStart: rect.y, rectLength: rect.height, imageLength: image.height,
                isCropped: layer.crop != nil, filter: layer.filter)
            if let loupe {
                let size = min(horizontal.texelSize, vertical.texelSize)
                horizontal.filter = loupe.filter.filter(atTexelSize: size)
                vertical.filter = horizontal.filter
            }
            if let document = image.vector {
                source = .vector(
                    try DrawnPicture(
                        document.scalingStrokes(by: loupe?.strokeScale ?? 1), codec: codec, horizontal: horizontal,
                        vertical: vertical, columns: columns,
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

    /// Paints over some columns of output row `y`.
    ///
    /// - Parameter pixels: One pixel for each column of `span`.
    func paint(over pixels: inout [Pixel], span: Range<Int>, row y: Int) {
        paintShadow(over: &pixels, span: span, row: y)
        let visible = span.clamped(to: columns)
        guard rows.contains(y), !visible.isEmpty else { return }
        var texels = texels(row: y, span: visible)
        let canvasY = vertical.canvasCoordinate(ofPixel: y)
        let start = visible.lowerBound - columns.lowerBound
        ink.paint(over: &texels, canvasX: canvasX[start..<start + visible.count], canvasY: canvasY)
        if let grid {
            for (index, x) in visible.enumerated() { texels[index] = grid.pixel(x: x, y: y).sourceOver(texels[index]) }
        }
        for (index, column) in visible.enumerated() {
            let point = Point(x: canvasX[column - columns.lowerBound], y: canvasY)
            let weight = outline.coverage(at: point, magnification: vertical.magnification) * opacity
            guard weight > 0 else { continue }
            let target = column - span.lowerBound
            pixels[target] = (texels[index] * weight).sourceOver(pixels[target])
        }
    }

    /// The shadow on what is there, outside of the outline.
    private func paintShadow(over pixels: inout [Pixel], span: Range<Int>, row y: Int) {
        guard let shadow else { return }
        let canvasY = vertical.canvasCoordinate(ofPixel: y)
        for (index, x) in span.enumerated() {
            let point = Point(x: horizontal.canvasCoordinate(ofPixel: x), y: canvasY)
            let outside = -outline.signedDistance(to: point - shadow.offset)
            let weight =
                shadowWeight(outside: outside, blur: shadow.blur)
                * (1 - outline.coverage(at: point, magnification: vertical.magnification))
            pixels[index] = (shadowColor * weight).sourceOver(pixels[index])
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
