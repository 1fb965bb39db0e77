/// One dimension of a filter: its weights at −radius … radius.
struct FilterTaps {
    let weights: [Double]
    var radius: Int { weights.count / 2 }

    /// Weights by their distance from the middle, in pixels.
    init(radius: Int, _ weight: (Double) -> Double) {
        weights = (-radius...radius).map { weight(Double($0)) }
    }

    /// The same with another scale for its negative and for its positive weights, so that each sums to 1.
    var normalized: FilterTaps {
        let positive = weights.reduce(0) { $0 + max($1, 0) }
        let negative = weights.reduce(0) { $0 - min($1, 0) }
        return FilterTaps(radius: radius) { x in
            let weight = weights[Int(x) + radius]
            return weight < 0 ? weight / negative : weight / positive
        }
    }
}

/// The pixels that a picture has beyond its edge.
enum Extension {
    /// The outermost pixels again and again.
    case replicated
    /// The picture mirrored, its outermost pixels twice.
    case mirrored

    /// The row or column of the picture that stands for `index`.
    func source(of index: Int, count: Int) -> Int {
        switch self {
        case .replicated: return min(max(index, 0), count - 1)
        case .mirrored:
            let period = 2 * count
            let turn = (index % period + period) % period
            return min(turn, period - 1 - turn)
        }
    }
}

/// Some rows of numbers with columns to spare on both sides, for filters.
struct Rows {
    let width: Int
    let count: Int
    /// The columns to spare on each side.
    let margin: Int
    private let stride: Int
    private var numbers: [Double]

    /// A vector of the numbers that are filtered at once.
    private typealias Lanes = SIMD4<Double>

    init(width: Int, count: Int, margin: Int = 0) {
        (self.width, self.count, self.margin) = (width, count, margin)
        // The last vector of a row may lie partly beyond it.
        stride = width + 2 * margin + Lanes.scalarCount
        numbers = [Double](repeating: 0, count: stride * count)
    }

    subscript(x: Int, y: Int) -> Double {
        get { numbers[y * stride + margin + x] }
        set { numbers[y * stride + margin + x] = newValue }
    }

    /// Fills the spare columns from the row's own.
    mutating func extend(_ kind: Extension) {
        for y in 0..<count {
            for x in 1...max(margin, 1) where margin > 0 {
                self[-x, y] = self[kind.source(of: -x, count: width), y]
                self[width - 1 + x, y] = self[kind.source(of: width - 1 + x, count: width), y]
            }
        }
    }

    /// Filtered along the rows. The margin has to be as wide as the filter's radius.
    func horizontal(_ taps: FilterTaps) -> Rows {
        var result = Rows(width: width, count: count)
        filter(taps, into: &result, step: 1) { y in y * stride + margin - taps.radius }
        return result
    }

    /// Filtered along the columns: `count` − 2·`inset` rows, of which the first lies at `inset`, which is at least the
    /// filter's radius.
    func vertical(_ taps: FilterTaps, inset: Int) -> Rows {
        var result = Rows(width: width, count: count - 2 * inset)
        filter(taps, into: &result, step: stride) { y in (y + inset - taps.radius) * stride + margin }
        return result
    }

    /// For each row of the result, sums of numbers that lie `step` apart, from `start` on.
    @inline(__always)
    private func filter(_ taps: FilterTaps, into result: inout Rows, step: Int, start: (Int) -> Int) {
        let (rows, target, width) = (result.count, result.stride, width)
        numbers.withUnsafeBytes { numbers in
            result.numbers.withUnsafeMutableBytes { sums in
                taps.weights.withUnsafeBufferPointer { weights in
                    for y in 0..<rows {
                        let from = start(y)
                        for x in stride4(width) {
                            var sum = Lanes.zero
                            for k in 0..<weights.count {
                                let part = numbers.loadUnaligned(
                                    fromByteOffset: 8 * (from + x + k * step), as: Lanes.self)
                                sum += part * weights[k]
                            }
                            sums.storeBytes(of: sum, toByteOffset: 8 * (y * target + x), as: Lanes.self)
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private func stride4(_ width: Int) -> StrideTo<Int> { Swift.stride(from: 0, to: width, by: Lanes.scalarCount) }
}
