import ArgumentParser
import LoupeCompare

/// `loupe-render report`: the results of earlier runs.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Works on results that verify and diff wrote as JSON.", subcommands: [Merge.self])

    /// `loupe-render report merge`: the results of several runs, joined.
    struct Merge: LoupeCommand {
        static let configuration = CommandConfiguration(
            abstract: "Joins the JSON results of several runs of verify, and of diff of folders or PDFs.",
            discussion: """
                A --report has pictures where the results were written with --json-pictures. Exit codes: 0 all cases \
                passed; 1 not.
                """)

        @Argument(help: ArgumentHelp("What verify --json or diff --json wrote.", valueName: "json"))
        var results: [InputPath]

        @OptionGroup var outputs: ReportOutputs
        @OptionGroup var process: WorkOptions

        func run() throws {
            var uses = fileUses()
            try uses.check()
            let report = try VerifyReport(joining: results.map { try $0.document(VerifyReport.init(parsing:)) })
            guard !report.cases.isEmpty else { throw Failure(.noInput, "no result of any case; nothing was compared") }
            outputs.declareFigures(of: report.cases.map { ($0.title, $0.scene) }, in: &uses)
            try uses.check()
            try outputs.tellCases(of: report)
            try outputs.write(report)
            if !report.isSame { throw Failure.Code.checkFailed.alone }
        }
    }
}
