import ArgumentParser
import Glibc
import LoupeCompose
import LoupeImaging
import LoupePipeline
import LoupeReport
import LoupeSystem

/// `loupe-render edit`: opens a figure in the browser, and writes the scene that is saved there.
struct Edit: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Opens a figure in the browser to place and style its loupes, and saves the scene beside it.",
        usage: "loupe-render edit INPUT [-o SCENE.json] [options of render]",
        discussion: """
            The page comes from 127.0.0.1, at an address that nobody can guess, for one browser. When the scene is saved, \
            the command ends. Without -o, the scene of figure.png is figure-loupe.json, which must not be there yet.
            """)

    @OptionGroup var drawing: Render

    @Flag(help: "Print the page's address and open no browser.")
    var noBrowser = false

    var device: DeviceOptions { drawing.device }
    var process: WorkOptions { drawing.process }

    func validate() throws {
        try Live.check(drawing)
        try EditedInput.check(drawing)
        if drawing.output.isStandardOutput {
            throw ValidationError("-o -: the scene lies beside its figure; name a file")
        }
    }

    func run() throws {
        // Before the scene is read, which may be the file that is replaced.
        let version = drawing.output.flatMap { FileVersion(of: $0.path) }
        let file = try drawing.readScene(keepsCanvas: true)
        let input = try EditedInput(drawing, file)
        let target = try target(of: input)
        try check(target, of: file)
        // A signal that comes while the page is made ends the command as any other.
        let server = try EditServer()
        let pipeline = drawing.pipeline
        let page = try input.page(
            sceneName: String(decoding: target.name.bytes, as: UTF8.self), saveAddress: SaveService.saveName, pipeline)
        pipeline.leaveToTheEnd()
        var text: [UInt8] = []
        page?.forEachPart { text += Array($0.utf8) }
        try announce(server)
        Interruption.watch()
        try server.serve(page: text) { scene in try save(scene, to: target, last: version, of: file) }
        StandardError.note("saved \(target)")
    }

    /// Where the scene goes.
    private func target(of input: EditedInput) throws -> Path {
        if let output = drawing.output { return output.path }
        try refuseReplacing(input.scenePath)
        return input.scenePath
    }

    /// Only a file that was named may be replaced.
    private func refuseReplacing(_ target: Path) throws {
        guard drawing.output == nil, target.status(followingLinks: false) != nil else { return }
        throw Failure(
            .cannotWrite,
            "\(target): it is there already; name it with -o to replace it, or edit it: loupe-render edit \(target)")
    }

    /// The scene may replace neither the figure nor one of its images, and lies where it finds these.
    private func check(_ target: Path, of file: SceneFile) throws {
        var uses = FileUses()
        uses.read(drawing.input.path, as: "the input")
        uses.readImages(of: file)
        uses.write(target, as: "-o")
        try uses.check()
        if let mode = target.status()?.st_mode, mode & S_IFMT != S_IFREG {
            throw Failure(.cannotWrite, "\(target): it is no file; name one with -o")
        }
        let (folder, own) = (drawing.input.path.folder, target.folder)
        guard (folder.isEmpty ? Path("./") : folder).real == (own.isEmpty ? Path("./") : own).real else {
            throw Failure(
                .usage, "-o \(target): the scene finds its images beside it; name a file in the figure's folder")
        }
    }

    /// Much may have happened since the page was opened, so all is checked again.
    private func save(_ scene: [UInt8], to target: Path, last version: FileVersion?, of file: SceneFile) throws {
        _ = try SceneFile(parsing: scene, name: target, allowsOutside: drawing.files.allowOutside)
        try refuseReplacing(target)
        try check(target, of: file)
        if let now = FileVersion(of: target), now != version {
            throw Failure(
                .cannotWrite, "\(target): another program has changed it; move it away, or undo that, and save again")
        }
        try AtomicFile.write(scene, to: target)
    }

    /// Opens the browser, or prints the address.
    private func announce(_ server: borrowing EditServer) throws {
        let address = server.address
        if noBrowser {
            try Output.standard.write(address + "\n")
            return
        }
        guard let program = ChildProcess.path(of: "xdg-open"),
            Spawn.start(Path(program), ["xdg-open", address], descriptors: [:]).process > 0
        else {
            throw Failure(
                .noInput,
                "there is no browser to open: xdg-open is missing; use --no-browser, and open the address yourself")
        }
        StandardError.note(
            "editing \(drawing.input.path) in the browser; save it there, or end with Ctrl-C. The address is \(address)"
        )
    }
}
