import Glibc

/// Ctrl-C and a polite request to end: noticed between frames, so that what is being drawn is still written. A second
/// one ends the process at once.
enum Interruption {
    // Set by a signal handler, which may do no more than that.
    nonisolated(unsafe) fileprivate static var requested: sig_atomic_t = 0

    static var isRequested: Bool { requested != 0 }

    /// Tells which signal it was.
    static var code: Failure.Code { requested == SIGTERM ? .terminated : .interrupted }

    static func watch() {
        for number in [SIGINT, SIGTERM] where !Signals.isIgnored(number) { signal(number, noteRequest) }
    }

    /// - Throws: `Failure` where it was requested, with a sentence about what is done.
    static func check(_ sentence: @autoclosure () -> String) throws {
        if isRequested { throw Failure(code, sentence()) }
    }
}

private func noteRequest(_ number: Int32) {
    Interruption.requested = number
    signal(number, endTidily)
}
