import ArgumentParser
import Glibc
import LoupeBase
import LoupeCompare
import LoupeReport
import LoupeScene
import LoupeSystem

/// The options that choose where the results of a verification go.
struct ReportOutputs: ParsableArguments {
    @Option(help: ArgumentHelp("Write the results as JSON; - is standard output.", valueName: "path"))
    var json: OutputPath?

    @Option(help: ArgumentHelp("Write the results as JUnit's XML; - is standard output.", valueName: "path"))
    var junit: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write one HTML page to look at the pictures of what did not pass and to accept them; - is standard output.",
            valueName: "path"))
    var report: OutputPath?

    @Flag(help: "Put the pictures into --json, so that `report merge` can make a --report of it.")
    var jsonPictures = false

    @Flag(help: "Write no lines about the results to standard output.")
    var quiet = false

    @OptionGroup var color: ColorOptions

    func validate() throws {
        try FlagValue.checkStandardOutput(files)
        if jsonPictures && json == nil {
            throw ValidationError("--json-pictures: there is no --json to put them into")
        }
    }

    /// The files that are asked for.
    var files: [(flag: String, path: OutputPath?)] {
        [("--json", json), ("--junit", junit), ("--report", report)].filter { $1 != nil }
    }

    /// Whether one of the files is standard output.
    var usesStandardOutput: Bool { files.contains(where: \.path.isStandardOutput) }

    /// Whether results have to hold pictures.
    var needsPictures: Bool { report != nil || jsonPictures }

    /// A line for a person, unless nobody wants any or standard output is for a machine.
    private func tell(_ line: String) throws {
        if !quiet, !usesStandardOutput {
            try Output.standard.write(line + "\n")
        }
    }

    /// The lines about a case: how it ended, its title, and why, in a column of its own.
    ///
    /// A title that is longer than its column is shortened on a terminal. Elsewhere, where programs read it, the reason
    /// begins below it.
    /// - Parameters:
    ///   - width: of the column of titles.
    ///   - note: follows in brackets; nothing if it is empty.
    func tell(_ result: CaseResult, width: Int, note: String = "") throws {
        let style = color.style
        let title = result.title.forTerminal
        let shown = Terminal.isTerminal(STDOUT_FILENO) ? title.shortened(to: width) : title
        let indent = Self.stateWidth + (style.hasMarks ? 2 : 0) + 2 + width + 2
        let reason = result.shortMessage.forTerminal.wrapped(to: Self.columns - indent)
        let notes = note.isEmpty ? [] : "[\(note.forTerminal)]".wrapped(to: Self.columns - indent)
        var lines = reason + notes.map { style.colored($0, .faint) }
        let first = shown.count > width ? "" : "  " + lines.removeFirst()
        try tell("\(style.state(result.state))  \(shown.padded(to: width))\(first)")
        for line in lines { try tell(String(repeating: " ", count: indent) + line) }
    }

    /// The same about each case that did not pass.
    func tellCases(of report: VerifyReport) throws {
        let others = report.cases.filter { $0.state != .passed }
        let width = Self.width(of: others.map(\.title))
        for result in others { try tell(result, width: width) }
    }

    /// How many characters a line has at most, as far as its words allow.
    private static let columns = 100
    /// The width of the column of states, without a mark.
    private static let stateWidth = 7

    /// The width of the column of titles.
    static func width(of titles: some Sequence<String>) -> Int { min(40, titles.map(\.count).max() ?? 0) }

    /// The files, and what is to be said at the end.
    func write(_ report: VerifyReport) throws {
        if let json { try Output(json).write(report.json(includesPictures: jsonPictures).text() + "\n") }
        if let junit { try Output(junit).write(report.junit.xml) }
        if let path = self.report { try Output(path).write(HTMLPage(report)) }
        let style = color.style
        for line in report.closingLines.dropLast().map(\.forTerminal) {
            let lines = line.count > Self.columns ? line.wrapped(to: Self.columns - 2) : [line]
            for (index, line) in lines.enumerated() { try tell(style.colored((index > 0 ? "  " : "") + line, .faint)) }
        }
        try tell(style.result(report.summary.forTerminal, isGood: report.isSame))
    }
}

extension Output {
    /// A closed pipe is no failure: the reader has what it wanted.
    func write(_ page: HTMLPage) throws {
        do {
            try page.write(to: path)
        } catch let error as FileError where error.isBrokenPipe {}
    }
}
