/// The centre and the spread of measurements, both robust against outliers.
package struct Summary: Hashable, Sendable {
    /// The middle value.
    let median: Double
    /// The median of the absolute deviations from the median.
    let medianAbsoluteDeviation: Double

    /// The summary of at least one value.
    package init(_ values: [Double]) {
        let median = values.median
        self.median = median
        medianAbsoluteDeviation = values.map { abs($0 - median) }.median
    }
}

extension [Double] {
    /// The middle value, or the mean of the middle two; NaN for an empty array.
    var median: Double { sorted().quantileOfSorted(0.5) }

    /// The quantile of a part, 0…1, with linear interpolation (Hyndman and Fan's type 7). The values must be sorted.
    func quantileOfSorted(_ part: Double) -> Double {
        guard !isEmpty else { return .nan }
        let position = part * Double(count - 1)
        let low = Int(position)
        let high = Swift.min(low + 1, count - 1)
        return self[low] + (position - Double(low)) * (self[high] - self[low])
    }
}

extension Double {
    /// The nearest number with so many decimal places.
    func rounded(toPlaces places: Int) -> Double {
        let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
        return (self * factor).rounded() / factor
    }
}

/// Steele, Lea and Flood's generator of random numbers: the same seed gives the same numbers everywhere.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator whose numbers follow from the seed.
    init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
