import ArgumentParser
import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePipeline
import LoupeScene
import LoupeSystem

/// `loupe-render check`: what journals ask of a figure with insets.
struct Check: LoupeCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Checks a figure for what journals ask: marks of insets, contrast, lines, text and resolution on paper.",
        discussion: """
            Figures that Loupe drew store their scene, so that every loupe, label and scale bar is checked by itself. Of \
            other figures the resolution is checked, and of other PDFs also texts, images and fonts. Exit codes: 0 no \
            error, perhaps warnings; 1 an error.
            """)

    @Argument(help: ArgumentHelp("A PNG, PDF or SVG; figure.pdf#3 is the third page.", valueName: "figure"))
    var figure: InputPath

    @Option(
        help: ArgumentHelp(
            "The figure's width on paper, as 85mm, 8.5cm, 3.3in or 240pt. Default: what the file says.",
            valueName: "LENGTH"), transform: PaperLength.init(flag:))
    var width: PaperLength?

    @Option(help: ArgumentHelp("The least size of text, in points.", valueName: "PT"))
    var minText = FigureLimits().textSize

    @Option(help: ArgumentHelp("The least width of lines, in points.", valueName: "PT"))
    var minLine = FigureLimits().lineWidth

    @Option(help: ArgumentHelp("The least resolution of pictures, in pixels per inch.", valueName: "N"))
    var minDpi = FigureLimits().resolution

    @Option(help: ArgumentHelp("Write the findings as JSON; - is standard output.", valueName: "path"))
    var json: OutputPath?

    @Flag(help: "Write no lines about the findings to standard output.")
    var quiet = false

    @OptionGroup var color: ColorOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var process: WorkOptions
    @OptionGroup var files: FileOptions

    func validate() throws {
        try FlagValue.check("--min-text", minText, in: 0...1000)
        try FlagValue.check("--min-line", minLine, in: 0...1000)
        try FlagValue.check("--min-dpi", minDpi, in: 0...1_000_000)
    }

    func run() throws {
        try fileUses().check()
        if json != nil { try TextNames.check([figure.path], in: "--json") }
        let name = figure.path.inputName
        guard case .page(let image) = try InputFile(figure.path).content else {
            throw Failure(.badInput, "\(name.quotable): a document in JSON, where a figure is needed; draw it first")
        }
        let file = try FigureFile(image, at: figure.path, allowsOutside: files.allowOutside)
        if let scene = file.scene {
            var uses = fileUses()
            uses.readImages(of: scene)
            try uses.check()
        }
        var least = FigureLimits()
        (least.textSize, least.lineWidth, least.resolution) = (minText, minLine, minDpi)
        let report = try file.check(width: width?.inches, limits: least, pixels: limits.held)
        if let json { try Output(json).write(report.json(of: name).text() + "\n") }
        if !quiet, !json.isStandardOutput { try Output.standard.write(report.text(of: name, in: color.style)) }
        if report.count(.error) > 0 { throw Failure.Code.checkFailed.alone }
    }
}

extension FigureReport {
    /// A line for each finding, and one for all.
    fileprivate func text(of name: String, in style: TerminalStyle) -> String {
        let width = min(32, findings.map(\.element.count).max() ?? 0)
        let lines = findings.map { finding in
            let word = finding.severity.rawValue.padded(to: 7)
            let mark =
                finding.severity == .error
                ? style.result(word, .bad, mark: "✗") : style.result(word, .open, mark: "!")
            let text = "\(finding.element.padded(to: width))  \(finding.problem); fix: \(finding.fix)"
            return "\(mark)  \(text.forTerminal)\n"
        }
        let notes = unchecked.map { style.colored("not checked: \($0.forTerminal)", .faint) + "\n" }
        let scope = unchecked.isEmpty ? "" : " in what is checked"
        let summary = "\(name.forTerminal): \(paper)\(words(.error)), \(words(.warning))\(scope)"
        return (lines + notes).joined() + style.result(summary, isGood: count(.error) == 0) + "\n"
    }

    private var paper: String {
        self.width.map { "\((($0 * 254).rounded() / 10).jsonText) mm wide, " } ?? ""
    }

    private func words(_ severity: FigureFinding.Severity) -> String {
        let count = count(severity)
        return "\(count == 0 ? "no" : "\(count)") \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
}
