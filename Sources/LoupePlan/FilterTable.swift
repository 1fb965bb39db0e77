import LoupeBase
import LoupeScene

/// The texels that each of a run of pixels mixes along one axis, and their weights.
///
/// Built as Pillow builds its coefficients: a kernel widened by the scale where the picture is
/// minified, cut off at the image's border and renormalised (specification, section 5). `nearest` and `sharp` have no
/// kernel.
package struct FilterTable: Hashable, Sendable {
    /// The first pixel of the table.
    let firstPixel: Int
    /// How many weights each pixel has; unused ones at the end are 0.
    package let taps: Int
    /// The first texel of each pixel.
    package let firstTexels: [Int]
    /// `taps` weights for each pixel; they sum to 1.
    package let weights: [Double]
    /// Every texel that has a weight.
    package let texels: Range<Int>

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
        if filter == .sharp { return coveredTexels(mapping, around: coordinate) }
        guard let support = filter.support else {
            return (min(max(Int(bounded: coordinate.rounded(.down)), 0), mapping.texels - 1), [1])
        }
        let width = max(mapping.scale, 1)
        let reach = support * width
        // Conversion truncates toward zero, as Pillow's does.
        let first = max(Int(bounded: coordinate - reach + 0.5), 0)
        let end = min(Int(bounded: coordinate + reach + 0.5), mapping.texels)
        let raw = (first..<max(first, end)).map { filter.weight(at: (Double($0) - coordinate + 0.5) / width) }
        let sum = raw.reduce(0, +)
        guard sum != 0 else {
            // Only a pixel whose centre lies far outside the image has no texel: it gets the edge's.
            return (coordinate < 0 ? 0 : mapping.texels - 1, [1])
        }
        return (first, raw.map { $0 / sum })
    }

    /// The texels that a pixel covers, and how much of it each takes.
    private static func coveredTexels(_ mapping: AxisMapping, around coordinate: Double) -> (
        first: Int, weights: [Double]
    ) {
        let low = coordinate - mapping.scale / 2
        let high = coordinate + mapping.scale / 2
        let last = mapping.texels - 1
        let first = min(max(Int(bounded: low.rounded(.down)), 0), last)
        let end = max(min(Int(bounded: high.rounded(.up)), mapping.texels), first + 1)
        let covered = (first..<end).map { max(0, min(high, Double($0 + 1)) - max(low, Double($0))) }
        let sum = covered.reduce(0, +)
        // A pixel beyond the image shows the edge's texel.
        return sum > 0 ? (first, covered.map { $0 / sum }) : (coordinate < 0 ? 0 : last, [1])
    }
}

extension FilterTable {
    /// The sum of the whole weights of each pixel.
    static let wholeUnit = 8192

    /// A pixel's weights as whole numbers. Each partial sum from the first weight on is rounded to nearest.
    /// - Parameter index: counted from `firstPixel`.
    package func wholeWeights(ofPixelAt index: Int) -> [Int] {
        var sum = 0.0
        var roundedSum = 0
        return weights[(index * taps)..<((index + 1) * taps)].map { weight in
            // The weights of a pixel far outside the picture, which is not visible, may be of any size.
            sum = min(max(sum + weight * Double(Self.wholeUnit), -1e8), 1e8)
            let upToHere = Int(sum.rounded())
            defer { roundedSum = upToHere }
            return upToHere - roundedSum
        }
    }
}

/// The filters' kernels, as functions of the distance from the sample in texels (specification,
/// section 5).
extension Filter {
    /// Beyond this distance the kernel is 0; nil where there is no kernel.
    var support: Double? {
        switch self {
        case .nearest, .sharp: nil
        case .linear: 1
        case .cubic: 2
        case .lanczos: 3
        }
    }

    func weight(at distance: Double) -> Double {
        let x = abs(distance)
        switch self {
        case .nearest, .sharp: return 1
        case .linear: return max(0, 1 - x)
        case .cubic: return Self.keys(x)
        case .lanczos: return x < 3 ? Self.sinc(x) * Self.sinc(x / 3) : 0
        }
    }

    /// Keys (1981) with a = −½.
    private static func keys(_ x: Double) -> Double {
        let a = -0.5
        if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
        if x < 2 { return (((x - 5) * x + 8) * x - 4) * a }
        return 0
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}
