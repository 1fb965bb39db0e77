/// How a PNG is written.
public struct PNGOptions: Hashable, Sendable {
    /// How long to look for a smaller file. The pixels are the same with each.
    public enum Effort: String, Hashable, Sendable, CaseIterable {
        /// ISA-L on every core: the quickest there is.
        case fast
        /// A photograph as with `fast`, anything else by libdeflate's level 6: files no larger than zlib's default makes
        /// them, in a tenth of its time.
        case `default`
        /// Each filter tried for the whole picture, and the best of them packed by libdeflate's level 12.
        case best
    }

    public var effort: Effort

    public init(effort: Effort = .default) {
        self.effort = effort
    }
}
