/// How many pixels may differ. Where both limits are given, both hold; where neither is, none may.
public struct Allowance: Hashable, Sendable {
    public var maxPixels: Int?
    /// A share of the compared pixels, 0…1.
    public var maxRatio: Double?

    public init(maxPixels: Int? = nil, maxRatio: Double? = nil) {
        self.maxPixels = maxPixels
        self.maxRatio = maxRatio
    }

    public static let ratioRange: ClosedRange<Double> = 0...1

    /// The limits as one number of pixels.
    func pixels(of total: Int) -> Int {
        let share = maxRatio.map { ratio in
            // The product rounds; the quotient is what results are told in.
            let count = Int((ratio * Double(total)).rounded(.down))
            return Double(count + 1) / Double(max(total, 1)) <= ratio ? count + 1 : count
        }
        return [maxPixels, share].compactMap(\.self).min() ?? 0
    }
}
