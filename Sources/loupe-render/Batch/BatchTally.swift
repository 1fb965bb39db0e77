import Dispatch

/// What has become of the jobs so far: counted, and told while the batch goes on. Any thread may tell.
final class BatchTally: @unchecked Sendable {
    private let list: String
    private let total: Int
    private let queue = DispatchQueue(label: "tally")
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    // Guarded by `queue`.
    private var progress: Progress
    private var counts = (drawn: 0, skipped: 0, failed: 0)

    init(list: String, total: Int, isQuiet: Bool) {
        (self.list, self.total) = (list, total)
        progress = Progress(total: total, isQuiet: isQuiet)
        began = clock.now
    }

    var failed: Int { queue.sync { counts.failed } }

    func noteDrawn() { note { $0.drawn += 1 } }
    func noteSkipped() { note { $0.skipped += 1 } }

    /// Says on standard error why a job failed.
    func note(_ error: any Error, of job: Job) {
        let failure = Failure(error, inLine: job.line, of: list)
        queue.sync { progress.clear() }
        StandardError.write("loupe-render: error: \(failure.sentence.forTerminal)\n")
        note { $0.failed += 1 }
    }

    /// Says on standard error what a person should know of a job that is drawn all the same.
    func warn(_ sentence: String, of job: Job) {
        queue.sync { progress.clear() }
        StandardError.write("loupe-render: warning: \(list): line \(job.line): \(sentence)".forTerminal + "\n")
    }

    private func note(_ change: (inout (drawn: Int, skipped: Int, failed: Int)) -> Void) {
        queue.sync {
            change(&counts)
            progress.show(counts.drawn + counts.skipped + counts.failed, of: "jobs")
        }
    }

    func end() { queue.sync { progress.clear() } }

    /// Such as `50 jobs: 47 drawn, 2 skipped, 1 failed; 1.2 s`.
    var summary: String {
        let counts = queue.sync { self.counts }
        let left = total - counts.drawn - counts.skipped - counts.failed
        let seconds = ((clock.now - began).milliseconds / 100).rounded() / 10
        let parts = [
            "\(counts.drawn) drawn", counts.skipped > 0 ? "\(counts.skipped) skipped" : nil,
            counts.failed > 0 ? "\(counts.failed) failed" : nil, left > 0 ? "\(left) left" : nil,
        ].compactMap(\.self)
        return "\(total) job\(total == 1 ? "" : "s"): \(parts.joined(separator: ", ")); \(seconds.plain) s"
    }
}
