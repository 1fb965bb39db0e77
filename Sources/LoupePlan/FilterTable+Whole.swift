import LoupeScene

extension FilterTable {
    /// What the whole weights of each pixel sum to.
    public static let wholeUnit = 8192

    /// A pixel's weights as whole numbers, such that each run of them from the first on is rounded to nearest.
    /// - Parameter index: counted from `firstPixel`.
    public func wholeWeights(ofPixelAt index: Int) -> [Int] {
        var sum = 0.0
        var laid = 0
        return weights[(index * taps)..<((index + 1) * taps)].map { weight in
            // The weights of a pixel far outside the picture, which nobody sees, may be of any size.
            sum = min(max(sum + weight * Double(Self.wholeUnit), -1e8), 1e8)
            let upToHere = Int(sum.rounded())
            defer { laid = upToHere }
            return upToHere - laid
        }
    }
}
