import ArgumentParser
import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupePipeline
import LoupeReport
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

    @Option(
        help: ArgumentHelp(
            "Write a figure of what changed for each picture that differs, as diff --figure does, named after its case.",
            valueName: "folder"))
    var figures: String?

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
    var needsPictures: Bool { report != nil || jsonPictures || figures != nil }

    /// Where the figures of cases go, by the paths of these. They are named by the titles. Names that are equal but for capitals,
    /// for which some file systems have one file, have a part of the SHA-256 of the path in them.
    private func figurePaths(of cases: [(title: String, path: Path)]) -> [Path: Path] {
        guard let figures else { return [:] }
        let folder = Path(bytes: Arguments.bytes(of: figures))
        let stems = cases.map { title, path in
            let parts = title.replacing("#", with: "-").split(separator: "/").filter { $0 != "." && $0 != ".." }
            let stem = parts.joined(separator: "-")
            return (path, stem: stem.hasSuffix(".png") ? String(stem.dropLast(4)) : stem)
        }
        let alike = Dictionary(grouping: stems) { $0.stem.lowercased() }
        return Dictionary(
            stems.map { path, stem in
                let hash = SHA256.hexadecimal(SHA256.hash(path.bytes)).prefix(8)
                let isAlone = alike[stem.lowercased()]?.count == 1
                return (path, folder.child(Path("\(stem)\(isAlone ? "" : "-\(hash)").png")))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Declares the figures of cases, so that none replaces a file that is read.
    func declareFigures(of cases: [(title: String, path: Path)], in uses: inout FileUses) {
        for path in figurePaths(of: cases).values { uses.write(path, as: "--figures") }
    }

    /// A line for a person, unless nobody wants any or standard output is for a machine.
    private func tell(_ line: String) throws {
        if !quiet, !usesStandardOutput { try Output.standard.write(line + "\n") }
    }

    /// The line about a case: how it ended, its title, and why.
    /// - Parameter width: of the column of titles.
    func tell(_ result: CaseResult, width: Int) throws {
        let title = result.title.forTerminal.padded(to: width)
        try tell("\(color.style.state(result.state))  \(title)  \(result.shortMessage.forTerminal)")
    }

    /// The same about each case that did not pass, or passed with a remark.
    func tellCases(of report: VerifyReport) throws {
        let others = report.cases.filter { $0.state != .passed || !$0.remarks.isEmpty }
        let width = Self.width(of: others.map(\.title))
        for result in others { try tell(result, width: width) }
    }

    /// The width of the column of titles.
    static func width(of titles: some Sequence<String>) -> Int { min(40, titles.map(\.count).max() ?? 0) }

    /// The files, and what is to be said at the end.
    func write(_ report: VerifyReport) throws {
        if let json { try Output(json).write(report.json(includesPictures: jsonPictures).text() + "\n") }
        if let junit { try Output(junit).write(report.junit) }
        if let path = self.report { try Output(path).write(HTMLPage(report)) }
        let paths = figurePaths(of: report.cases.map { ($0.title, $0.scene) })
        for result in report.cases where result.state == .failed {
            guard let path = paths[result.scene] else { continue }
            do {
                let figure = try result.figure()
                try path.parent.map(Folder.make)
                try path.write(figure.png())
            } catch let missing as DifferenceFigure.Missing {
                StandardError.note("--figures: nothing is written of \(result.title.quotable), as \(missing.why)")
            }
        }
        for note in report.notes { try tell(color.style.colored(note.forTerminal, .faint)) }
        try tell(color.style.result(report.summary.forTerminal, isGood: report.isSame))
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
