/// How a PNG is written.
public struct PNGOptions: Hashable, Sendable {
    /// How long to look for a smaller file. The pixels are the same with each.
    public enum Effort: String, Hashable, Sendable, CaseIterable {
        /// ISA-L on every core: the quickest there is.
        case fast
        /// Where longer matches pay, by libdeflate's level 6; a photograph as with `fast`: both smaller than zlib's default
        /// makes them.
        case `default`
        /// Each filter tried for the whole picture, and the best of them packed by libdeflate's level 12.
        case best
    }

    public var effort: Effort
    /// What stands beside the pixels, in this order.
    public var texts: [PNGText]

    /// The ICC profile that the pixels' numbers are of; nil for sRGB.
    public var profile: [UInt8]?

    public init(effort: Effort = .default, texts: [PNGText] = [], profile: [UInt8]? = nil) {
        self.effort = effort
        self.profile = profile
        self.texts = texts
    }
}
