/// What a ratio of times lets one say.
public enum Verdict: String, Hashable, Sendable {
    case faster
    case slower
    case noDifference = "no difference"

    /// Faster or slower only where the whole interval says so.
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
