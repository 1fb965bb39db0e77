import ArgumentParser
import LoupePipeline
import LoupeReport
import LoupeScene
import LoupeSystem

/// `loupe-render live`: one page or scene, one HTML file with a loupe that follows the reader's hand; or sessions of motion, one HTML file that plays them and whose models follow the hand.
struct Live: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract:
            "Writes an HTML file that holds a page and a loupe that moves under a finger or a mouse, or sessions of motion.",
        usage: "loupe-render live INPUT -o PAGE.html [--embed | --record] [options of render]",
        discussion: """
            The file needs no network. It opens showing what `render` draws with the same options. Browsers without WebGL2, \
            or without scripts, show that picture. Sessions of motion (those that `replay` draws) are played, and their \
            models follow the reader's hand.
            """)

    @OptionGroup var drawing: Render

    @Argument(help: ArgumentHelp("More sessions for the same page, if the input is a session.", valueName: "session"))
    var more: [InputPath] = []

    @Flag(
        help:
            "Write the figure for a page of one's own: -o names a file for <loupe-figure src=…>, and loupe-figure.js, which the page loads once, is written beside it."
    )
    var embed = false

    @Flag(
        help:
            "Record the hand: sessions get a button that saves the trace for replay; a page or a scene becomes one of the model loupe."
    )
    var record = false

    @Option(help: ArgumentHelp("What screen readers call the figure. Default: how keys move it.", valueName: "text"))
    var label: String?

    private static let readerKeys = "Arrow keys move a loupe, plus and minus zoom, Escape puts it away."
    private static let sessionLabel =
        "A model of motion. The space key plays its recording, arrow keys go a frame on or back; a finger or the mouse moves it."

    var device: DeviceOptions { drawing.device }
    var process: WorkOptions { drawing.process }

    func validate() throws {
        try Self.check(drawing)
        if embed, record {
            throw ValidationError("--record: not with --embed, as these are different pages; leave out one")
        }
        if embed, drawing.output.isStandardOutput {
            throw ValidationError("-o -: loupe-figure.js is written beside the figure's file; name a file")
        }
        if let path = drawing.output?.path, embed ? path.isNamed(.html) : path.ending == "js" {
            throw ValidationError(
                embed
                    ? "-o \(path): --embed writes a script for a page of one's own; end the name in .js"
                    : "-o \(path): a page is written, and with --embed a script; end the name in .html, or add --embed")
        }
    }

    /// Refuses what only pictures have.
    /// - Throws: `ValidationError`.
    static func check(_ drawing: Render) throws {
        let others = [
            ("--print-scene", drawing.printScene), ("--reference", drawing.reference),
            ("--stats", drawing.stats != nil),
            ("--map", drawing.beside.map != nil), ("--show-plan", drawing.beside.showPlan != nil),
            ("--depth 16", drawing.beside.depth == .sixteen), ("--shaders", drawing.shaders != nil),
            ("--quality", drawing.beside.quality != nil), ("--no-metadata", drawing.beside.noMetadata),
            ("--print-latex", drawing.printLatex), ("--print-markdown", drawing.printMarkdown),
            ("--print-typst", drawing.printTypst),
        ]
        if let other = others.first(where: \.1) {
            throw ValidationError("\(other.0): only for a picture; a live page is drawn by the browser, leave it out")
        }
    }

    func run() throws {
        guard let output = drawing.output else {
            throw Failure(.usage, "there is nowhere to write to; name -o PAGE.html")
        }
        let pipeline = drawing.pipeline
        if try Self.isSession(drawing.input.path) {
            try sessionsPage(pipeline).map(Output(output).write)
        } else {
            try writePage(to: output.path, pipeline)
        }
        pipeline.leaveToTheEnd()
    }

    /// What screen readers call a figure.
    private func figureLabel(_ usual: String) -> String {
        label.map { String(decoding: Arguments.bytes(of: $0), as: UTF8.self) } ?? usual
    }

    // MARK: - A page or a scene

    /// Writes the page of a page or a scene; or a figure for `<loupe-figure src=…>`, and the script of that element.
    private func writePage(to output: Path, _ pipeline: Pipeline) throws {
        if let other = more.first {
            throw Failure(.usage, "\(other.path): only sessions share a page; \(drawing.input.path) is none")
        }
        let file = try drawing.readScene()
        try drawing.warn(file.unseen)
        let script = output.folder.appending(Path(LiveEmbed.scriptName))
        var uses = try drawing.fileUses(of: file)
        if embed { uses.write(script, as: "the script beside -o") }
        try uses.check()
        if !embed { try output.misnomer("-o", for: .html).refuse() }
        let figure = try figure(of: file, pipeline)
        if embed, let text = LiveEmbed.script {
            try AtomicFile.write(Array(text.utf8), to: script)
            return try AtomicFile.write(Array(LiveEmbed.file(figure).utf8), to: output)
        }
        let input = drawing.input.path
        let page =
            record
            ? HTMLPage.live([figure], records: true)
            : HTMLPage.live(figure, title: input.isDash ? "Figure with a loupe" : input.name.readable)
        try page.map(Output(path: output).write)
    }

    private func figure(of file: SceneFile, _ pipeline: Pipeline) throws -> PageFigure {
        let options = try drawing.liveOptions(for: file)
        guard record else {
            return try drawing.liveFigure(
                LiveDocument(file, options: options), file, options,
                label: figureLabel(file.scene.alt ?? "\(file.scene.spoken) \(Self.readerKeys)"), pipeline)
        }
        let document = try LiveDocument(recordingOn: file, name: drawing.input.path, options: options)
        var opening = file
        opening.scene.loupes = []
        return try drawing.liveFigure(
            document, opening, options, label: figureLabel(Self.sessionLabel), isTool: true, pipeline)
    }

    // MARK: - Sessions

    /// Whether a file is a session: a document in JSON that names a model. Standard input is read once, so it is none.
    private static func isSession(_ path: Path) throws -> Bool {
        guard !path.isDash, path.exists, case .document(let bytes) = try InputFile(path).content else { return false }
        return SessionFile.isSession(bytes)
    }

    private func sessionsPage(_ pipeline: Pipeline) throws -> HTMLPage? {
        if embed {
            throw Failure(.usage, "--embed: only for a page or a scene; leave it out of a page of sessions")
        }
        let sizes = [
            ("--dpi", drawing.beside.dpi != nil), ("--width", drawing.beside.width != nil),
            ("--height", drawing.beside.height != nil),
        ]
        if let flag = drawing.given.flags.first ?? sizes.first(where: \.1)?.0 {
            throw Failure(.usage, "\(flag): only for a page; a session says this itself, leave it out")
        }
        var uses = drawing.fileUses(without: ["output"])
        for path in more { uses.read(path.path, as: "a session") }
        if let output = drawing.output { uses.write(output.path, as: "-o") }
        var options = RenderOptions()
        options.maxPixels = drawing.limits.maxPixels
        (options.isDescribed, options.keepsImages) = (false, true)
        let files = try ([drawing.input] + more).map { input in
            let file = try SessionFile.read(input.path, allowsOutside: drawing.files.allowOutside)
            for path in file.files { uses.read(path, as: "the session's file") }
            try uses.check()
            return file
        }
        try drawing.output?.path.misnomer("-o", for: .html).refuse()
        let sessions = try files.map { file in
            try drawing.liveFigure(
                LiveDocument(file, options: options), SceneFile(file.frame(0).scene, images: file.images), options,
                label: figureLabel(Self.sessionLabel), pipeline)
        }
        return HTMLPage.live(sessions, records: record)
    }
}

