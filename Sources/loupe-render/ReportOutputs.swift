import ArgumentParser
import LoupeVerify

/// Where the results of a verification go.
struct ReportOutputs: ParsableArguments {
    @Option(help: ArgumentHelp("Write the results as JSON; - is standard output.", valueName: "path"))
    var json: String?

    @Option(help: ArgumentHelp("Write the results as JUnit's XML; - is standard output.", valueName: "path"))
    var junit: String?

    @Flag(help: "Write no lines about the results to standard output.")
    var quiet = false

    func validate() throws {
        if json == "-" && junit == "-" {
            throw ValidationError("--json - and --junit - would both write to standard output; give one of them a file")
        }
    }

    /// A line for a person, unless nobody wants any or standard output is for a machine.
    func tell(_ line: String) throws {
        if !quiet, json != "-", junit != "-" { try Output.standard.write(line + "\n") }
    }

    /// The files, and what is to be said at the end.
    func write(_ report: VerifyReport) throws {
        if let json { try Output(json).write(report.json.text() + "\n") }
        if let junit { try Output(junit).write(report.junit.xml) }
        for line in report.closingLines { try tell(line) }
    }
}
