/// What a number of measurements say: where they lie and how far they scatter, outliers hardly counting.
public struct Summary: Hashable, Sendable {
    public let median: Double
    /// The median of the distances from the median.
    public let medianAbsoluteDeviation: Double

    /// - Precondition: there is a value.
    public init(_ values: [Double]) {
        let median = values.median
        self.median = median
        medianAbsoluteDeviation = values.map { abs($0 - median) }.median
    }
}

extension [Double] {
    /// The middle value, or the mean of the middle two; NaN where there is none.
    public var median: Double { sorted().medianOfSorted }

    var medianOfSorted: Double {
        guard !isEmpty else { return .nan }
        let middle = count / 2
        return count % 2 == 1 ? self[middle] : (self[middle - 1] + self[middle]) / 2
    }

    /// The value that a part of the others lie below, 0…1, between neighbours linearly
    /// (Hyndman and Fan's type 7). The values must be sorted.
    func quantileOfSorted(_ part: Double) -> Double {
        guard !isEmpty else { return .nan }
        let place = part * Double(count - 1)
        let low = Int(place)
        let high = Swift.min(low + 1, count - 1)
        return self[low] + (place - Double(low)) * (self[high] - self[low])
    }
}

extension Double {
    func rounded(toPlaces places: Int) -> Double {
        let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
        return (self * factor).rounded() / factor
    }
}
