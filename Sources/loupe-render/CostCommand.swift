import ArgumentParser
import Glibc
import LoupeBench
import LoupeImaging
import LoupeRenderer
import LoupeSystem

/// `loupe-render cost`: what shaders cost by the compilers of GPUs that this machine does not have.
struct CostCommand: LoupeCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost",
        abstract: "Says how many instructions and registers shaders need on GPUs that this machine does not have.",
        discussion: """
            Mesa's own drivers compile for AMD's and NVIDIA's GPUs while mesa-drm-shim stands in for the kernel; \
            tools/measure/setup-cost fetches it. Each compiler runs in a process of its own. What it says is about this compiler; \
            it is not time. Without files, Loupe's clip shaders are compiled, with each content of a layer.
            """)

    @Argument(help: ArgumentHelp("GLSL ES fragment shaders to compile in place of Loupe's.", valueName: "shader.frag"))
    var fragments: [InputPath] = []

    @Option(
        help: ArgumentHelp(
            "Compile the shaders of this folder in place of Loupe's of the same names.", valueName: "DIR"))
    var shaders: InputPath?

    @Flag(help: "Compile every program of Loupe's, with each of its options, not only the clip shaders.")
    var all = false

    @Flag(help: "Add what a loupe costs at each position of the page: by one shader, and in pieces.")
    var positions = false

    @Flag(help: "Write JSON in place of the table.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Exit with 1 where a shader needs more than in this run, which --json wrote with the same compilers.",
            valueName: "BASE.json"))
    var compare: InputPath?

    @Flag(help: "Write no table and no progress.")
    var quiet = false

    @OptionGroup var process: WritingOptions

    func validate() throws {
        if !fragments.isEmpty, shaders != nil || all || positions {
            throw ValidationError(
                "--shaders, --all and --positions are about Loupe's shaders; they can't be used with shader files")
        }
        if json, positions { throw ValidationError("--positions is a table, which --json does not have") }
    }

    func run() throws {
        let base = try compare.map {
            try CostRun.Saved(InputBytes.read(path: $0.path, as: .json), name: "\($0.path)")
        }
        let programs = try programs()
        let named = getenv("LOUPE_DRM_SHIM").map { Path(cString: $0) }
        guard let shims = Architecture.shimFolder(named: named, cache: DriverEnvironment.cacheFolder) else {
            throw CostError.noShim
        }
        var progress = Progress(isQuiet: quiet)
        let run = try CostRun(
            programs, on: Architecture.allCases, command: [ProcessArguments.program], shims: shims,
            progress: { progress.show($0, $1) })
        progress.clear()
        if json {
            try Output.standard.write(run.jsonText)
        } else if !quiet {
            try Output.standard.tell(run.text + (positions ? "\n" + run.positionText : ""))
        }
        for note in run.notes { StandardError.note(note) }
        guard let base, let compare else { return }
        let growth = try run.growth(over: base)
        guard growth.grown.isEmpty else {
            throw Failure(.checkFailed, "\(growth.grown.count) costs grew", details: growth.grown)
        }
        if !json, !quiet {
            try Output.standard.tell(
                "\nnone of \(growth.compared) shaders needs more than in \(compare.path.description.forTerminal)\n")
        }
    }

    /// Whether this process was started to compile, under a driver's shim.
    static var isServer: Bool { getenv(CostServer.variable) != nil && getenv("LD_PRELOAD") != nil }

    /// Compiles what standard input names, and answers on the stream on which the driver prints.
    static func serve() {
        try? CostServer.run(read: { readLine() }, write: { StandardError.write($0 + "\n") })
    }

    private func programs() throws -> [CostProgram] {
        guard fragments.isEmpty else {
            return CostProgram.shaders(try ShaderFolder.named(fragments.map(\.path)))
        }
        return CostProgram.own(try shaders.map { try ShaderFolder.replacements($0.path) } ?? .embedded, all: all)
    }
}

extension Failure {
    init(_ error: CostError) {
        switch error {
        case .noShim, .noCompiler, .silent: self.init(.noDevice, error.description)
        case .refused(_, _, _, let log): self.init(.badInput, error.description, details: log)
        case .otherBase: self.init(.badInput, error.description)
        }
    }
}
