import Glibc

/// Ctrl-C and a polite request to end: noticed between frames, so that files stay whole.
enum Interruption {
    // Set by a signal handler, which may do no more than that.
    nonisolated(unsafe) fileprivate static var requested: sig_atomic_t = 0

    static var isRequested: Bool { requested != 0 }

    static func watch() {
        for number in [SIGINT, SIGTERM] { signal(number, noteRequest) }
    }
}

private func noteRequest(_ number: Int32) { Interruption.requested = 1 }
