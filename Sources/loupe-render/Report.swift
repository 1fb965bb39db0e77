import ArgumentParser
import LoupeCompare

/// `loupe-render report`: the results of earlier runs.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Works on results that verify wrote as JSON.", subcommands: [Merge.self])

    /// `loupe-render report merge`: the shares of a run, joined.
    struct Merge: LoupeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Joins the JSON results of several shares into those of one run.",
            discussion: """
                A --report has pictures where the shares were written with --json-pictures. Exit codes: 0 all cases passed and no share is missing; 1 not.
                """)

        @Argument(help: ArgumentHelp("What verify --shard i/n --json wrote.", valueName: "json"))
        var results: [InputPath]

        @OptionGroup var outputs: ReportOutputs
        @OptionGroup var process: WorkOptions

        func run() throws {
            try fileUses().check()
            let report = try VerifyReport(joining: results.map { try $0.document(VerifyReport.init(parsing:)) })
            try outputs.tellCases(of: report)
            try outputs.write(report)
            if !report.isSame { throw Failure.Code.checkFailed.alone }
        }
    }
}
