import ArgumentParser
import LoupeImaging
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeReport
import LoupeScene
import LoupeSystem

/// `loupe-render live`: one page or scene, one HTML file with a loupe that follows the reader's hand, or with an editor; or
/// sessions of motion, one HTML file that plays them and whose models follow the hand.
struct Live: ParsableCommand, DeviceUsing, MemoryLimited, FileWriting {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract:
            "Writes an HTML file that holds a page and a loupe that moves under a finger or a mouse, or sessions of motion.",
        usage: "loupe-render live INPUT -o PAGE.html [--edit | --embed | --record] [options of render]",
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
            "Write an editor of the figure in place of a page for readers: loupes are placed, dragged and styled there, and a command or a scene comes out."
    )
    var edit = false

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

    private static let readerLabel =
        "A picture with a loupe. Arrow keys move the loupe, plus and minus zoom, Escape puts it away."
    private static let sessionLabel =
        "A model of motion. The space key plays its recording, arrow keys go a frame on or back; a finger or the mouse moves it."

    var device: DeviceOptions { drawing.device }
    var memory: MemoryOptions { drawing.memory }
    var writing: WritingOptions { drawing.writing }

    func validate() throws {
        try Self.check(drawing)
        let kinds = [("--edit", edit), ("--embed", embed), ("--record", record)].filter(\.1).map(\.0)
        if kinds.count > 1 {
            throw ValidationError("\(kinds[1]): not with \(kinds[0]), as these are different pages; leave out one")
        }
        if embed, drawing.output.isStandardOutput {
            throw ValidationError("-o -: loupe-figure.js is written beside the figure's file; name a file")
        }
        if edit { try EditedInput.check(drawing) }
    }

    /// Refuses what only pictures have.
    /// - Throws: `ValidationError`.
    static func check(_ drawing: Render) throws {
        let others = [
            ("--print-scene", drawing.printScene), ("--reference", drawing.reference),
            ("--stats", drawing.stats != nil),
            ("--map", drawing.beside.map != nil), ("--show-plan", drawing.beside.showPlan != nil),
            ("--depth 16", drawing.beside.depth == .sixteen), ("--shaders", drawing.shaders != nil),
        ]
        if let other = others.first(where: \.1) {
            throw ValidationError("\(other.0): only for a picture; a live page is drawn by the browser, leave it out")
        }
    }

    func run() throws {
        drawing.svgs.apply()
        guard let output = drawing.output else {
            throw Failure(.usage, "there is nowhere to write to; name -o PAGE.html")
        }
        let pipeline = drawing.pipeline
        if embed {
            try writeFigure(to: output.path, pipeline)
        } else {
            let page = try Self.isSession(drawing.input.path) ? sessionsPage(pipeline) : scenePage(pipeline)
            try page?.write(to: output.path)
        }
        pipeline.leaveToTheEnd()
    }

    /// What screen readers call a figure.
    private func figureLabel(_ usual: String) -> String {
        label.map { String(decoding: Arguments.bytes(of: $0), as: UTF8.self) } ?? usual
    }

    // MARK: - A page or a scene

    private func scenePage(_ pipeline: Pipeline) throws -> HTMLPage? {
        if let other = more.first {
            throw Failure(.usage, "\(other.path): only sessions share a page; \(drawing.input.path) is none")
        }
        let file = try drawing.readScene()
        for sentence in file.scene.unseenLoupes {
            StandardError.warn(sentence)
        }
        try drawing.fileUses(of: file).check()
        if edit {
            let input = try EditedInput(drawing, file)
            return try input.page(
                sceneName: input.usualSceneName, saveAddress: nil, label: figureLabel(EditedInput.label), pipeline)
        }
        var options = try drawing.options(for: file)
        (options.isDescribed, options.keepsImages) = (false, true)
        if record {
            let document = try LiveDocument(recordingOn: file, name: drawing.input.path, options: options)
            var opening = file
            opening.scene.loupes = []
            let figure = try drawing.liveFigure(
                document, opening, options, label: figureLabel(Self.sessionLabel), isTool: true, pipeline)
            return HTMLPage.live([figure], records: true)
        }
        let input = drawing.input.path
        return HTMLPage.live(
            try drawing.liveFigure(
                LiveDocument(file, options: options), file, options, label: figureLabel(Self.readerLabel), pipeline),
            title: input.isDash ? "Figure with a loupe" : input.name.description)
    }

    /// Writes a figure for `<loupe-figure src=…>`, and the script of that element.
    private func writeFigure(to output: Path, _ pipeline: Pipeline) throws {
        if try Self.isSession(drawing.input.path) {
            throw Failure(
                .usage, "--embed: only for a page or a scene; show the page of a session in an <iframe>, leave it out")
        }
        if let other = more.first { throw Failure(.usage, "\(other.path): --embed writes one figure; leave it out") }
        let script = output.folder.appending(Path(LiveEmbed.scriptName))
        let file = try drawing.readScene()
        var uses = try drawing.fileUses(of: file)
        uses.write(script, as: "the script beside -o")
        try uses.check()
        var options = try drawing.options(for: file)
        (options.isDescribed, options.keepsImages) = (false, true)
        let figure = try drawing.liveFigure(
            LiveDocument(file, options: options), file, options, label: figureLabel(Self.readerLabel), pipeline)
        guard let text = LiveEmbed.script else { return }
        try AtomicFile.write(Array(text.utf8), to: script)
        try AtomicFile.write(Array(LiveEmbed.file(figure).utf8), to: output)
    }

    // MARK: - Sessions

    /// Whether a file is a session: a document in JSON that names a model. Standard input is read once, so it is none.
    private static func isSession(_ path: Path) throws -> Bool {
        guard !path.isDash, path.exists, case .document(let bytes) = try InputFile(path).content else { return false }
        return SessionFile.isSession(bytes)
    }

    private func sessionsPage(_ pipeline: Pipeline) throws -> HTMLPage? {
        let flags =
            drawing.pageFlags
            + [
                ("--scale", drawing.scale != nil), ("--dpi", drawing.beside.dpi != nil),
                ("--width", drawing.beside.width != nil), ("--height", drawing.beside.height != nil),
                ("--edit", edit),
            ].filter(\.1).map(\.0)
        if let flag = flags.first {
            let reason =
                flag == "--edit"
                ? "only for a page or a scene; a session has nothing to edit, leave it out"
                : "only for a page; a session says this itself, leave it out"
            throw Failure(.usage, "\(flag): \(reason)")
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
    var pipeline: Pipeline {
        Pipeline(fallback: fallback.fallback(from: device)) { [device = device] in
            try Renderer.started(on: device.device)
        }
    }

    /// The most pixels of a picture that is packed as well as it can be, which takes two seconds for each million.
    private static let mostPackedPixels = 1 << 22
    /// From how many bytes on a whole picture for readers without scripts would be the largest part of the file, as that of a
    /// photograph.
    private static let mostStillBytes = (reader: 200_000, tool: 60_000)
    /// What they see instead: a WebP with losses of about so many bytes, and its longest side in pixels.
    private static let lossyStill = (bytes: Int32(60_000), side: 1280)

    /// A figure of a live page, with the picture of its opening frame for readers without scripts. As a page is written once
    /// and loaded often, that is packed as well as it can be, unless haste is asked for.
    /// - Parameter isTool: whether the page is of no use without scripts. The whole picture may be a WebP then, which is
    ///   smaller.
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
        let (width, height) = (opening.scene.canvas.width, opening.scene.canvas.height)
        func figure(_ document: LiveDocument, still: [UInt8]) -> PageFigure {
            PageFigure(
                document.json, pictures: document.pictures, still: still, width: width, height: height, label: label)
        }
        let picture = try pipeline.render(opening, options: options)
        let webP = isTool ? picture.webP() : nil
        func pack(_ effort: PNGOptions.Effort) throws -> [UInt8] {
            if let webP { return webP }
            var packing = pngs.options
            if packing.effort == .default { packing.effort = effort }
            return try picture.png(for: nil, options: packing)
        }
        let shared = try document.sharing(picture.image)
        // As text in the page: the whole picture takes four thirds, and the page that it would bring along five quarters.
        let still = try pack(.default)
        let whole = 4 * still.count / 3
        let most = 4 * (isTool ? Self.mostStillBytes.tool : Self.mostStillBytes.reader) / 3
        if most + 5 * (document.pictureBytes - shared.pictureBytes) / 4 < whole {
            let shown = opening.scaled(by: min(1, Double(Self.lossyStill.side) / Double(max(width, height))))
            if let still = try pipeline.render(shown, options: options).webP(size: Self.lossyStill.bytes) {
                return figure(document, still: still)
            }
        }
        let isSmall = width * height <= Self.mostPackedPixels
        return figure(shared, still: isSmall ? try pack(.best) : still)
    }
}
