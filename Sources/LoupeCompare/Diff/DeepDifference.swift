import LoupeImaging

/// The differences of samples of 16 bits, for the metric `channel`. Rounded to 8 bits, samples that differ by half a step of 1/255 may be
/// equal.
public struct DeepDifference: Hashable, Sendable {
    /// How many of the compared pixels differ by more than the tolerance.
    public let differingPixels: Int
    /// The largest difference of a premultiplied channel, in 1/255.
    public let maxDelta: Double

    /// Nil where neither picture has 16 bits, and for pictures of different sizes, which are never the same.
    /// - Parameter tolerance: in 1/255.
    init?(_ reference: Image, _ actual: Image, tolerance: Int, without excluded: [Bool]?) {
        guard reference.pixels16 != nil || actual.pixels16 != nil, reference.size == actual.size else { return nil }
        let (a, b) = (reference.deepSamples, actual.deepSamples)
        var (count, largest) = (0, 0.0)
        for pixel in 0..<reference.width * reference.height where excluded?[pixel] != true {
            let delta = Self.delta(a[(4 * pixel)...], b[(4 * pixel)...], at: 4 * pixel)
            largest = max(largest, delta)
            if delta > Double(tolerance) { count += 1 }
        }
        (differingPixels, maxDelta) = (count, largest)
    }

    @inline(__always)
    private static func delta(_ a: ArraySlice<UInt16>, _ b: ArraySlice<UInt16>, at place: Int) -> Double {
        let (alpha, other) = (Double(a[place + 3]), Double(b[place + 3]))
        var largest = abs(alpha - other)
        for channel in place..<place + 3 {
            largest = max(largest, abs(Double(a[channel]) * alpha - Double(b[channel]) * other) / 65535)
        }
        return largest / 257
    }
}

extension Image {
    /// Samples of 16 bits, also of a picture that has 8.
    fileprivate var deepSamples: [UInt16] { pixels16 ?? pixels.map { UInt16($0) * 257 } }
}
