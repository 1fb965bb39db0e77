/// A metric that gives each pixel an error from what lies around it, or as a distance of colours. A picture is judged by the
/// errors of its pixels, by their mean, or by both.
///
/// Translucent pixels are compared over black and over white; the backdrop with the larger mean error counts.
public enum ErrorMetric: Hashable, Sendable {
    /// LDR-FLIP: the error that a person sees who alternates between two pictures, 0…1 (Andersson et al. 2020).
    /// `pixelsPerDegree` are those of the field of view of the person who looks.
    case flip(pixelsPerDegree: Double)
    /// 1 − SSIM in windows of a Gaussian with σ = 1.5 px, 0…2 (Wang et al. 2004), of the luma
    /// 0.299 R + 0.587 G + 0.114 B or as the mean of R, G and B.
    case ssim(SSIM.Channels)
    /// 1 − MS-SSIM of the luma (Wang, Simoncelli and Bovik 2003), at five scales. A pixel's error is that of the finest.
    case multiScaleSSIM
    /// 100 times the distance of two colours in OKLab, 0…100 and a little more (Ottosson 2020).
    case oklab

    /// The name with its version, as in results.
    public var name: String { "\(plainName.rawValue)/1" }

    /// The name, which is also the key of its statistics in results.
    var plainName: Metric.Name {
        switch self {
        case .flip: .flip
        case .ssim(.luma): .ssim
        case .ssim(.rgb): .ssimRGB
        case .multiScaleSSIM: .msSSIM
        case .oklab: .oklab
        }
    }

    /// What a comparison holds beside the pictures, in bytes a pixel; measured, and a margin for regions.
    var heldBytes: Int {
        switch self {
        case .flip: 34
        case .ssim: 32
        case .multiScaleSSIM: 50
        case .oklab: 40
        }
    }

    /// Whether its statistics are those of 1 − error, a similarity.
    var isSimilarity: Bool {
        switch self {
        case .ssim, .multiScaleSSIM: true
        case .flip, .oklab: false
        }
    }

    /// The error that a picture of errors draws in the brightest colour.
    var brightest: Double { self == .oklab ? 20 : 1 }
    /// Limits on a pixel's error and on the mean; on a pixel's error alone where neither is given.
    public func limits(threshold: Double? = nil, mean: Double? = nil) -> ErrorLimits {
        ErrorLimits(threshold: threshold ?? (mean == nil ? self == .oklab ? 2 : 0.1 : nil), mean: mean)
    }

    /// The values allowed for a threshold and a mean.
    public var limitRange: ClosedRange<Double> { self == .oklab ? 0...200 : 0...2 }

    /// The pixels per degree of somebody 0.7 m away from a screen 0.7 m wide with 3840 columns: the default of FLIP.
    public static let standardPixelsPerDegree = 0.7 * (3840 / 0.7) * (Double.pi / 180)
    /// The values allowed for pixels per degree.
    public static let pixelsPerDegreeRange: ClosedRange<Double> = 1...1000
}

/// Limits on the errors of an ``ErrorMetric``.
public struct ErrorLimits: Hashable, Sendable {
    /// A pixel differs if its error is above this; nil if no single pixel is judged.
    public var threshold: Double?
    /// The largest mean of all compared pixels' errors that passes; nil for no such limit.
    public var mean: Double?

    /// Limits that are given, or none.
    public init(threshold: Double?, mean: Double? = nil) {
        (self.threshold, self.mean) = (threshold, mean)
    }
}

/// The errors of an ``ErrorMetric`` in all compared pixels, in numbers.
public struct ErrorStatistics: Hashable, Sendable {
    /// The mean; of SSIM over the pixels whose window lies within the picture.
    public let mean: Double
    /// The smallest.
    public let min: Double
    /// The largest.
    public let max: Double
    /// The backdrop under translucent pixels; nil where there are none.
    public let backdrop: Backdrop?

    /// The colour that lies under translucent pixels.
    public enum Backdrop: String, Hashable, Sendable, CaseIterable {
        /// #000000.
        case black
        /// #ffffff.
        case white

        /// Each channel, 0…1.
        var level: Double { self == .white ? 1 : 0 }
    }
}
