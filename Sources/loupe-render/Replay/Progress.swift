import Glibc

/// How far long work has come, on a terminal; silent in a pipe.
struct Progress {
    private let total: Int
    private let isShown: Bool
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant

    init(total: Int, isQuiet: Bool) {
        self.total = total
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1
        began = clock.now
        shown = began
    }

    mutating func show(_ done: Int) {
        let now = clock.now
        guard isShown, now - shown > .milliseconds(100) || done == total else { return }
        shown = now
        let seconds = (now - began).milliseconds / 1000
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let left = rate > 0 ? Int((Double(total - done) / rate).rounded(.up)) : 0
        let filled = 24 * done / max(1, total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
        let speed = (rate * 10).rounded() / 10
        StandardError.write("\r\(bar) \(done)/\(total)  \(speed) frames/s  \(left) s left \u{1b}[K")
    }

    func end() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}

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
