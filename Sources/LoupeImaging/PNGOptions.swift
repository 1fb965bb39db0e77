/// How a PNG is written.
public struct PNGOptions: Hashable, Sendable {
    /// How long to look for a smaller file. The pixels are the same with each.
    public enum Effort: String, Hashable, Sendable, CaseIterable {
        /// zlib level 1, SUB filter, runs only: on photographs about four times faster than `default` for files some
        /// 5 % larger; on drawings with repeated patterns the files grow more.
        case fast
        /// zlib level 6, the filter chosen row by row: libpng's own default.
        case `default`
        /// zlib level 9, the filter chosen row by row.
        case best
    }

    public var effort: Effort

    public init(effort: Effort = .fast) {
        self.effort = effort
    }
}
