import Testing

/// What a call says of its failure, or what it returns: for tables of texts and what is wrong with them.
public func complaint<Value>(_ call: () throws -> Value) -> String {
    do {
        return "read as \(try call())"
    } catch {
        return "\(error)"
    }
}

/// The error of a call; nil where it ends well.
public func failure<Failure: Error>(_ call: () throws(Failure) -> Void) -> Failure? {
    do {
        try call()
        return nil
    } catch {
        return error
    }
}

/// Records that a test can't go on, for `guard … else { return fail("…") }`.
public func fail(_ why: String, sourceLocation: SourceLocation = #_sourceLocation) {
    Issue.record("\(why)", sourceLocation: sourceLocation)
}
