import ArgumentParser
import LoupeRenderer
import LoupeSystem

/// `loupe-render devices`: tries every device.
struct Devices: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract:
            "Tries every way to a device; says which works, which is chosen, why the others fail, and what to fix.",
        discussion: """
            Also lists the vendor files that libglvnd reads and whether their libraries load, the variables that affect \
            OpenGL ES, and who may open the GPUs' device files. Exit codes: 0 a device works; 69 none does.
            """)

    @OptionGroup var device: DeviceOptions

    @Option(
        name: .long, defaultAsFlag: OutputPath(argument: "-"), parsing: .next,
        help: ArgumentHelp("Write JSON instead of the table, to standard output without a path.", valueName: "path"))
    var json: OutputPath?

    @Flag(name: .long, help: "Write no table; the exit code says whether a device works.")
    var quiet = false

    @OptionGroup var color: ColorOptions
    @OptionGroup var process: WritingOptions

    func run() throws {
        let report = DeviceProbe.report(choice: device.device)
        if let json {
            var uses = fileUses()
            for path in Machine.this.vendorFiles { uses.read(path, as: "the vendor file") }
            try uses.check()
            try Output(json).write(report.json(sandbox: try? Sandbox.ofThisMachine()).text() + "\n")
        } else if !quiet {
            let style = color.style
            let rows = report.candidates.map { ($0.index == report.chosen ? "* " : "  ") + $0.line(style) }
            let details = [["", report.reason], report.chosenLines].joined().map(\.forTerminal)
            let lines = report.examination.lines.map { line in
                line == Examination.noProblems ? style.result(line, isGood: true) : line.forTerminal
            }
            try Output.standard.write((rows + details + lines + [sandbox(style)]).map { $0 + "\n" }.joined())
        }
        guard report.chosen != nil else { throw Failure(.noDevice, report.reason) }
    }
}

/// What keeps documents from the rest of the machine.
private func sandbox(_ style: TerminalStyle) -> String {
    do throws(HelperFailure) {
        let problem = try Sandbox.ofThisMachine().problem
        return style.result("sandbox: \(problem ?? "Landlock and seccomp")", isGood: problem == nil)
    } catch {
        return style.result("sandbox: \(error.clause("starting it"))".forTerminal, isGood: false)
    }
}

extension DeviceCandidate {
    fileprivate func line(_ style: TerminalStyle) -> String {
        let text = description.forTerminal
        return switch outcome {
        case .works: style.result(text, isGood: true)
        case .failed: style.result(text, isGood: false)
        case .untried: style.result(text, .faint, mark: "·")
        }
    }
}
