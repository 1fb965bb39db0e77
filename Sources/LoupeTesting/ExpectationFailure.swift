/// Why an expectation is not met.
struct ExpectationFailure: Error {
    /// The line of `loupe-render diff` first, then where the pictures are.
    var message: String
    /// For frameworks that keep files with a test's results: names, and bytes.
    var attachments: [(name: String, bytes: [UInt8])] = []
}
