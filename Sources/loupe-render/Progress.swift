import Glibc

/// How far long work has come: one line on a terminal that is written over, nothing elsewhere.
struct Progress {
    private let count: Int
    private let isShown = isatty(STDERR_FILENO) == 1
    private var done = 0

    init(count: Int) {
        self.count = count
    }

    /// Before each step.
    mutating func show(_ step: String) {
        done += 1
        if isShown { StandardError.write("\r\u{1b}[K[\(done)/\(count)] \(step)") }
    }

    /// Before anything else is written to the terminal, and at the end.
    func clear() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}
