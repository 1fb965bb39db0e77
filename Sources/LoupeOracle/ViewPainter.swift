import LoupeImaging
import LoupeScene

/// Paints the background and the layers as one view shows them, row by row from the top.
struct ViewPainter {
    private let background: Pixel
    private let layers: [LayerPainter]
    private let mark: MarkPainter?

    /// - Parameters:
    ///   - scene: Its background and layers are painted; its loupes are not.
    ///   - lens: The view.
    ///   - loupe: The one whose view it is, if any.
    ///   - columns: The output columns that can be asked for.
    ///   - rows: The output rows that can be asked for.
    init(
        _ scene: Scene, lens: Lens, of loupe: Loupe? = nil, columns: Range<Int>, rows: Range<Int>, codec: PixelCodec,
        images: [String: Image]
    ) throws(OracleError) {
        background = loupe?.outside == .transparent ? .zero : codec.pixel(scene.canvas.background)
        mark = loupe.flatMap { MarkPainter($0, lens: lens, layers: scene.layers, images: images, codec: codec) }
        layers = try scene.layers.map { (layer) throws(OracleError) in
            try LayerPainter(
                layer, in: loupe, lens: lens, columns: columns, rows: rows, codec: codec,
                images: images)
        }
    }

    /// The pixels of some columns of output row `y`.
    func pixels(row y: Int, span: Range<Int>) -> [Pixel] {
        var pixels = [Pixel](repeating: background, count: span.count)
        for layer in layers { layer.paint(over: &pixels, span: span, row: y) }
        if let mark {
            for (index, x) in span.enumerated() { pixels[index] = mark.lay(over: pixels[index], x: x, y: y) }
        }
        return pixels
    }
}
