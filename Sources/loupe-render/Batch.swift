import ArgumentParser
import Glibc
import LoupeBase
import LoupePipeline
import LoupeSystem
import Synchronization

/// `loupe-render batch`: many renders by one process.
struct Batch: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract:
            "Draws many pictures with one device: each line of a list is a JSON object that describes one render.",
        usage: "loupe-render batch JOBS.jsonl [options]",
        discussion: """
            A line has "input", the path of a page or a scene, or a scene itself, "output", the PNG to write, and the \
            options of render under their long names: {"input": "page.png", "output": "a.png", "at": [80, 60], \
            "zoom": 4}. Paths count from the working directory. A job that fails does not stop the others. Exit codes: \
            0 all drawn; 1 some failed; 65 the list is invalid, and nothing was drawn.

            Jobs from standard input (-) are drawn as they come. Each is answered on standard output with one line of \
            JSON, in their order: {"job": 1, "state": "drawn"}; "skipped"; or "failed" with "error" and "code". An \
            "output" of - puts the PNG after its answer, which says its length: "bytes": 1234. An "input" of - is what \
            follows the job's line: "input-bytes": 1234. "answer-stats": true asks for what --stats writes, \
            "announce": true for a line with the state "rendered" before the picture is encoded; then {"pixels": N} asks \
            for the pixels of job N, if it is the last one: 4 channels, rows from the top. {"diff": ["a.png", "b.png"]} \
            compares as diff does, and is answered with its numbers. The end of standard input ends the command with 0.
            """)

    @Argument(
        help: ArgumentHelp(
            "The list of jobs; - takes them from standard input, one by one, and answers each.", valueName: "jobs"))
    var list: InputPath

    @Option(help: ArgumentHelp("Only the i-th of n parts of the jobs, the same on every machine.", valueName: "i/n"))
    var shard: Shard = .all

    @Option(
        help: ArgumentHelp(
            "How many pictures are decoded, and how many encoded, at once, 1 to 64. Default: one a core.",
            valueName: "N"))
    var jobs: Int?

    @Flag(help: "Leave out jobs whose output is a whole PNG that is no older than what it shows.")
    var resume = false

    @Flag(help: "No progress and no summary.")
    var quiet = false

    @OptionGroup var device: DeviceOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup var process: WorkOptions
    @OptionGroup var files: FileOptions

    /// How many jobs are prepared at once: `--jobs`, or one for each core.
    var width: Int { jobs ?? min(64, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    func validate() throws {
        try FlagValue.check("--jobs", jobs.map(Double.init), in: 1...64)
        if list.path.isDash, shard != .all {
            throw ValidationError("--shard: jobs from standard input have no parts; write them to a file")
        }
    }

    func run() throws {
        var batch = BatchPipeline(device.pipeline(fallback), width: width)
        if list.path.isDash { return try serve(&batch) }
        let jobs = try shard.share(of: [ListedJob](list: list.path, allowsOutside: files.allowOutside))
        Interruption.watch()
        let tally = BatchTally(list: list.path.inputName, total: jobs.count, isQuiet: quiet)
        try FileSync.withFoldersSyncedOnce {
            try batch.run(
                jobs, prepare: { [resume, cache = batch.cache] in try $0.prepare(resumes: resume, cache: cache) },
                note: { tally.note($1, of: $0) },
                isCancelled: { Interruption.isRequested })
        }
        tally.end()
        try Interruption.check("interrupted; \(tally.summary); --resume draws the rest")
        if !quiet { try Output.standard.write(tally.summary.forTerminal + "\n") }
        if tally.failed > 0 { throw Failure.Code.checkFailed.alone }
    }

    private func serve(_ batch: inout BatchPipeline) throws {
        let server = JobServer(resumes: resume, allowsOutside: files.allowOutside, compare: Diff.answer) { error in
            let failure = Failure(error)
            return (failure.code.rawValue, failure.sentence, failure.details)
        } end: { error in
            // Threads may be at work, so nothing is torn down. A reader that has gone has what it wanted.
            TemporaryFiles.removeAll()
            if (error as? FileError)?.isBrokenPipe == true { _exit(0) }
            Failure(error).exit()
        }
        try server.run(&batch)
    }
}

/// Counts how the jobs ended and shows the progress. Any thread may use it.
final class BatchTally: Sendable {
    private struct State {
        var progress: Progress
        var drawn = 0
        var skipped = 0
        var failed = 0
    }

    private let list: String
    private let total: Int
    private let state: Mutex<State>
    private let began = ContinuousClock.now

    init(list: String, total: Int, isQuiet: Bool) {
        (self.list, self.total) = (list, total)
        state = Mutex(State(progress: Progress(total: total, isQuiet: isQuiet)))
    }

    var failed: Int { state.withLock { $0.failed } }

    /// Counts how a job ended, and writes to standard error what a person should know.
    func note(_ event: BatchEvent, of job: ListedJob) {
        state.withLock { state in
            func write(_ sentence: String) {
                state.progress.clear()
                StandardError.write("loupe-render: \(sentence.forTerminal)\n")
            }
            switch event {
            case .rendered: return
            case .drawn: state.drawn += 1
            case .skipped: state.skipped += 1
            case .failed(let error):
                let sentence =
                    (error as? DocumentError).map { JobListError($0, inLine: job.line, of: list).description }
                    ?? "\(list.quotable): line \(job.line): \(Failure(error).sentence)"
                write("error: \(sentence)")
                state.failed += 1
            case .warned(let sentence): return write("warning: \(list): line \(job.line): \(sentence)")
            }
            state.progress.show(state.drawn + state.skipped + state.failed, of: "jobs")
        }
    }

    func end() { state.withLock { $0.progress.clear() } }

    /// Such as `50 jobs: 47 drawn, 2 skipped, 1 failed; 1.2 s`.
    var summary: String {
        let (drawn, skipped, failed) = state.withLock { ($0.drawn, $0.skipped, $0.failed) }
        let counts = [(skipped, "skipped"), (failed, "failed"), (total - drawn - skipped - failed, "left")]
        let parts = ["\(drawn) drawn"] + counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        let seconds = ((ContinuousClock.now - began).milliseconds / 100).rounded() / 10
        return "\(total) job\(total == 1 ? "" : "s"): \(parts.joined(separator: ", ")); \(seconds.jsonText) s"
    }
}

extension Shard: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
