import Glibc
import LoupePipeline

/// The progress of long work: one line on a terminal, which is overwritten, and nothing elsewhere.
struct Progress {
    private let total: Int
    private let isShown: Bool
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant?

    init(total: Int, isQuiet: Bool = false) {
        self.total = total
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1
        began = clock.now
    }

    /// - Parameters:
    ///   - done: how many steps are done.
    ///   - unit: what a step is, for the speed.
    mutating func show(_ done: Int, of unit: String) {
        let now = clock.now
        guard isShown else { return }
        if let shown, now - shown < .milliseconds(100), done < total { return }
        shown = now
        let seconds = (now - began).milliseconds / 1000
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let left = rate > 0 ? Int((Double(total - done) / rate).rounded(.up)) : 0
        let filled = 24 * done / max(1, total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
        let speed = (rate * 10).rounded() / 10
        StandardError.write("\r\(bar) \(done)/\(total)  \(speed) \(unit)/s  \(left) s left \u{1b}[K")
    }

    /// Before anything else is written to the terminal, and at the end.
    func clear() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}

/// The progress of work in named stages: one line on a terminal, nothing elsewhere.
struct ProgressLine {
    private let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown && isatty(STDERR_FILENO) == 1 }

    func show(_ what: String, _ part: Double) {
        guard isShown else { return }
        let percent = part > 0 ? " \(Int(part * 100)) %" : ""
        StandardError.write("\r\u{1b}[K\(what)\(percent)")
    }

    func clear() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}
