/// How a PNG is written.
public struct PNGOptions: Hashable, Sendable {
    /// How long to look for a smaller file. The pixels are the same with each.
    public enum Effort: String, Hashable, Sendable, CaseIterable {
        /// A photograph in runs of equal bytes on every core, anything else by libdeflate's level 6: files no larger
        /// than zlib's default makes them, in a tenth of its time.
        case fast
        /// The smaller of runs and libdeflate's level 8.
        case `default`
        /// The smallest of runs and libdeflate's levels 8 and 12.
        case best
    }

    public var effort: Effort
    /// What stands beside the pixels, in this order.
    public var texts: [PNGText]

    /// The ICC profile that the pixels' numbers are of; nil for sRGB.
    public var profile: [UInt8]?

    public init(effort: Effort = .fast, texts: [PNGText] = [], profile: [UInt8]? = nil) {
        self.effort = effort
        self.profile = profile
        self.texts = texts
    }
}
