import ArgumentParser
import LoupeCompose
import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeVector

/// `loupe-render render`: one scene, one PNG.
struct Render: ParsableCommand, DeviceUsing, MemoryLimited, FileWriting {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draws a page, or a scene in JSON, into a PNG, a PDF or an SVG.",
        usage: "loupe-render render INPUT -o OUT [options]")

    @Argument(
        help: ArgumentHelp(
            "A page (PNG, JPEG, WebP, SVG or PDF; figure.pdf#3 is the third page), a scene (.json), or a picture made by Loupe, which is drawn again; - is standard input.",
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
    @OptionGroup var memory: MemoryOptions
    @OptionGroup var svgs: SVGOptions
    @OptionGroup var files: FileOptions
    @OptionGroup var pngs: PNGWritingOptions
    @OptionGroup var writing: WritingOptions

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

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write what was drawn, by which shaders and how long it took, as JSON; - is standard output.",
            valueName: "path"))
    var stats: OutputPath?

    func validate() throws {
        try FlagValue.check("--dpi", beside.dpi, in: 1...1_000_000)
        try beside.checkPaper()
        let toStandardOutput = outputs.filter(\.path.isStandardOutput)
        if toStandardOutput.count > 1 {
            let names = toStandardOutput.map { "\($0.flag) -" }.joined(separator: " and ")
            throw ValidationError("\(names) would both write to standard output; give one of them a file")
        }
    }

    /// Every output that can be asked for, with its flag.
    var outputs: [(flag: String, path: OutputPath?)] {
        [("-o", output), ("--map", beside.map), ("--stats", stats), ("--show-plan", beside.showPlan)]
    }

    /// What is wrong with the name of a picture that is to be written; nil where nothing is.
    var misnomer: String? {
        output?.misnomer("-o", for: .png, .pdf, .svg) ?? beside.showPlan?.misnomer("--show-plan", for: .png)
            ?? pixelOption.map {
                "\($0): only for a picture of pixels; write a PNG, or leave it out of a \(vectorFormat == .pdf ? "PDF" : "SVG")"
            }
    }

    /// The format of a vector file, where the output's name asks for one.
    var vectorFormat: VectorFormat? {
        guard let output else { return nil }
        return output.isNamed(.pdf) ? .pdf : output.isNamed(.svg) ? .svg : nil
    }

    /// An option that a vector file can't have; nil where there is none.
    private var pixelOption: String? {
        guard vectorFormat != nil else { return nil }
        if beside.depth == .sixteen { return "--depth 16" }
        if shaders != nil { return "--shaders" }
        if stats != nil { return "--stats" }
        return beside.showPlan == nil ? nil : "--show-plan"
    }

    func run() throws {
        guard output != nil || printScene else {
            throw Failure(.usage, "there is nowhere to write to; name a file with -o OUT, or - for standard output")
        }
        svgs.apply()
        do {
            try perform()
        } catch let error as GLError where shaders != nil && error.isOfShader {
            throw Failure(.badInput, error.description)
        } catch let error as EGLError where shaders != nil && device.chosen == nil {
            throw Failure(.noDevice, "--shaders: they need a device, and \(Failure(error).sentence)")
        }
    }

    private func perform() throws {
        let clock = ContinuousClock()
        let began = clock.now
        let opened = try opened()
        if printScene || vectorFormat != nil {
            let file = try readScene(opened, for: request)
            for sentence in file.scene.unseenLoupes { warn(sentence) }
            if printScene {
                try TextNames.check(file.scene.imagePaths.map { Path(bytes: $0.bytes) }, in: "a scene in JSON")
                return try Output.standard.write(SceneEncoder().encode(file.scene))
            }
            try check(file)
            if let vectorFormat {
                for sentence in try writeFigure(of: file, as: vectorFormat) { warn(sentence) }
            }
            return
        }
        try draw(opened, clock, began)
    }

    /// Whether all that is read and written may be, by its names.
    private func check(_ file: SceneFile) throws {
        try fileUses(of: file).check()
        try misnomer.refuse()
        for (flag, output) in [("--map", beside.map), ("--stats", stats)] where output != nil {
            try TextNames.check(file.scene.imagePaths.map { Path(bytes: $0.bytes) }, in: flag)
        }
    }

    private func draw(_ opened: InputFile, _ clock: ContinuousClock, _ began: ContinuousClock.Instant) throws {
        let replacements = try shaders.map { try ShaderFolder.replacements($0.path) } ?? .embedded
        // The reference renderer has no shaders.
        let pipeline = Pipeline(fallback: shaders == nil ? fallback.fallback(from: device) : nil) { [device] in
            try Renderer.started(on: device.device, shaders: replacements)
        }
        var options = options
        options.packing = output == nil ? nil : pngs.options
        let read = { @Sendable [self] in
            let file = try readScene(opened, for: request)
            for sentence in file.scene.unseenLoupes { warn(sentence) }
            try check(file)
            return file
        }
        var (picture, file) = try pipeline.render(options: options, expecting: { guess(of: opened) }, reading: read)
        if let density = density(on: file.scene.canvas) { picture.density = density }
        pipeline.leaveToTheEnd()
        let omission = output.flatMap { picture.omission(at: $0.path) }
        for sentence in try picture.warnings() + [omission].compactMap(\.self) { warn(sentence) }
        var bytes: [UInt8] = []
        let encoding = try clock.measure { bytes = try picture.png(for: output?.path, options: pngs.options) }
        if let output { try Output(output).write(bytes) }
        try writeMap(of: file)
        try writePlan(of: picture)
        picture.times.encode = encoding
        picture.times.total = clock.now - began
        try writeStatistics(of: picture)
    }

    /// Writes a PDF or SVG, and what is asked for beside it. Returns warnings.
    func writeFigure(
        of file: SceneFile, as format: VectorFormat, in confinement: PathConfinement = .none
    ) throws -> [String] {
        guard let output else { return [] }
        let title = input.path.isDash ? "figure" : Path(bytes: PagePath(input.path).file.name.bytes).description
        let figure = try Pipeline.figure(
            file, options: options(for: file), as: format, on: beside.paper(of: file.scene.canvas), title: title,
            at: output.path)
        try writeMap(of: file, in: confinement)
        try Output(output, in: confinement).write(figure.bytes)
        return figure.warnings
    }

    private func warn(_ sentence: String) { StandardError.write("loupe-render: warning: \(sentence.forTerminal)\n") }

    /// How a scene is drawn, but for its size on paper.
    var options: RenderOptions {
        var options = RenderOptions()
        options.depth = beside.depth
        options.usesOracle = reference
        options.maxPixels = limits.maxPixels
        options.streamFrom = streamFrom
        options.isDescribed = !beside.noMetadata
        options.drawsEverything = shaders != nil
        options.program = "loupe-render \(Pipeline.version)"
        return options
    }

    /// The same, with the size on paper of the file's canvas.
    func options(for file: SceneFile) -> RenderOptions {
        var options = options
        options.density = density(on: file.scene.canvas)
        return options
    }

    /// How many pixels of a canvas lie on a metre of paper, where options say so.
    private func density(on canvas: Scene.Canvas) -> PixelDensity? {
        // With a length and a resolution, the scene is scaled to have both.
        let perInch = beside.enlargement == nil ? beside.pixelsPerInch(of: canvas) : beside.dpi
        return perInch.flatMap { PixelDensity(perInch: $0) }
    }

    /// All that is read and written. A picture that is drawn again may be replaced by the new one.
    /// - Parameter readsInput: whether the input is a file; a job may hold the scene itself.
    func fileUses(of file: SceneFile, readsInput: Bool = true) throws -> FileUses {
        let drawnAgain = 1
        var uses = fileUses(without: ["input", "output"])
        if readsInput { uses.read(input.path, as: "the input", group: file.isFromPicture ? drawnAgain : nil) }
        if let output { uses.write(output.path, as: "-o", group: drawnAgain) }
        uses.readImages(of: file)
        for path in try shaders.map({ try ShaderFolder.files(in: $0.path) }) ?? [] { uses.read(path, as: "--shaders") }
        return uses
    }

    /// Writes `--map`, where it is asked for.
    func writeMap(of file: SceneFile, in confinement: PathConfinement = .none) throws {
        guard let path = beside.map else { return }
        let sizes = try Dictionary(
            uniqueKeysWithValues: file.scene.imagePaths.map { ($0, try file.images.size(of: $0)) })
        try Output(path, in: confinement).write(PixelMap(file.scene, sizes: sizes).json.text() + "\n")
    }

    /// Writes `--show-plan`, where it is asked for.
    func writePlan(of picture: Picture, in confinement: PathConfinement = .none) throws {
        guard let path = beside.showPlan else { return }
        try Output(path, in: confinement).write(
            PNG.encode(PlanPicture(of: picture.plan, over: picture.image).image, options: pngs.options))
    }

    /// Writes `--stats`, where it is asked for.
    func writeStatistics(of picture: Picture, in confinement: PathConfinement = .none) throws {
        if let stats { try Output(stats, in: confinement).write(picture.statistics) }
    }

    // MARK: - The scene

    /// The flags that only a page can have.
    var pageFlags: [String] {
        page.given + loupe.given + callouts.given + several.given + look.given + labels.given + comparison.given
    }

    /// What the flags ask for.
    var request: Request {
        get throws {
            var options = GivenOptions()
            page.add(to: &options)
            loupe.add(to: &options)
            callouts.add(to: &options)
            several.add(to: &options)
            look.add(to: &options)
            labels.add(to: &options)
            comparison.add(to: &options)
            if let scale { options.add(PictureOption.scale.name, Arguments.bytes(of: scale)) }
            return try Request(options, enlargement: vectorFormat == nil ? beside.enlargement : nil)
        }
    }

    /// The input, opened.
    /// - Parameter bytes: what has come through standard input; nil to read it where the input is `-`.
    func opened(_ bytes: [UInt8]? = nil) throws -> InputFile {
        try bytes.map(InputFile.init(standardInput:)) ?? InputFile(input.path)
    }

    /// What the scene probably looks like, before the page is decoded; nil for a document.
    private func guess(of opened: InputFile) -> (Scene, ImageSource)? {
        guard case .page(let image) = opened.content, let request = try? request, !request.asksNothing,
            let scene = SceneFile.guess(request, on: image, at: opened.name)
        else { return nil }
        return (scene, ImageSource(page: image, at: opened.name))
    }

    /// The scene to draw, complete, and where its images come from.
    /// - Parameter cache: images that other pictures show, too.
    func readScene(_ opened: InputFile, for request: Request, cache: ImageCache? = nil) throws -> SceneFile {
        switch opened.content {
        case .page(let image):
            if request.asksNothing,
                let stored = try SceneFile(storedIn: image, at: opened.name, allowsOutside: files.allowOutside)
            {
                return try scaled(stored, by: request)
            }
            return try SceneFile(request, on: image, at: opened.name, options: options, cache: cache)
        case .document(let bytes):
            if let flag = request.firstFlag {
                throw Failure(.usage, "\(flag): only for a page; a scene says this itself")
            }
            do {
                let file = try SceneFile(parsing: bytes, name: opened.name, allowsOutside: files.allowOutside)
                return try scaled(file, by: request)
            } catch {
                let isForSession = false
                let name = opened.name.inputName
                throw Suggestion.otherDocument(bytes, name: name, isForSession: isForSession) ?? error
            }
        }
    }

    /// The scene of the flags for the input.
    func readScene() throws -> SceneFile { try readScene(opened(), for: request) }

    /// A scene that says all itself at `--scale`, or with as many pixels as `--width` has at `--dpi`.
    func scaled(_ file: SceneFile, by request: Request) throws -> SceneFile {
        let enlargement = try Request.enlargement(request.options, request.enlargement)
        guard let factor = try enlargement?.factor(on: file.scene.canvas), factor != 1 else { return file }
        let scaled = file.scaled(by: factor)
        try scaled.scene.checkRanges(named: request.enlargement == nil ? "--scale" : "--dpi")
        return scaled
    }
}
