import LoupeImaging

/// A vector picture in one view, drawn at the view's own resolution: its library says what the pixels are, this where.
///
/// Pixels that its border crosses show what the next one wholly inside does, so that only the layer's outline feathers it.
struct DrawnPicture {
    private let image: Image
    private let codec: PixelCodec
    private let columns: Range<Int>
    private let rows: Range<Int>

    /// - Parameters:
    ///   - columns: Those of the view. All are drawn, whatever the layer's outline leaves of them, as the library's pixels
    ///     depend a little on the block that it is asked for.
    ///   - rows: Those of the view.
    init(
        _ document: SVGDocument, codec: PixelCodec, horizontal: TexelAxis, vertical: TexelAxis, columns: Range<Int>,
        rows: Range<Int>
    ) throws(OracleError) {
        self.codec = codec
        self.columns = horizontal.pixelsInside(near: columns)
        self.rows = vertical.pixelsInside(near: rows)
        do {
            image = try document.draw(
                SVGPlacement(
                    x: horizontal.outputStart, y: vertical.outputStart, width: horizontal.outputLength,
                    height: vertical.outputLength, columns: self.columns, rows: self.rows))
        } catch {
            throw .picture(error)
        }
    }

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
    /// Where the layer's rect begins, in output pixels.
    fileprivate var outputStart: Double { axis.center + (rectStart - axis.focus) * axis.magnification }
    fileprivate var outputLength: Double { rectLength * axis.magnification }

    /// The output pixels that lie inside the rect but for a thousandth of one, as far as `pixels` need them: at least the
    /// one next to them, or where the rect is thinner than a pixel, the one in its middle.
    fileprivate func pixelsInside(near pixels: Range<Int>) -> Range<Int> {
        let margin = 1.0 / 1024
        let (start, end) = (outputStart, outputStart + outputLength)
        var low = Int((start - margin).rounded(.up))
        var high = Int((end + margin).rounded(.down))
        if low >= high {
            low = Int(((start + end) / 2).rounded(.down))
            high = low + 1
        }
        let first = min(max(pixels.lowerBound, low), high - 1)
        return first..<max(first + 1, min(pixels.upperBound, high))
    }
}
