import ArgumentParser
import Glibc
import LoupeFigure
import LoupePipeline
import LoupeReport
import LoupeScene
import LoupeSystem

/// `loupe-render edit`: opens a page in the browser, where a hand makes callouts on it, and writes the picture.
struct Edit: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Opens a page in the browser: drag over it to make callouts, and save the picture.",
        usage: "loupe-render edit INPUT [-o OUT] [options of render]",
        discussion: """
            figure.png becomes figure-loupe.png, or what -o names: a PNG, a PDF or an SVG, or .json for the scene alone. \
            What the browser shows is what render draws with the same options, all of which are allowed. A picture that Loupe \
            has made goes on where it was left.

            The page comes from 127.0.0.1, at an address that nobody can guess, for one browser. Closing it, or Ctrl-C, ends \
            the command, which then prints the command that draws the picture again.
            """)

    @OptionGroup var drawing: Render
    @OptionGroup var browser: BrowserOptions

    var device: DeviceOptions { drawing.device }
    var process: WorkOptions { drawing.process }

    func validate() throws {
        try Self.check(drawing)
        try FlagValue.check("--port", browser.port.map(Double.init), in: 1...65535)
    }

    /// Refuses what an editor can't have.
    /// - Throws: `ValidationError`.
    static func check(_ drawing: Render) throws {
        if drawing.printScene { throw ValidationError("--print-scene: name the scene's file, with -o NAME.json") }
        if drawing.output.isStandardOutput {
            throw ValidationError("-o -: the picture is saved again and again; name a file")
        }
        if drawing.input.path.isDash {
            throw ValidationError("the figure needs a name that its command can say; name a file in place of -")
        }
    }

    func run() throws {
        var words = Arguments.ofProcess
        words.removeFirst()
        let input = drawing.input.path
        try TextNames.check([input] + [drawing.output?.path].compactMap(\.self), in: "an editor")
        let others = CommandWords.others(in: words, input: Arguments.escaped(input.bytes))
        let made = try drawingOfFigure(others)
        var session = try EditSession(
            made ?? drawing, FigureEditor.Command((made ?? drawing).given, others: others),
            output: drawing.output?.path ?? (made == nil ? input.stem.appending("-loupe.png") : input),
            mayReplace: drawing.output != nil || made != nil)
        let server = try EditServer(port: browser.port)
        var page: [UInt8] = []
        HTMLPage.editor(title: input.name.readable, fields: FigureEditor.fields).forEachPart { page += Array($0.utf8) }
        try announce(server)
        Interruption.watch()
        do {
            try server.serve(page: page) { session.answer(to: $0) }
        } catch let end as Failure where end.sentence.isEmpty {
            // Ctrl-C is how an editor ends.
        }
        try Output.standard.write(session.commandLine + "\n")
    }

    /// The drawing that has made the input, where that is a figure that stores it, and no option asks for another one.
    /// - Parameter others: the words of the options that are not those of a picture.
    private func drawingOfFigure(_ others: [String]) throws -> Render? {
        let input = drawing.input.path
        guard drawing.given.entries.isEmpty, case .page(let image) = try InputFile(input).content,
            let words = try StoredCommand.words(in: image, at: input, allowsOutside: drawing.files.allowOutside)
        else { return nil }
        return try Render.parse((words + others).map { Arguments.escaped($0.utf8) })
    }

    /// Opens the browser, or says the address.
    private func announce(_ server: borrowing EditServer) throws {
        let address = server.address
        if browser.noBrowser {
            try Output.standard.write(address + "\n")
            return
        }
        let program = ChildProcess.path(of: "xdg-open")
        let isOpened = program.map { Spawn.start(Path($0), ["xdg-open", address], descriptors: [:]).process > 0 }
        let how =
            isOpened == true
            ? "in the browser; save it there, and end with Ctrl-C. The address is \(address)"
            : "at \(address): open that yourself, as no browser can be opened here (xdg-open is missing); save the figure there, and end with Ctrl-C"
        StandardError.note("editing \(drawing.input.path) \(how)")
    }
}

/// The options of `edit` beside those of `render`.
struct BrowserOptions: ParsableArguments {
    @Flag(help: "Print the page's address and open no browser.")
    var noBrowser = false

    @Option(
        help: ArgumentHelp(
            "The port of the page's address, such as for a tunnel. Default: one that is free.", valueName: "N"))
    var port: Int?
}

/// The help of `edit`.
struct EditHelp: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Edit.configuration.abstract, usage: Edit.configuration.usage,
        discussion: Edit.configuration.discussion, helpNames: [])

    @OptionGroup(title: "Beside the options of render") var browser: BrowserOptions
}

extension Path {
    /// The path up to the name's ending.
    var stem: Path {
        let path = PagePath(self).file
        guard let dot = path.name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return path }
        return path.dropping(path.name.bytes.count - dot)
    }
}
