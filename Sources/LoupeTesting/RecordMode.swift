/// Which references a test run writes. Recording never passes: an expectation that writes its reference fails.
enum RecordMode: String, Sendable, CaseIterable {
    /// Those that are not there.
    case missing
    /// Those that are not there, and those that the picture does not match.
    case failed
    case all
    /// None: a missing reference fails, and nothing is written.
    case never
}
