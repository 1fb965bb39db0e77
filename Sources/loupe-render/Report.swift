import ArgumentParser
import LoupeBase
import LoupeCompare
import LoupeScene
import LoupeSystem

/// `loupe-render report`: the results of earlier runs.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Works on results that verify wrote as JSON.", subcommands: [Merge.self])

    /// `loupe-render report merge`: the shares of a run, joined.
    struct Merge: ParsableCommand, MemoryLimited, FileWriting {
        static let configuration = CommandConfiguration(
            abstract: "Joins the JSON results of several shares into those of one run.",
            discussion: """
                A --report has pictures where the shares were written with --json-pictures. Exit codes: 0 all cases passed and no share is missing; 1 not.
                """)

        @Argument(help: ArgumentHelp("What verify --shard i/n --json wrote.", valueName: "json"))
        var results: [InputPath]

        @OptionGroup var outputs: ReportOutputs
        @OptionGroup var memory: MemoryOptions
        @OptionGroup var writing: WritingOptions

        func run() throws {
            try fileUses().check()
            let report = try VerifyReport(joining: results.map { try Self.read($0.path) })
            let others = report.cases.filter { $0.state != .passed }
            let width = ReportOutputs.width(of: others.map(\.title))
            for result in others { try outputs.tell(result, width: width) }
            try outputs.write(report)
            if !report.isSame { throw Failure.Code.checkFailed.alone }
        }

        private static func read(_ path: Path) throws -> VerifyReport {
            do {
                return try VerifyReport(parsing: InputBytes.read(path: path, as: .json))
            } catch let error as DocumentError {
                throw Failure(.badInput, "\(path): \(error.description)")
            }
        }
    }
}
