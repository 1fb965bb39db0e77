import ArgumentParser
import Glibc
import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// `loupe-render render`: one scene, one PNG.
struct Render: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Draws a page, or a scene in JSON, into a PNG, a PDF or an SVG.",
        usage: "loupe-render render INPUT -o OUT [options]",
        discussion: """
            loupe-render figure.png --callout 40%,30% -o out.png
            loupe-render plot.svg --callout 40%,30% --letters a -o out.pdf --width 85mm
            loupe-render photo.jpg --at 400,300 --zoom 6 --radius 120 -o out.png
            """)

    @Argument(
        help: ArgumentHelp(
            "A page (PNG, JPEG, WebP, TIFF, GIF, HEIC, AVIF, SVG or PDF; figure.pdf#3 is the third page), a scene (.json), or a picture made by Loupe, which is drawn again; - is standard input.",
            valueName: "input"))
    var input: InputPath

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "The picture to write: a PDF or an SVG by its name's ending, else a PNG; - is standard output, for a PNG.",
            valueName: "out"))
    var output: OutputPath?

    @OptionGroup(title: "A page") var page: PageOptions
    @OptionGroup(title: "Its loupe") var loupe: LoupeOptions
    @OptionGroup(title: "Callouts and pixels") var callouts: CalloutOptions
    @OptionGroup(title: "Several loupes") var several: SeveralLoupesOptions
    @OptionGroup(title: "Their look") var look: StyleOptions
    @OptionGroup(title: "Letters and scale bars") var labels: LabelOptions
    @OptionGroup(title: "The same in several pages") var comparison: ComparedPagesOptions
    @Option(.scale) var scale: String?
    @OptionGroup var device: DeviceOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup(title: "What is written beside the pixels") var beside: OutputOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var process: WorkOptions
    @OptionGroup var files: FileOptions

    @Option(help: ArgumentHelp("For tests: read images of this many pixels and more row by row.", visibility: .private))
    var streamFrom = 1 << 26

    @Option(
        help: ArgumentHelp(
            "Draw with the shader files of this folder, named like Loupe's own, in place of those; no build is needed.",
            valueName: "DIR"))
    var shaders: InputPath?

    @Flag(name: .long, help: "Draw with the double-precision CPU renderer that references are made with.")
    var reference = false

    @Flag(name: .long, help: "Write the scene as JSON to standard output and draw nothing.")
    var printScene = false

    @Flag(
        name: .long,
        help: "Write the line that shows the picture in LaTeX, with its alternative text, to standard output.")
    var printLatex = false

    @Flag(
        name: .long,
        help: "Write the line that shows the picture in Markdown, with its alternative text, to standard output.")
    var printMarkdown = false

    @Flag(
        name: .long,
        help: "Write the line that shows the picture in Typst, with its alternative text, to standard output.")
    var printTypst = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write what was drawn, by which shaders and how long it took, as JSON; - is standard output.",
            valueName: "path"))
    var stats: OutputPath?

    func validate() throws {
        do { try paper.check() } catch { throw ValidationError(error.description) }
        let lines = [("--print-latex", printLatex), ("--print-markdown", printMarkdown), ("--print-typst", printTypst)]
        if output.isStandardOutput, let line = lines.first(where: \.1) {
            throw ValidationError("\(line.0): it names the picture's file; give one with -o OUT")
        }
        if printLatex, let path = output?.path,
            [.svg, .tiff, .webp].contains(where: path.isNamed)
                || path.text?.utf8.contains(where: { $0 < 0x20 || "%#{}\\~^".utf8.contains($0) }) ?? true
        {
            let allowed = "a PDF, PNG or JPEG whose path is UTF-8 and has none of % # { } \\ ~ ^"
            throw ValidationError("--print-latex: LaTeX can't include \(path); write \(allowed)")
        }
        if printTypst, let path = output?.path, path.isNamed(.tiff) {
            throw ValidationError("--print-typst: Typst can't include \(path); write a PDF, SVG, PNG, JPEG or WebP")
        }
        if reference, shaders != nil {
            throw ValidationError("--shaders: the reference renderer has none; leave out one of them")
        }
        try FlagValue.checkStandardOutput([
            ("-o", output), ("--map", beside.map), ("--stats", stats), ("--show-plan", beside.showPlan),
        ])
    }

    func run() throws {
        guard output != nil || printScene else {
            let name = input.path.readable.forShell
            let next = [
                "loupe-render edit \(name)",
                "loupe-render \(name) -o \(input.path.stem.appending("-loupe.png").readable.forShell) --callout 40%,30%",
            ]
            throw Failure(
                .usage, "there is nowhere to write to; name a file with -o OUT, or - for standard output",
                details: given.entries.isEmpty && isatty(STDERR_FILENO) == 1 ? next : [])
        }
        do {
            try perform()
        } catch let error as GLError where shaders != nil && error.isOfShader {
            throw Failure(.badInput, error.description)
        } catch let error as EGLError where shaders != nil && device.chosen == nil {
            throw Failure(.noDevice, "--shaders: they need a device, and \(Failure(error).sentence)")
        }
    }

    private func perform() throws {
        let began = ContinuousClock().now
        let (opened, job) = (try InputFile(input.path), try job)
        let read = { @Sendable [self] in
            let file = try job.readScene(opened)
            if !printScene { try check(file, job) }
            return file
        }
        if printScene {
            let file = try read()
            let scene = file.scene
            try job.refuse(file.unseen)
            for sentence in file.unseen { StandardError.warn(sentence) }
            try TextNames.check(scene.imagePaths.map { Path(bytes: $0.bytes) }, in: "a scene in JSON")
            return try Output.standard.write(SceneEncoder().encode(scene))
        }
        let scene = try job.draw(since: began, reading: read, on: { try pipelineWithShaders })
        try printLines(about: scene)
    }

    private var pipelineWithShaders: Pipeline {
        get throws {
            let replacements = try shaders.map { try ShaderFolder.replacements($0.path) } ?? .embedded
            // The reference renderer has no shaders.
            return device.pipeline(shaders == nil ? fallback : nil, shaders: replacements)
        }
    }

    func printLines(about scene: Scene) throws {
        guard let path = output?.path else { return }
        let text = scene.alternativeText
        func sizes(_ sign: String, _ end: String) -> String {
            [("width", beside.width), ("height", beside.height)].reduce(into: "") { text, side in
                guard let length = side.1 else { return }
                text += "\(side.0)\(sign)\((25.4 * length.inches).hundredths)mm\(end)"
            }
        }
        var lines: [String] = []
        if printLatex {
            lines.append("\\includegraphics[\(sizes("=", ","))alt={\(text.latexEscaped)}]{\(path.readable)}")
        }
        if printMarkdown { lines.append("![\(text.markdownEscaped)](<\(String(percentEncoding: path.bytes))>)") }
        if printTypst {
            lines.append("#image(\(path.readable.typstQuoted), \(sizes(": ", ", "))alt: \(text.typstQuoted))")
        }
        for line in lines { try Output.standard.write(line + "\n") }
    }

    /// Whether all that is read and written may be, by its names.
    func check(_ file: SceneFile, _ job: RenderJob) throws {
        try fileUses(of: file, job).check()
        try job.misnomer.refuse()
        for (flag, output) in [("--map", beside.map), ("--stats", stats)] where output != nil {
            try TextNames.check(file.scene.imagePaths.map { Path(bytes: $0.bytes) }, in: flag)
        }
    }

    // MARK: - What the flags ask for

    private var paper: PaperSize {
        var paper = PaperSize()
        (paper.width, paper.height, paper.dpi) = (beside.width, beside.height, beside.dpi)
        return paper
    }

    /// The options of a page that were given, and its scale.
    var given: GivenOptions {
        var given = GivenOptions(page, loupe, callouts, several, look, labels, comparison)
        if let scale { given.add(PictureOption.scale.name, Arguments.bytes(of: scale)) }
        return given
    }

    /// What the flags ask for.
    var job: RenderJob { get throws { try job(given, to: output?.path) } }

    /// What the flags ask for with other options of the page.
    func job(_ given: GivenOptions, to output: Path?) throws -> RenderJob {
        var settings = RenderJob.Settings()
        settings.options.depth = beside.depth
        settings.options.usesOracle = reference
        settings.options.maxPixels = limits.maxPixels
        settings.options.streamFrom = streamFrom
        settings.options.isDescribed = !beside.noMetadata
        settings.options.drawsEverything = shaders != nil
        (settings.paper, settings.allowsOutside) = (paper, files.allowOutside)
        (settings.isStrict, settings.quality) = (beside.strict, beside.quality)
        (settings.map, settings.plan, settings.stats) = (beside.map?.path, beside.showPlan?.path, stats?.path)
        return try RenderJob(input.path, to: output, given, settings)
    }

    /// How a scene is drawn.
    func options(for file: SceneFile) throws -> RenderOptions { try job.options(for: file) }

    /// All that is read and written.
    func fileUses(of file: SceneFile) throws -> FileUses { try fileUses(of: file, job) }

    private func fileUses(of file: SceneFile, _ job: RenderJob) throws -> FileUses {
        var uses = job.fileUses(of: file)
        for path in try shaders.map({ try ShaderFolder.files(in: $0.path) }) ?? [] { uses.read(path, as: "--shaders") }
        return uses
    }

    /// The scene of the flags for the input as a live page shows it, where vectors keep their size.
    func readScene() throws -> SceneFile {
        var job = try job
        job.request.writesVectors = true
        return try job.readScene(InputFile(input.path))
    }
}

extension RenderJob {
    /// Draws a scene that is read while the device starts, writes all that is asked for, and says what looks wrong.
    func draw(
        since began: ContinuousClock.Instant, reading read: @escaping @Sendable () throws -> SceneFile,
        on pipeline: () throws -> Pipeline
    ) throws -> Scene {
        if let format = vectorFormat {
            VectorWriter.warmUp()
            let file = try read()
            let sentences = try writeFigure(of: file, as: format)
            for sentence in file.unseen + sentences { StandardError.warn(sentence) }
            return file.scene
        }
        let pipeline = try pipeline()
        let (picture, file) = try pipeline.render(options: settings.options, reading: read)
        pipeline.leaveToTheEnd()
        if !settings.isStrict {
            for sentence in try warnings(about: picture, of: file) { StandardError.warn(sentence) }
        }
        try write(picture, of: file, since: began)
        return file.scene
    }
}
