import ArgumentParser
import Glibc
import LoupeBench
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeJSON
import LoupeRenderer
import LoupeReport
import LoupeScene

/// `loupe-render bench`: measures what each clip shader costs on this device.
struct BenchCommand: ParsableCommand, MemoryLimited, FileWriting {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Times the clip shaders on this device, with the loupe at every kind of position.",
        discussion: """
            Variants: pieces (each pixel by the cheapest shader that is exact there, as loupes are drawn), whole-disc \
            (the whole loupe by the shader of its state) and general (by the corner shader, whatever the state).
            """)

    @OptionGroup(title: "What is measured") var selection: BenchSelection
    @OptionGroup(title: "What comes out") var outputs: BenchOutputs
    @OptionGroup var device: DeviceOptions
    @OptionGroup var memory: MemoryOptions
    @OptionGroup var svgs: SVGOptions
    @OptionGroup var writing: WritingOptions

    func run() throws {
        svgs.apply()
        guard !Bench.isDebugBuild else { throw BenchError.debugBuild }
        var uses = fileUses()
        for path in try selection.shaders.map({ try ShaderFolder.files(in: $0.path) }) ?? [] {
            uses.read(path, as: "--shaders")
        }
        try uses.check()
        let base = try outputs.compare.map { try Self.savedRun($0.path) }
        var plan = try selection.plan()
        plan.page = try selection.page.map { try ImageFile.read(path: $0.path).flattened }
        var bench = Bench(
            plan, on: device.device, replacements: try selection.shaders.map { try ShaderFolder.replacements($0.path) })
        var progress = Progress(isQuiet: outputs.quiet)
        bench.progress = { what, part in progress.show(what, part) }
        let run = try bench.run()
        progress.clear()
        try write(run)
        if let base { try compare(run, to: base) }
    }

    private func write(_ run: BenchRun) throws {
        if let path = outputs.json { try Output(path).write(run.jsonText) }
        if let path = outputs.report { try Output(path).write(HTMLPage(run)) }
        if outputs.showsTable {
            try Output.standard.write(outputs.markdown ? run.markdown : run.styledText(outputs.style))
        }
    }

    private func compare(_ run: BenchRun, to base: SavedRun) throws {
        let comparison = try RunComparison(run, to: base)
        if outputs.showsTable {
            try Output.standard.write(
                "\n" + (outputs.markdown ? comparison.markdown : comparison.styledText(outputs.style)))
        }
        let slower = comparison.regressions
        guard slower.isEmpty else {
            throw Failure(.checkFailed, comparison.sentence, details: slower.map(\.text))
        }
    }

    private static func savedRun(_ path: Path) throws -> SavedRun {
        let bytes = try InputBytes.read(path: path, as: .json)
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
        case .debugBuild, .nothingToRun, .noRoom: self.init(.usage, error.description)
        case .otherDevice, .unreadableBase: self.init(.badInput, error.description)
        case .alwaysDisjoint: self.init(.noDevice, error.description)
        }
    }
}

/// What `loupe-render bench` measures.
struct BenchSelection: ParsableArguments {
    @Flag(help: "One loupe and short sweeps: about a minute instead of five.")
    var quick = false

    @Option(
        help: ArgumentHelp(
            "Only what has such a name, and what it is compared with: a part of a name, or a pattern with * and ?.",
            valueName: "PATTERN"))
    var only: String?

    @Option(
        help: ArgumentHelp(
            "Loupe radii in canvas pixels, 1 to 8192, with commas between. Default: 100,300,600.", valueName: "R,…"))
    var radius: NumberList?

    @Option(help: ArgumentHelp("Magnifications, 1 to 64, with commas between. Default: 1.5,4,16.", valueName: "Z,…"))
    var zoom: NumberList?

    @Option(
        help: ArgumentHelp(
            "Loupe filters, with commas between: nearest, sharp, linear, cubic, lanczos. Default: linear.",
            valueName: "F,…"))
    var filter: FilterList?

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

    @Option(help: ArgumentHelp("A PNG to show in place of the generated page.", valueName: "PNG"))
    var page: InputPath?

    @Option(
        help: ArgumentHelp(
            "Time the shaders of this folder (files named like Loupe's own) beside Loupe's own.", valueName: "DIR"))
    var shaders: InputPath?

    /// - Throws: `Failure` where a value is out of range.
    func plan() throws -> BenchPlan {
        var plan = quick ? BenchPlan.quick : BenchPlan()
        if let radius { plan.radii = try radius.checked("--radius", in: Loupe.radiusRange) }
        if let zoom { plan.zooms = try zoom.checked("--zoom", in: Loupe.zoomRange) }
        if let filter { plan.filters = filter.filters }
        // Sweeps and single steps take the usual loupe where it is among those asked for, else the first of them.
        plan.sweepSetting = Setting(
            radius: Self.pick(plan.sweepSetting.radius, from: plan.radii),
            zoom: Self.pick(plan.sweepSetting.zoom, from: plan.zooms),
            filter: Self.pick(plan.sweepSetting.filter, from: plan.filters))
        plan.canvas = try canvas.map { size in
            let sides = Double(Scene.Canvas.sideRange.lowerBound)...Double(Scene.Canvas.sideRange.upperBound)
            for side in [size.width, size.height] { _ = try FlagValue.checked("--canvas", Double(side), in: sides) }
            return size
        }
        plan.only = only.map { Arguments.readable($0) }
        if let blocks {
            plan.blocks = Int(
                try FlagValue.checked("--blocks", Double(blocks), in: Double(BenchPlan.leastBlocks)...10_000))
        }
        // The sweeps would double the time and say nothing new about a shader.
        if shaders != nil, only == nil { plan.sweepSteps = 0 }
        return plan
    }

    private static func pick<Value: Equatable>(_ usual: Value, from values: [Value]) -> Value {
        values.contains(usual) ? usual : values.first ?? usual
    }
}

/// Where `loupe-render bench` writes to.
struct BenchOutputs: ParsableArguments {
    @Flag(help: "Write the table as Markdown.")
    var markdown = false

    @Option(
        help: ArgumentHelp("Save the run as JSON in Google Benchmark's form; - is standard output.", valueName: "PATH"))
    var json: OutputPath?

    @Option(help: ArgumentHelp("Write one HTML page with the curves.", valueName: "PATH"))
    var report: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Compare the run with a saved one of the same device; exit 1 where a case is slower.",
            valueName: "BASE.json"))
    var compare: InputPath?

    @Flag(help: "Write no table and no progress.")
    var quiet = false

    @OptionGroup var color: ColorOptions

    /// The look of the tables: comparisons have colours and marks.
    var style: BenchTextStyle {
        let style = color.style
        return { text, tone in
            switch tone {
            case .title: style.colored(text, .strong)
            case .label: style.colored(text, .faint)
            case .better: style.result(text, isGood: true)
            case .worse: style.result(text, isGood: false)
            case .even: style.hasMarks ? "  \(text)" : text
            }
        }
    }

    /// Whether standard output is for the table.
    var showsTable: Bool { !quiet && !json.isStandardOutput && !report.isStandardOutput }
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

/// Filters with commas between.
struct FilterList: ExpressibleByArgument {
    let filters: [Filter]

    init?(argument: String) {
        guard let filters = argument.parts(between: ",", { Filter(rawValue: String($0)) }) else { return nil }
        self.filters = filters
    }
}
