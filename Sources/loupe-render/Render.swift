import ArgumentParser
import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeScene

/// `loupe-render render`: one scene, one PNG.
struct Render: ParsableCommand, MemoryLimited, FileWriting {
    static let configuration = CommandConfiguration(
        abstract: "Draws a page, or a scene in JSON, into a PNG.",
        usage: "loupe-render render INPUT -o OUT [options]")

    @Argument(
        help: ArgumentHelp(
            "A page (PNG, JPEG, WebP or SVG), a scene (.json), or a picture made by Loupe, which is drawn again; - is standard input.",
            valueName: "input"))
    var input: InputPath

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The PNG to write; - is standard output.", valueName: "out"))
    var output: OutputPath?

    @OptionGroup(title: "A page") var page: PageOptions
    @OptionGroup(title: "Its loupe") var loupe: LoupeOptions
    @OptionGroup(title: "Callouts and pixels") var callouts: CalloutOptions
    @OptionGroup(title: "Several loupes") var several: SeveralLoupesOptions
    @OptionGroup(title: "Their look") var look: StyleOptions
    @OptionGroup(title: "Letters and scale bars") var labels: LabelOptions
    @OptionGroup(title: "The same in several pages") var comparison: ComparisonOptions
    @Option(.scale) var scale: Double?
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
        guard output != nil || printScene else {
            throw ValidationError("there is nowhere to write to; name a file with -o OUT, or - for standard output")
        }
        try FlagValue.check("--dpi", beside.dpi, in: 1...1_000_000)
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
    var misnomer: String? { output?.misnomer("-o", for: .png) ?? beside.showPlan?.misnomer("--show-plan", for: .png) }

    func run() throws {
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
        var file = try readScene()
        for sentence in file.scene.unseenLoupes { warn(sentence) }
        if printScene {
            file = try file.choosingFilters(options: options)
            try TextNames.check(file.scene.imagePaths.map { Path(bytes: $0.bytes) }, in: "a scene in JSON")
            try Output.standard.write(SceneEncoder().encode(file.completeScene(options)))
            return
        }
        try fileUses(of: file).check()
        try misnomer.refuse()
        for (flag, output) in [("--map", beside.map), ("--stats", stats)] where output != nil {
            try TextNames.check(file.scene.imagePaths.map { Path(bytes: $0.bytes) }, in: flag)
        }
        let replacements = try shaders.map { try ShaderFolder.replacements($0.path) } ?? .embedded
        // The reference renderer has no shaders.
        let pipeline = Pipeline(fallback: shaders == nil ? fallback.fallback(from: device) : nil) { [device] in
            try Renderer.started(on: device.device, shaders: replacements)
        }
        var picture = try pipeline.render(file, options: options)
        pipeline.leaveToTheEnd()
        let omission = output.flatMap { picture.omission(at: $0.path) }
        for sentence in picture.changes + [omission].compactMap(\.self) + (try picture.fontSubstitutions()) {
            warn(sentence)
        }
        var bytes: [UInt8] = []
        let encoding = try clock.measure { bytes = try picture.png(for: output?.path, options: pngs.options) }
        if let output { try Output(output).write(bytes) }
        try writeMap(of: file)
        try writePlan(of: picture)
        picture.times.encode = encoding
        picture.times.total = clock.now - began
        try writeStatistics(of: picture)
    }

    private func warn(_ sentence: String) { StandardError.write("loupe-render: warning: \(sentence.forTerminal)\n") }

    /// How the scene is drawn.
    var options: RenderOptions {
        var options = RenderOptions()
        options.depth = beside.depth
        options.density = beside.dpi.flatMap { PixelDensity(perInch: $0) }
        options.usesOracle = reference
        options.maxPixels = limits.maxPixels
        options.streamFrom = streamFrom
        options.isDescribed = !beside.noMetadata
        options.drawsEverything = shaders != nil
        options.program = "loupe-render \(Pipeline.version)"
        return options
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

    private var loupes: PageLoupes { PageLoupes(single: loupe, callouts: callouts, several: several, look: look) }

    /// The flags that only a page can have.
    var pageFlags: [String] { page.given + loupes.given + labels.given + comparison.given }

    /// The scene to draw at `--scale`, and where its images come from.
    /// - Parameter bytes: what has come through standard input; nil to read it where the input is `-`.
    func readScene(_ bytes: [UInt8]? = nil) throws -> SceneFile {
        try scaled(try readUnscaledScene(bytes))
    }

    /// A scene at `--scale`.
    func scaled(_ file: SceneFile) throws -> SceneFile {
        guard let scale else { return file }
        let scaled = file.scaled(by: try PictureOption.scale.checked(scale))
        do {
            // Lengths may leave the ranges that scenes may have.
            let decoder = SceneDecoder { path in try file.images.size(of: path) }
            _ = try decoder.decode(Array(SceneEncoder().encode(scaled.scene).utf8))
        } catch let error as DocumentError {
            throw Failure(.usage, "--scale: \(error.description); use another scale")
        }
        return scaled
    }

    private func readUnscaledScene(_ bytes: [UInt8]?) throws -> SceneFile {
        let input = try bytes.map(InputFile.init(standardInput:)) ?? InputFile(input.path)
        switch input.content {
        case .page(let image):
            if pageFlags.isEmpty,
                let stored = try SceneFile(storedIn: image, at: input.name, allowsOutside: files.allowOutside)
            {
                return stored
            }
            let placed = try LoupePlacement(page, loupes, over: image, at: input.name, limits: limits).placed()
            let single = try labels.added(
                to: placed.scene.onWholePixels(), marks: loupes.marks(count: placed.scene.loupes.count), page: image,
                name: input.name.inputName)
            let images = ImageSource(page: image, at: input.name)
            var (scene, style) = try comparison.applied(
                to: single, style: placed.style ?? (look.plain ? nil : DefaultStyle(given: [])), input: input.name,
                text: labels.look(), from: images, hasBackground: !page.keepsTransparency)
            style?.colorsText = labels.isColored
            var file = SceneFile(scene, images: images, style: style)
            file.filterChoice = FilterChoice(includesPage: page.pageFilter == nil)
            file.keepsTransparency = page.keepsTransparency
            return file
        case .document(let bytes):
            try refusePageFlags()
            do {
                return try SceneFile(parsing: bytes, name: input.name, allowsOutside: files.allowOutside)
            } catch {
                throw Suggestion.otherDocument(bytes, name: input.name.inputName, isForSession: false) ?? error
            }
        }
    }

    /// A scene has no use for the flags of a page.
    func refusePageFlags() throws {
        if let flag = pageFlags.first { throw Failure(.usage, "\(flag): only for a page; a scene says this itself") }
    }
}