extension Render {
    /// Draws on the device of the flags.
    var pipeline: Pipeline { device.pipeline(fallback) }

    /// Warns on standard error.
    /// - Throws: the first sentence, with `--strict`.
    func warn(_ sentences: [String]) throws {
        if beside.strict, let first = sentences.first { throw Failure(.badInput, first) }
        for sentence in sentences { StandardError.warn(sentence) }
    }

    /// How the pictures of a live page are drawn.
    func liveOptions(for file: SceneFile) throws -> RenderOptions {
        var options = try options(for: file)
        (options.isDescribed, options.keepsImages) = (false, true)
        return options
    }

    /// A figure of a live page, with the picture of its opening frame for readers without scripts.
    /// - Parameter isTool: whether the page is of no use without scripts.
    func liveFigure(
        _ document: LiveDocument, _ opening: SceneFile, _ options: RenderOptions, label: String, isTool: Bool = false,
        _ pipeline: Pipeline
    ) throws -> PageFigure {
        // All input has been read: what is wrong with it comes first.
        guard LiveModule.isBuilt else {
            throw Failure(
                .noDevice,
                "this command was built without the modules of live pages, or with those of another version; run tools/build-web and build it again"
            )
        }
        let (still, warnings) = try LiveDocument.still(of: opening, options, isTool: isTool, on: pipeline)
        try warn(warnings)
        return PageFigure(
            document.json, pictures: document.pictures, still: still, width: opening.scene.canvas.width,
            height: opening.scene.canvas.height, label: label)
    }
}
