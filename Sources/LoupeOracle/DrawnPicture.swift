import LoupeBase
import LoupeImaging
import LoupeSystem

/// A vector image drawn at the resolution of one view. The SVG library computes the pixels, this type their positions.
///
/// A pixel crossed by the image's border shows the nearest pixel that lies wholly inside, so that only the layer's outline
/// feathers the border.
struct DrawnPicture {
    private let image: Image
    private let codec: PixelCodec
    private let columns: Range<Int>
    private let rows: Range<Int>

    /// - Parameters:
    ///   - columns: The columns of the view. All are drawn, even those outside the layer's outline, because the library's
    ///     pixels depend slightly on the block that it draws.
    ///   - rows: The rows of the view.
    init(
        _ document: VectorDocument, codec: PixelCodec, horizontal: TexelAxis, vertical: TexelAxis, columns: Range<Int>,
        rows: Range<Int>
    ) throws(DrawingError) {
        self.codec = codec
        self.columns = horizontal.pixelsInside(near: columns)
        self.rows = vertical.pixelsInside(near: rows)
        image = try document.draw(
            DrawingPlace(
                x: horizontal.outputStart, y: vertical.outputStart, width: horizontal.outputLength,
                height: vertical.outputLength, columns: self.columns, rows: self.rows))
    }

    /// The texels of some columns of output row `y`.
    func texels(row y: Int, span: Range<Int>) -> [Pixel] {
        let row = min(max(y, rows.lowerBound), rows.upperBound - 1) - rows.lowerBound
        return span.map { x in
            let column = min(max(x, columns.lowerBound), columns.upperBound - 1) - columns.lowerBound
            let byte = (row * image.width + column) * 4
            return codec.pixel(
                red: image.pixels[byte], green: image.pixels[byte + 1], blue: image.pixels[byte + 2],
                alpha: image.pixels[byte + 3])
        }
    }
}

extension TexelAxis {
    /// Where the layer's rect starts, in output pixels.
    fileprivate var outputStart: Double { axis.center + (rectStart - axis.focus) * axis.magnification }
    /// The length of the layer's rect, in output pixels.
    fileprivate var outputLength: Double { rectLength * axis.magnification }

    /// The output pixels that lie inside the rect, to a thousandth of a pixel, and are needed for `pixels`. At least one:
    /// the nearest to `pixels`, or the one in the middle of a rect thinner than a pixel.
    fileprivate func pixelsInside(near pixels: Range<Int>) -> Range<Int> {
        let margin = 1.0 / 1024
        let (start, end) = (outputStart, outputStart + outputLength)
        var low = Int(bounded: (start - margin).rounded(.up))
        var high = Int(bounded: (end + margin).rounded(.down))
        if low >= high {
            low = Int(bounded: ((start + end) / 2).rounded(.down))
            high = low + 1
        }
        let first = min(max(pixels.lowerBound, low), high - 1)
        return first..<max(first + 1, min(pixels.upperBound, high))
    }
}
