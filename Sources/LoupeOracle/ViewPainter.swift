import LoupeImaging
import LoupeScene

/// Paints the background and the layers as one view shows them, row by row from the top.
struct ViewPainter {
    private let background: Pixel
    private let layers: [LayerPainter]

    /// - Parameters:
    ///   - scene: Its background and layers are painted; its loupes are not.
    ///   - lens: The view.
    ///   - filter: In place of each layer's own, where given.
    ///   - columns: The output columns that can be asked for.
    ///   - rows: The output rows that can be asked for.
    init(
        _ scene: Scene, lens: Lens, filter: Filter? = nil, columns: Range<Int>, rows: Range<Int>, codec: PixelCodec,
        images: [String: Image]
    ) throws(OracleError) {
        background = codec.pixel(scene.canvas.background)
        layers = try scene.layers.map { (layer) throws(OracleError) in
            try LayerPainter(
                layer, filter: filter ?? layer.filter, lens: lens, columns: columns, rows: rows, codec: codec,
                images: images)
        }
    }

    /// The pixels of some columns of output row `y`.
    func pixels(row y: Int, span: Range<Int>) -> [Pixel] {
        var pixels = [Pixel](repeating: background, count: span.count)
        for layer in layers { layer.paint(over: &pixels, span: span, row: y) }
        return pixels
    }
}
