import ArgumentParser
import Glibc
import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePipeline
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A figure that a browser edits: each change is a change of the command, which is composed and drawn as `render` does it.
struct EditSession {
    private let input: Path
    private let opened: InputFile
    /// The options of the command that are not those of a picture.
    private var drawing: Render
    private(set) var output: Path
    private var editor: FigureEditor
    private let (cache, pipeline): (ImageCache, Pipeline)
    /// Saves; the other one keeps what it has drawn.
    private let saving: Pipeline
    private var drawer: FrameDrawer?
    /// What the page shows.
    private var (figure, file): (DrawnFigure?, SceneFile?)
    private var frame: FrameSequence.Frame?
    private var shown = ShownPicture()
    /// Where the frame may differ from that.
    private var changed = PixelRect(width: 0, height: 0)
    /// The output as it was found, or saved last; nil where there was none.
    private var version: FileVersion?
    private let mayReplace: Bool

    /// - Parameters:
    ///   - command: what is drawn at first.
    ///   - mayReplace: whether the output may be a file that is there.
    init(_ drawing: Render, _ command: FigureEditor.Command, output: Path, mayReplace: Bool) throws {
        (self.drawing, self.output, self.mayReplace) = (drawing, output, mayReplace)
        input = drawing.input.path
        opened = try InputFile(input)
        editor = FigureEditor(command)
        (cache, pipeline, saving) = (ImageCache(), drawing.pipeline, drawing.pipeline)
        version = mayReplace ? FileVersion(of: output) : nil
        try checkOutput()
        try draw(editor)
        try checkFiles()
    }

    // MARK: - Drawing

    /// Draws what an editor asks for, and makes it this one.
    private mutating func draw(_ next: FigureEditor) throws {
        guard case .page(let image) = opened.content else {
            throw Failure(.badInput, "\(input): an editor opens a page, or a picture that Loupe has made of one")
        }
        var job = try drawing.job(next.drawn, to: nil)
        job.settings.options.depth = .eight
        let file = try SceneFile(job.request, on: image, at: input, options: job.settings.options, cache: cache)
        guard let origin = file.origin else { return }
        let figure = try DrawnFigure(
            file.scene, origin.text, of: origin.request, page: ImagePath(bytes: input.bytes), facts: origin.facts)
        if drawer == nil {
            let renderer = job.settings.options.usesOracle ? nil : try pipeline.device()
            drawer = FrameDrawer(renderer, images: file.images, limits: job.settings.options.heldLimits)
        }
        // Held by nobody, its memory becomes the next frame's.
        frame = nil
        guard let frame = try drawer?.draw(file.scene) else { return }
        changed = .union(of: [changed, frame.changed])
        (editor, self.figure, self.file, self.frame) = (next, figure, file, frame)
    }

    // MARK: - Actions

    /// What is answered to an action of the page; nil where the page is closed.
    mutating func answer(to action: [UInt8]) -> HTTPAnswer? {
        do {
            let document = try JSONReader(parsing: action)
            switch try document.member("do")?.string() {
            case "close": return nil
            case "open":
                if frame == nil { try draw(editor) }
                shown = ShownPicture()
                return picture()
            case "save":
                let output = try save()
                StandardError.note("saved \(output)")
                return picture(saying: "\(output) is saved.")
            case "command": try type(document.member("text")?.string() ?? "")
            default:
                guard let figure else { return nil }
                var next = editor
                try next.apply(EditAction(from: document), on: figure)
                try draw(next)
            }
            return picture()
        } catch {
            return HTTPAnswer(422, Failure(error).sentence)
        }
    }

    /// The state as JSON, after its length in four bytes, and the pixels that have changed, block by block: straight RGBA.
    private mutating func picture(saying message: String? = nil) -> HTTPAnswer {
        guard let figure, let image = frame?.image else { return HTTPAnswer(500, "there is no picture") }
        var members = editor.state(of: figure)
        let (blocks, pixels) = shown.take(image, within: changed)
        let changes = blocks.map { block -> JSONValue in
            .array([block.minX, block.minY, block.width, block.height].map { .number(Double($0)) })
        }
        members += [
            ("canvas", [.number(Double(image.width)), .number(Double(image.height))]),
            ("changed", .array(changes)),
            ("command", .string(commandLine)), ("message", .string(message ?? editor.message)),
            ("output", .string(output.readable)),
            ("warnings", .array((file?.scene.unseenLoupes ?? []).map(JSONValue.string))),
        ]
        let state = Array(JSONValue.object(JSONObject(members)).line.utf8)
        let length = UInt32(state.count)
        var body = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + state
        body.reserveCapacity(body.count + pixels.count)
        body += pixels
        changed = PixelRect(width: 0, height: 0)
        return HTTPAnswer(status: 200, type: "application/octet-stream", body: body)
    }

    // MARK: - The command

