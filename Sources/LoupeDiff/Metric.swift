/// How the difference of two pixels is measured, and from where on a pixel differs.
///
/// The meaning of a metric never changes under its name: a change of rule gets a new version.
public enum Metric: Hashable, Sendable {
    /// The largest difference of a premultiplied 8-bit channel, alpha included. A pixel differs above its tolerance.
    case channel(Tolerance)
    /// pixelmatch 7.2.0: the squared distance δ in YIQ. A pixel differs where δ > 35215·threshold², threshold 0…1;
    /// pixels that look anti-aliased are left out, unless they are included.
    case yiq(threshold: Double, includesAntialiased: Bool)

    /// The name with its version, as results carry it.
    public var name: String {
        switch self {
        case .channel: "channel/1"
        case .yiq: "yiq/pixelmatch-7.2.0"
        }
    }

    public static let thresholdRange: ClosedRange<Double> = 0...1
}
