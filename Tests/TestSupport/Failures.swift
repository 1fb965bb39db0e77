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

/// The error of this type that a call throws. Records that it throws no such error, and is nil then.
public func thrown<Failure: Error, Value>(
    _: Failure.Type, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () throws -> Value
) -> Failure? {
    do {
        fail("\(comment) ended well: \(try call())", sourceLocation: sourceLocation)
    } catch let error as Failure {
        return error
    } catch {
        fail("\(comment) failed otherwise: \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

/// Records that a test can't go on, for `guard … else { return fail("…") }`.
public func fail(_ why: String, sourceLocation: SourceLocation = #_sourceLocation) {
    Issue.record("\(why)", sourceLocation: sourceLocation)
}
