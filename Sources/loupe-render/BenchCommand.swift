import ArgumentParser
import LoupeBase
import LoupeBench
import LoupeImaging
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// `loupe-render bench`: measures what each clip shader costs on this device, or what fragment shaders of the user's cost.
struct BenchCommand: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Times the clip shaders on this device, or fragment shaders of your own.",
        discussion: """
            Without files, it times loupes at every kind of position. Variants: pieces (each pixel by the cheapest shader \
            that is exact there, as loupes are drawn), article (the page's part of the loupe by one shader, that of its state), \
            whole-disc (the whole loupe by that shader) and general (by the corner shader, whatever the state).

            With files, it times these GLSL ES fragment shaders side by side, each drawn over a whole target. Inputs of \
            type vec2 are positions from 0 to 1; a sampler2D without a value shows a generated page, other samplers read black.

            On a software device, builds are compared by the processor time of all threads, which other programs \
            hardly change; on a GPU by the clock.
            """)

    @Argument(help: ArgumentHelp("GLSL ES fragment shaders to time in place of loupes.", valueName: "shader.frag"))
    var fragments: [InputPath] = []

    @OptionGroup(title: "What is measured") var selection: BenchSelection
    @OptionGroup(title: "What comes out") var outputs: BenchOutputs
    @OptionGroup var device: DeviceOptions
    @OptionGroup var process: WorkOptions

    /// Serves one side of --against.
    @Flag(help: .hidden) var serve = false

    func validate() throws {
        if fragments.isEmpty {
            if selection.size != nil { throw ValidationError("--size is for shader files; loupes have --canvas") }
            if !selection.uniform.isEmpty { throw ValidationError("--uniform is for shader files") }
        }
        if outputs.threshold != nil, outputs.against == nil { throw ValidationError("--threshold is for --against") }
    }

    func run() throws {
        guard !Bench.isDebugBuild else { throw BenchError.debugBuild }
        var uses = fileUses()
        for path in selection.uniform.compactMap(\.path) { uses.read(path, as: "--uniform") }
        try uses.check()
        try uses.checkPlaces()
        var plan = try selection.plan()
        plan.fragments = try fragmentPlan()
        if let against = outputs.against { return try compare(plan, with: against) }
        var bench = Bench(plan, on: device.device)
        if serve {
            var server = try BenchServer(bench)
            return try server.run(read: { readLine() }, write: { try Output.standard.write($0 + "\n") })
        }
        let run = try outputs.showingProgress { progress in
            bench.progress = progress
            return try bench.run()
        }
        try outputs.write(run.jsonText, run.text)
    }

    private func fragmentPlan() throws -> FragmentPlan? {
        guard !fragments.isEmpty else { return nil }
        let size = selection.size ?? ImageSize(width: 1920, height: 1080)
        for side in [size.width, size.height] { try FlagValue.check("--size", Double(side), in: 1...16384) }
        let shaders = try ShaderFolder.named(fragments.map(\.path))
        var uniforms: [String: UniformValue] = [:]
        for uniform in selection.uniform {
            guard uniforms[uniform.name] == nil else {
                throw Failure(.usage, "--uniform \(uniform.name): it is given twice; once is allowed")
            }
            uniforms[uniform.name] =
                try uniform.path.map { .image(try ImageFile.read(path: $0).flattened) } ?? .numbers(uniform.numbers)
        }
        return FragmentPlan(shaders: shaders, size: size, uniforms: uniforms)
    }

    /// Times another build beside this one. Both get the same arguments.
    private func compare(_ plan: BenchPlan, with other: String) throws {
        let words = other.split(separator: " ").map { String(decoding: Arguments.bytes(of: String($0)), as: UTF8.self) }
        guard !words.isEmpty else { throw Failure(.usage, "--against: name a command, such as ./old/loupe-render") }
        let common = ["bench", "--serve"] + Arguments.ofServer(Arguments.ofProcess)
        var bench = PairedBench(
            here: [ProcessArguments.program] + common, other: words + common, blocks: plan.blocks,
            threshold: outputs.threshold.map { $0 / 100 } ?? PairedBench.usualThreshold)
        let run = try outputs.showingProgress { progress in
            bench.progress = progress
            return try bench.run()
        }
        try outputs.write(run.jsonText, run.text)
        guard !run.rows.isEmpty else {
            throw plan.only.map(BenchError.nothingToRun) ?? BenchError.nothingInCommon
        }
        guard run.regressions.isEmpty else {
            throw Failure(.checkFailed, run.sentence, details: run.regressions.map(\.text))
        }
    }
}

extension Arguments {
    /// The arguments of `bench` that say what is measured, for a process that serves.
    fileprivate static func ofServer(_ arguments: [String]) -> [String] {
        let withValue = ["--against", "--threshold", "--json", "--blocks"]
        var kept: [String] = []
        var rest = arguments.drop { $0 != "bench" }.dropFirst()
        while let argument = rest.popFirst() {
            let name = argument.prefix { $0 != "=" }
            if withValue.contains(String(name)) {
                if name.count == argument.count { rest = rest.dropFirst() }
            } else if argument != "--quiet" {
                kept.append(String(decoding: bytes(of: argument), as: UTF8.self))
            }
        }
        return kept
    }
}

