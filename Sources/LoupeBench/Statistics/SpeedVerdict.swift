/// What a ratio of times shows.
public enum SpeedVerdict: String, Hashable, Sendable {
    /// The whole interval is below 1.
    case faster
    /// The whole interval is above 1.
    case slower
    /// The interval holds 1.
    case noDifference = "no difference"

    /// The verdict on a ratio.
    public init(_ ratio: Ratio) {
        if ratio.high < 1 {
            self = .faster
        } else if ratio.low > 1 {
            self = .slower
        } else {
            self = .noDifference
        }
    }
}
