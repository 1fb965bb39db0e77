import LoupeImaging

/// Filters an image for one view, row by row: first along its rows, then down its columns.
///
/// Output rows are asked for from the top down. A filtered row of the image is kept for as long as later output rows can
/// need it. Nothing is rounded between the two directions.
final class TexelSampler {
    private let image: Image
    private let codec: PixelCodec
    /// The output columns that can be asked for.
    private let columns: Range<Int>
    private let columnTaps: [Taps]
    private let vertical: TexelAxis
    /// Filtered rows by their index in the image, each with one pixel for each of `columns`.
    private var filteredRows: [Int: [Pixel]] = [:]

    init(image: Image, codec: PixelCodec, columns: Range<Int>, horizontal: TexelAxis, vertical: TexelAxis) {
        self.image = image
        self.codec = codec
        self.columns = columns
        columnTaps = columns.map(horizontal.taps(forPixel:))
        self.vertical = vertical
    }

    /// The clamped texels of some columns of output row `y`.
    ///
    /// - Parameters:
    ///   - y: The row's index, not less than in any call before.
    ///   - span: The columns, within those given to `init`.
    func texels(row y: Int, span: Range<Int>) -> [Pixel] {
        let taps = vertical.taps(forPixel: y)
        filteredRows = filteredRows.filter { $0.key >= taps.first }
        var sum = [Pixel](repeating: .zero, count: span.count)
        let offset = span.lowerBound - columns.lowerBound
        for (row, weight) in zip(taps.texels, taps.weights) {
            let texels = filteredRow(row)
            for index in sum.indices { sum[index] += weight * texels[offset + index] }
        }
        return sum.map { $0.clampedTexel }
    }

    private func filteredRow(_ row: Int) -> [Pixel] {
        if let known = filteredRows[row] { return known }
        let start = columnTaps.lazy.map { $0.texels.lowerBound }.min() ?? 0
        let end = columnTaps.lazy.map { $0.texels.upperBound }.max() ?? start
        let source = decode(row: row, from: start, to: end)
        let filtered = columnTaps.map { taps in
            var sum = Pixel.zero
            for (index, weight) in taps.weights.enumerated() { sum += weight * source[taps.first - start + index] }
            return sum
        }
        filteredRows[row] = filtered
        return filtered
    }

    private func decode(row: Int, from start: Int, to end: Int) -> [Pixel] {
        if let samples = image.pixels16 {
            return (start..<end).map { column in
                let index = (row * image.width + column) * 4
                return codec.pixel(
                    SIMD4(samples[index], samples[index + 1], samples[index + 2], samples[index + 3]))
            }
        }
        return (start..<end).map { column in
            let byte = (row * image.width + column) * 4
            return codec.pixel(
                red: image.pixels[byte], green: image.pixels[byte + 1], blue: image.pixels[byte + 2],
                alpha: image.pixels[byte + 3])
        }
    }
}
