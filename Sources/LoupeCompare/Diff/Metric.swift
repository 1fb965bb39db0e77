import LoupeBase

/// A measure of the difference of two pixels, with the limit above which a pixel differs.
///
/// A name and version always mean the same rule; a changed rule gets a new version.
public enum Metric: Hashable, Sendable {
    /// The largest difference of a premultiplied channel in 1/255, alpha included, in the depth of the deeper picture: 8 or 16
    /// bits. A pixel differs if that is above the tolerance.
    case channel(Tolerance)
    /// The metric of pixelmatch 7.2.0: the squared distance δ in YIQ. A pixel differs if δ > 35215·threshold², with a
    /// threshold of 0…1. Pixels that look anti-aliased are left out unless `includesAntialiased` is set.
    case yiq(threshold: Double, includesAntialiased: Bool)
    /// The error that a neighbourhood or a distance of colours gives a pixel. A pixel differs if that is above the threshold,
    /// where there is one.
    case error(ErrorMetric, ErrorLimits)

    /// The name with its version, as in results.
    public var name: String {
        switch self {
        case .channel: "channel/1"
        case .yiq: "yiq/pixelmatch-7.2.0"
        case .error(let metric, _): metric.name
        }
    }

    /// The values allowed for the threshold of `yiq`.
    public static let thresholdRange: ClosedRange<Double> = 0...1
}

extension Metric {
    /// A metric without its limits.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// See ``Metric/channel(_:)``.
        case channel
        /// See ``Metric/yiq(threshold:includesAntialiased:)``.
        case yiq
        /// See ``ErrorMetric/flip(pixelsPerDegree:)``.
        case flip
        /// See ``ErrorMetric/ssim(_:)``.
        case ssim
        /// See ``ErrorMetric/ssim(_:)``.
        case ssimRGB = "ssim-rgb"
        /// See ``ErrorMetric/multiScaleSSIM``.
        case msSSIM = "ms-ssim"
        /// See ``ErrorMetric/oklab``.
        case oklab
    }

    /// The metric of a name, with its usual limits.
    public init(_ name: Name) {
        switch name {
        case .channel: self = .channel(Tolerance())
        case .yiq: self = .yiq(threshold: 0.1, includesAntialiased: false)
        case .flip: self.init(errors: .flip(pixelsPerDegree: ErrorMetric.standardPixelsPerDegree))
        case .ssim: self.init(errors: .ssim(.luma))
        case .ssimRGB: self.init(errors: .ssim(.rgb))
        case .msSSIM: self.init(errors: .multiScaleSSIM)
        case .oklab: self.init(errors: .oklab)
        }
    }

    private init(errors metric: ErrorMetric) { self = .error(metric, metric.limits()) }

    /// The metric without its limits.
    var plainName: Name {
        switch self {
        case .channel: .channel
        case .yiq: .yiq
        case .error(let metric, _): metric.plainName
        }
    }
}

/// The largest difference of a channel at which a pixel still counts as the same, in 1/255: 0…255, also a part of one for
/// pictures of 16 bits.
public struct Tolerance: Hashable, Sendable {
    /// The tolerance of all regions that have none of their own.
    public var base: Double
    /// The tolerances of single regions of a scene's picture.
    public var regions: [PictureRegion: Double]

    /// By default, channels have to be equal.
    public init(_ base: Double = 0, regions: [PictureRegion: Double] = [:]) {
        self.base = base
        self.regions = regions
    }

    /// The values allowed for a tolerance.
    public static let range: ClosedRange<Double> = 0...255

    /// The tolerance in a region; the base for nil.
    public subscript(region: PictureRegion?) -> Double {
        region.flatMap { regions[$0] } ?? base
    }

    /// The same tolerance with another base. Regions below the base are raised to it.
    func based(on base: Double) -> Tolerance {
        Tolerance(base, regions: regions.mapValues { max($0, base) })
    }
}

extension Tolerance: CustomStringConvertible {
    /// The tolerance as a command-line argument: `2` or `2,rim=3,page-edge=3`.
    public var description: String {
        let parts = PictureRegion.allCases.compactMap { region in
            regions[region].map { "\(region.rawValue)=\($0.jsonText)" }
        }
        return ([base.jsonText] + parts).joined(separator: ",")
    }
}
