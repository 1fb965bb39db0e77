import LoupeScene

/// The texels that each of a run of pixels mixes along one axis, and their weights.
///
/// Built as Pillow builds its coefficients: a kernel widened by the scale where the picture is
/// minified, cut off at the image's border and renormalised (SPEC 5).
public struct FilterTable: Hashable, Sendable {
    /// The first pixel that the table serves.
    public let firstPixel: Int
    /// How many weights each pixel has; unused ones at the end are 0.
    public let taps: Int
    /// The first texel of each pixel.
    public let firstTexels: [Int]
    /// `taps` weights for each pixel; they sum to 1.
    public let weights: [Double]
    /// Every texel that the table names with a weight.
    public let texels: Range<Int>

    init(_ mapping: AxisMapping, filter: Filter, pixels: Range<Int>) {
        let rows = pixels.map { Self.row(mapping, filter, pixel: $0) }
        let widest = rows.map { $0.weights.count }.max() ?? 1
        firstPixel = pixels.lowerBound
        taps = widest
        firstTexels = rows.map { $0.first }
        weights = rows.flatMap { $0.weights + repeatElement(0, count: widest - $0.weights.count) }
        let low = rows.map { $0.first }.min() ?? 0
        let high = rows.map { $0.first + $0.weights.count }.max() ?? 1
        texels = low..<high
    }

    private static func row(
        _ mapping: AxisMapping, _ filter: Filter, pixel: Int
    ) -> (first: Int, weights: [Double]) {
        let coordinate = mapping.sampleCoordinate(ofPixel: pixel)
        guard let support = filter.support else {
            return (min(max(Int(coordinate.rounded(.down)), 0), mapping.texels - 1), [1])
        }
        let width = max(mapping.scale, 1)
        let reach = support * width
        // Conversion truncates toward zero, as Pillow's does.
        let first = max(Int(coordinate - reach + 0.5), 0)
        let end = min(Int(coordinate + reach + 0.5), mapping.texels)
        let raw = (first..<max(first, end)).map { filter.weight(at: (Double($0) - coordinate + 0.5) / width) }
        let sum = raw.reduce(0, +)
        guard sum != 0 else {
            // Only a pixel whose centre lies far outside the image sees no texel: it takes the border's.
            return (coordinate < 0 ? 0 : mapping.texels - 1, [1])
        }
        return (first, raw.map { $0 / sum })
    }
}
