import Glibc

/// The progress of long work: one line on a terminal, which is overwritten, and nothing elsewhere, nor on a terminal that
/// can't overwrite.
package struct Progress {
    private let total: Int
    private let isShown: Bool
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant?

    private static let barLength = 24

    /// No line yet.
    /// - Parameter total: how many steps there are; 1 where the part that is done is known otherwise.
    package init(total: Int = 1, isQuiet: Bool = false) {
        self.total = total
        isShown = !isQuiet && Terminal.isTerminal(STDERR_FILENO) && !Terminal.isDumb
        began = clock.now
    }

    /// Shows how much is done and how fast.
    /// - Parameters:
    ///   - done: how many steps are done.
    ///   - unit: what a step is, for the speed.
    package mutating func show(_ done: Int, of unit: String) {
        guard isShown else { return }
        let seconds = (clock.now - began) / .seconds(1)
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let speed = (rate * 10).rounded() / 10
        show("\(done)/\(total)  \(speed) \(unit)/s", Double(done) / Double(max(1, total)))
    }

    /// Shows a text and the part that is done.
    /// - Parameters:
    ///   - text: what is being done.
    ///   - part: the part of all work that is done, 0…1.
    package mutating func show(_ text: String, _ part: Double) {
        let now = clock.now
        guard isShown else { return }
        if let shown, now - shown < .milliseconds(100), part < 1 { return }
        shown = now
        let filled = Int(Double(Self.barLength) * max(0, min(part, 1)))
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barLength - filled)
        let line = "\(bar) \(Int(part * 100)) %  \(timeLeft(after: now - began, part))\(text)"
        // A line that wraps can't be overwritten.
        StandardError.write("\r\(line.prefix(max(20, Terminal.columns(of: STDERR_FILENO) - 1)))\u{1b}[K")
    }

    /// Nothing while too little is done to tell.
    private func timeLeft(after elapsed: Duration, _ part: Double) -> String {
        let seconds = elapsed / .seconds(1)
        guard part >= 0.02, seconds >= 1 || part >= 0.2 else { return "" }
        let left = Int((seconds * (1 - part) / part).rounded(.up))
        return left < 100 ? "\(left) s left  " : "\((left + 59) / 60) min left  "
    }

    /// Before anything else is written to the terminal, and at the end.
    package func clear() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}
