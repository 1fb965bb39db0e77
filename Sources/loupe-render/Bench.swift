import ArgumentParser
import Glibc
import LoupeBench
import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeRenderer
import LoupeScene

/// `loupe-render bench`: what each clip shader costs on this device, everywhere the loupe can go.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Times the clip shaders on this device, everywhere the loupe can go.",
        discussion: """
            Variants: pieces (each pixel by the cheapest shader that is exact there, as loupes are drawn), whole-disc \
            (the whole loupe by the shader of its state) and general (by the corner shader, whatever the state).
            """)

    @OptionGroup(title: "What is measured") var selection: BenchSelection
    @OptionGroup(title: "What comes out") var outputs: BenchOutputs
    @OptionGroup var device: DeviceOptions

    func run() throws {
        do {
            try perform()
        } catch {
            throw Failure(error)
        }
    }

    private func perform() throws {
        guard !Bench.isDebugBuild else { throw BenchError.debugBuild }
        if outputs.report != nil { try TemplateProgram().check() }
        let base = try outputs.compare.map(Self.savedRun)
        var plan = try selection.plan()
        plan.page = try selection.page.map { try ImageFile.read(path: $0).flattened }
        var bench = Bench(
            plan, on: device.device, replacements: try selection.shaders.map(ShaderFolder.replacements))
        let progress = ProgressLine(isShown: !outputs.quiet)
        bench.progress = progress.show
        let run = try bench.run()
        progress.clear()
        try write(run)
        if let base { try compare(run, to: base) }
    }

    private func write(_ run: BenchRun) throws {
        if let path = outputs.json { try Output(path).write(run.jsonText) }
        if let path = outputs.report { try TemplateProgram().write(run.page, to: path) }
        if outputs.showsTable { try Output.standard.write(outputs.markdown ? run.markdown : run.text) }
    }

    private func compare(_ run: BenchRun, to base: SavedRun) throws {
        let comparison = try RunComparison(run, to: base)
        if outputs.showsTable {
            try Output.standard.write("\n" + (outputs.markdown ? comparison.markdown : comparison.text))
        }
        let slower = comparison.regressions
        guard slower.isEmpty else {
            throw Failure(.checkFailed, comparison.sentence, details: slower.map(\.text))
        }
    }

    private static func savedRun(_ path: String) throws -> SavedRun {
        let bytes: [UInt8]
        do {
            bytes = try InputBytes.read(path: path)
        } catch {
            throw Failure(.noInput, error.description)
        }
        do {
            return try SavedRun(json: bytes)
        } catch {
            throw Failure(.badInput, "\(path): \(error.description)")
        }
    }
}

extension Failure {
    init(_ error: BenchError) {
        switch error {
        case .render(let error): self.init(error)
        case .debugBuild, .nothingToRun, .noRoom: self.init(.usage, error.description)
        case .otherDevice, .unreadableBase: self.init(.badInput, error.description)
        case .alwaysDisjoint: self.init(.noDevice, error.description)
        }
    }
}

/// A line on a terminal that says how far long work has come; nothing in a pipe.
struct ProgressLine {
    private let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown && isatty(STDERR_FILENO) == 1 }

    func show(_ what: String, _ part: Double) {
        guard isShown else { return }
        let percent = part > 0 ? " \(Int(part * 100)) %" : ""
        StandardError.write("\r\u{1b}[K\(what)\(percent)")
    }

    func clear() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}