extension Failure {
    init(_ error: BenchError) {
        switch error {
        case .debugBuild, .nothingToRun, .noRoom, .unknownUniform: self.init(.usage, error.description)
        case .otherBuild, .nothingInCommon: self.init(.badInput, error.description)
        }
    }
}

/// The options that choose what `loupe-render bench` measures.
struct BenchSelection: ParsableArguments {
    @Flag(help: "One loupe in place of nine: less than a minute.")
    var quick = false

    @Option(
        help: ArgumentHelp(
            "Only what has such a name, and what it is compared with: a part of a name, or a pattern with * and ?.",
            valueName: "PATTERN"))
    var only: String?

    @Option(
        help: ArgumentHelp(
            "Loupe radii in canvas pixels, 1 to 8192, with commas between; whole frames take the first. Default: 300,100,600.",
            valueName: "R,…"))
    var radius: NumberList?

    @Option(
        help: ArgumentHelp(
            "Magnifications, 1 to 64, with commas between; whole frames take the first. Default: 4,1.5,16.",
            valueName: "Z,…"))
    var zoom: NumberList?

    @Option(
        help: ArgumentHelp(
            "How often each case is timed, 15 to 10000: more make narrower intervals and take longer. Default: 15.",
            valueName: "N"))
    var blocks: Int?

    @Option(
        help: ArgumentHelp(
            "Canvas size in pixels: the page, and room beside it for the loupe. Default: a page of 2048x1536 and that room.",
            valueName: "WxH"))
    var canvas: ImageSize?

    @Option(
        help: ArgumentHelp(
            "The target of shader files, in pixels, sides 1 to 16384. Default: 1920x1080.", valueName: "WxH"))
    var size: ImageSize?

    @Option(
        help: ArgumentHelp(
            "A uniform of shader files: numbers with commas between, or the path of a picture for a sampler2D. Can be repeated.",
            valueName: "NAME=VALUE"))
    var uniform: [UniformOption] = []

    /// - Throws: `ValidationError` where a value is out of range.
    func plan() throws -> BenchPlan {
        var plan = quick ? BenchPlan.quick : BenchPlan()
        if let radius { plan.radii = try radius.checked("--radius", in: Loupe.radiusRange) }
        if let zoom { plan.zooms = try zoom.checked("--zoom", in: Loupe.zoomRange) }
        let sides = Scene.Canvas.sideRange
        for side in canvas.map({ [$0.width, $0.height] }) ?? [] {
            try FlagValue.check("--canvas", Double(side), in: Double(sides.lowerBound)...Double(sides.upperBound))
        }
        (plan.canvas, plan.only) = (canvas, only.map { Arguments.readable($0) })
        try FlagValue.check("--blocks", blocks.map(Double.init), in: Double(BenchPlan.leastBlocks)...10_000)
        if let blocks { plan.blocks = blocks }
        return plan
    }
}

/// The options that choose where `loupe-render bench` writes to.
struct BenchOutputs: ParsableArguments {
    @Option(
        help: ArgumentHelp("Save the run as JSON in Google Benchmark's form; - is standard output.", valueName: "PATH"))
    var json: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Time another build beside this one, batch by batch, and compare: a command whose words have spaces between, and which starts within two minutes. Exit 1 where a case is slower here.",
            valueName: "COMMAND"))
    var against: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --against: what counts as slower, in percent, 0 to 1000. Default: 5.",
            valueName: "PERCENT"), transform: FlagValue.decimal)
    var threshold: Double?

    @Flag(help: "Write no table and no progress.")
    var quiet = false

    func validate() throws { try FlagValue.check("--threshold", threshold, in: 0...1000) }

    /// Writes what is asked for of a run's forms.
    func write(_ jsonText: String, _ text: String) throws {
        if let json { try Output(json).write(jsonText) }
        if !quiet, !json.isStandardOutput { try Output.standard.tell(text) }
    }

    /// Runs a function that reports what it is doing, and the part that is done.
    func showingProgress<Result>(
        _ body: (_ progress: @escaping (String, Double) -> Void) throws -> Result
    ) rethrows -> Result {
        var progress = Progress(isQuiet: quiet)
        defer { progress.clear() }
        return try body { progress.show($0, $1) }
    }
}

/// `NAME=VALUE`, where the value is numbers with commas between, or a path.
struct UniformOption: ExpressibleByArgument {
    let name: String
    let numbers: [Double]
    /// Nil where the value is numbers.
    let path: Path?

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
        let value = argument[argument.index(after: equals)...]
        guard !value.isEmpty else { return nil }
        name = Arguments.readable(String(argument[..<equals]))
        let numbers = value.parts(between: ",") { Double($0) }
        self.numbers = numbers ?? []
        path = numbers == nil ? InputPath(argument: String(value)).path : nil
    }
}

/// Numbers with commas between.
struct NumberList: ExpressibleByArgument {
    let numbers: [Double]

    init?(argument: String) {
        guard let numbers = argument.parts(between: ",", { Double($0) }) else { return nil }
        self.numbers = numbers
    }

    func checked(_ name: String, in range: ClosedRange<Double>) throws -> [Double] {
        try numbers.map { try FlagValue.checked(name, $0, in: range) }
    }
}
