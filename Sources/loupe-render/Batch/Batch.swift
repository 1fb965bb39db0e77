import ArgumentParser
import Glibc
import LoupeRenderer
import LoupeVerify

/// `loupe-render batch`: many renders by one process.
struct Batch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws many pictures with one device: a JSON object on each line says one render.",
        usage: "loupe-render batch JOBS.jsonl [options]",
        discussion: """
            A line has "input", the path of a page or a scene, or a scene itself, "output", the PNG to write, and the \
            options of render under their long names: {"input": "page.png", "output": "a.png", "at": [80, 60], \
            "zoom": 4}. Paths count from the working directory. A job that fails does not stop the others. Exit codes: \
            0 all drawn; 1 some failed; 65 the list is not what it should be, and nothing was drawn.
            """)

    @Argument(help: ArgumentHelp("The list of jobs; - is standard input.", valueName: "jobs"))
    var list: String

    @Option(help: ArgumentHelp("Only the i-th of n shares of the jobs, the same on every machine.", valueName: "i/n"))
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
    @OptionGroup var files: FileOptions

    /// Of `--jobs`, or one a core.
    var width: Int { jobs ?? min(64, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    func validate() throws {
        if let jobs, !(1...64 ~= jobs) {
            throw ValidationError("--jobs: \(jobs) is out of range; allowed is 1…64")
        }
    }

    func run() throws {
        let isDone: Bool
        do {
            isDone = try perform()
        } catch {
            throw Failure(error)
        }
        if !isDone { throw ExitCode(Failure.Code.checkFailed.rawValue) }
    }

    /// Whether every job is done.
    private func perform() throws -> Bool {
        let jobs = try shard.share(of: JobList.read(list, allowsOutside: files.allowOutside))
        Interruption.watch()
        var runner = BatchRunner(list: list.inputName, jobs: jobs, options: self)
        let tally = try runner.run()
        if !quiet { try Output.standard.write(tally.summary + "\n") }
        return tally.failed == 0
    }
}