    /// The command that draws the figure, in one line for a shell.
    var commandLine: String {
        let name = { (path: Path) in String(decoding: path.bytes, as: UTF8.self) }
        let options = editor.drawn.commandWords + editor.command.others
        let words = ["loupe-render", name(input)]
        guard isScene else { return ShellWords.line(words + ["-o", name(output)] + options) }
        return ShellWords.line(words + options + ["--print-scene"]) + " > " + name(output).forShell
    }

    /// Draws a command that somebody has typed.
    private mutating func type(_ text: String) throws {
        var words = try ShellWords.split(text).map { Arguments.escaped($0.utf8) }
        guard words.first == "loupe-render" else {
            throw Failure(.usage, "a command begins with loupe-render and the page's name")
        }
        words.removeFirst()
        if words.first == "render" || words.first == "edit" { words.removeFirst() }
        let typed: Render
        do {
            typed = try Render.parse(words)
        } catch {
            throw Failure(.usage, Render.message(for: error))
        }
        try Edit.check(typed)
        guard typed.input.path == input else {
            throw Failure(.usage, "\(typed.input.path): this editor has \(input); start another for another page")
        }
        let before = (drawing, output)
        do {
            drawing = typed
            if let output = typed.output { self.output = output.path }
            try checkOutput()
            var next = editor
            try next.change { [given = typed.given] in
                $0 = .init(given, others: CommandWords.others(in: words, input: Arguments.escaped(input.bytes)))
            }
            // The settings of drawing may have changed.
            (drawer, frame) = (nil, nil)
            try draw(next)
            try checkFiles()
        } catch {
            (drawing, output) = before
            try draw(editor)
            throw error
        }
    }

    // MARK: - Saving

    /// Draws the command as `render` does, and writes its files.
    private mutating func save() throws -> Path {
        try checkOutput()
        if let now = FileVersion(of: output), now != version {
            throw Failure(
                .cannotWrite, "\(output): another program has changed it; move it away, or undo that, and save again")
        }
        let job = try job
        let file = try job.readScene(InputFile(input))
        try drawing.check(file, job)
        if isScene {
            try AtomicFile.write(Array(SceneEncoder().encode(file.scene).utf8), to: output)
        } else {
            let scene = try job.draw(since: .now, reading: { file }, on: { saving })
            try drawing.printLines(about: scene)
        }
        version = FileVersion(of: output)
        return output
    }

    /// Whether the scene alone is saved.
    private var isScene: Bool { output.hasEnding(".json") }

    /// What is saved.
    private var job: RenderJob { get throws { try drawing.job(editor.drawn, to: isScene ? nil : output) } }

    /// Whether all that is read and written may be, by its names.
    private func checkFiles() throws {
        guard let file else { return }
        try drawing.check(file, job)
        guard isScene else { return }
        var uses = FileUses()
        uses.read(input, as: "the input")
        uses.write(output, as: "-o")
        try uses.check()
    }

    /// Whether the output may be written. It is asked at the start and at each saving: much may have happened between.
    private func checkOutput() throws {
        let (isThere, file) = (output.status(followingLinks: false) != nil, output.status())
        if isThere, !mayReplace, version == nil || FileVersion(of: output) != version {
            throw Failure(
                .cannotWrite,
                "\(output): it is there already; name it with -o to replace it, or edit it: loupe-render edit \(output)"
            )
        }
        if let mode = file?.st_mode, mode & S_IFMT != S_IFREG {
            throw Failure(.cannotWrite, "\(output): it is no file; name one with -o")
        }
        guard !isScene || input.realFolder == output.realFolder else {
            throw Failure(
                .usage, "-o \(output): the scene finds its images beside it; name a file in the figure's folder")
        }
    }
}

extension Path {
    /// Its folder without links.
    fileprivate var realFolder: Path? { (folder.isEmpty ? Path("./") : folder).real }
}

/// The words of a command line.
enum CommandWords {
    /// The words of options that are neither those of a picture nor name its input and output.
    /// - Parameters:
    ///   - words: as `Arguments` escapes them.
    ///   - input: the same of the input.
    static func others(in words: [String], input: String) -> [String] {
        var (others, rest): ([String], ArraySlice<String>) = ([], words[...])
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else { continue }
            let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
            var own = [word]
            if !word.contains("="), takesValue(name), let next = rest.first, next == "-" || !next.hasPrefix("-"),
                next != input
            {
                own.append(rest.removeFirst())
            }
            let isLeftOut = PictureOption.named(name) != nil || ["o", "output", "port", "no-browser"].contains(name)
            if !isLeftOut { others += own }
        }
        return others.map { String(decoding: Arguments.bytes(of: $0), as: UTF8.self) }
    }

    private static func takesValue(_ name: String) -> Bool {
        guard let option = PictureOption.named(name) else { return name != "no-browser" }
        return if case .none = option.value { false } else { true }
    }
}
