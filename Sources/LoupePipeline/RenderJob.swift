import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A picture to be drawn, as a command line or a line of a list asks for it: its page or scene, and the files to write.
package struct RenderJob: Sendable {
    /// The settings of a job beside the page's own options.
    package struct Settings: Sendable {
        /// How the picture is drawn.
        package var options = RenderOptions()
        /// How large the picture is on paper.
        package var paper = PaperSize()
        /// The same where nobody says it.
        package var usualPaper = PaperSize()
        /// Where the map of pixels goes.
        package var map: Path?
        /// Where the picture goes that shows how the scene is drawn.
        package var plan: Path?
        /// Where the statistics go.
        package var stats: Path?
        /// Whether a scene may name files that do not lie below its folder.
        package var allowsOutside = false
        /// How well a JPEG or WebP is packed, 1 to 100; nil for the format's default.
        package var quality: Int?
        /// Whether nothing is written where something would have to be said of it.
        package var isStrict = false
        /// Where files must lie that are written.
        var confinement = PathConfinement.none

        /// One picture of 8 bits, on a device, and nothing else.
        package init() { options.program = "loupe-render \(Pipeline.version)" }
    }

    /// The path of a page, a scene or a picture; `-` is standard input.
    package let input: Path
    /// Where the picture goes; `-` is standard output.
    package let output: Path?
    /// What is asked for of a page.
    package var request: Request
    package var settings: Settings
    /// What a picture stores of it; nil for a page without a name.
    private let asked: AskedFigure?

    /// - Throws: what is wrong with the first option.
    package init(_ input: Path, to output: Path?, _ given: GivenOptions, _ settings: Settings) throws(ComposeError) {
        (self.input, self.output, self.settings) = (input, output, settings)
        try settings.paper.check()
        let isVector = output.flatMap(VectorFormat.init(named:)) != nil
        request = try Request(given, enlargement: isVector ? nil : settings.paper.enlargement)
        request.writesVectors = isVector
        (request.paper.width, request.paper.height) = (settings.paper.width?.inches, settings.paper.height?.inches)
        asked = input.isDash ? nil : AskedFigure(given, settings)
    }

    /// The format of a vector file, where the output's name asks for one.
    package var vectorFormat: VectorFormat? { output.flatMap(VectorFormat.init(named:)) }

    /// The format of pixels that the output's name asks for; nil for PNG.
    var pixelFormat: PictureFormat? {
        guard let output else { return nil }
        return [.tiff, .jpeg, .webp].first { output.isNamed($0) }
    }

    /// Every output that can be asked for, with its flag.
    package var outputs: [(flag: String, path: Path?)] {
        [("-o", output), ("--map", settings.map), ("--stats", settings.stats), ("--show-plan", settings.plan)]
    }

    /// What is wrong with the name of a picture that is to be written; nil where nothing is.
    package var misnomer: String? {
        output?.misnomer("-o", for: .png, .pdf, .svg, .tiff, .jpeg, .webp) ?? settings.plan?.misnomer(
            "--show-plan", for: .png)
            ?? pixelOption.map {
                "\($0): only for a picture of pixels; write a PNG, or leave it out of a \(vectorFormat == .pdf ? "PDF" : "SVG")"
            }
            ?? (settings.quality != nil && pixelFormat != .jpeg && pixelFormat != .webp
                ? "--quality: only for a JPEG or WebP; write one, or leave it out" : nil)
    }

    /// An option that a vector file can't have; nil where there is none.
    private var pixelOption: String? {
        guard vectorFormat != nil else { return nil }
        if settings.options.depth == .sixteen { return "--depth 16" }
        if settings.options.drawsEverything { return "--shaders" }
        if settings.stats != nil { return "--stats" }
        return settings.plan == nil ? nil : "--show-plan"
    }

    /// All that is read and written. A picture that is drawn again may be replaced by the new one.
    /// - Parameter readsInput: whether the input is a file.
    package func fileUses(of file: SceneFile, readsInput: Bool = true) -> FileUses {
        let drawnAgain = 1
        var uses = FileUses()
        if readsInput { uses.read(input, as: "the input", group: file.isFromPicture ? drawnAgain : nil) }
        for case (let flag, let path?) in outputs {
            uses.write(path, as: flag, group: flag == "-o" ? drawnAgain : nil)
        }
        for path in file.scene.imagePaths { uses.read(file.images.location(of: path), as: "the scene's image") }
        return uses
    }

    /// The options for a file's canvas.
    package func options(for file: SceneFile) -> RenderOptions {
        var options = settings.options
        options.density = settings.paper.density(of: file.scene.canvas)
        return options
    }
}

extension VectorFormat {
    /// The format that a file's name asks for; nil for any other name.
    fileprivate init?(named path: Path) {
        if path.isNamed(.pdf) { self = .pdf } else if path.isNamed(.svg) { self = .svg } else { return nil }
    }
}

// MARK: - Reading

extension RenderJob {
    /// The scene to draw, complete, and where its images come from.
    /// - Parameter cache: images that other pictures show, too.
    package func readScene(_ opened: InputFile, cache: ImageCache? = nil) throws -> SceneFile {
        var file = try readFile(opened, cache)
        file.scene.alt = request.alt ?? file.scene.alt
        return file
    }

    private func readFile(_ opened: InputFile, _ cache: ImageCache?) throws -> SceneFile {
        switch opened.content {
        case .page(let image):
            if request.asksNothing,
                let stored = try SceneFile(storedIn: image, at: opened.name, allowsOutside: settings.allowsOutside)
            {
                return try scaled(stored)
            }
            var file = try SceneFile(request, on: image, at: opened.name, options: settings.options, cache: cache)
            file.asked = asked
            return file
        case .document(let bytes):
            if let flag = request.firstFlag {
                throw ComposeError(.usage, "\(flag): only for a page; a scene says this itself")
            }
            return try scaled(SceneFile(parsing: bytes, name: opened.name, allowsOutside: settings.allowsOutside))
        }
    }

    /// A scene that says all itself at `--scale`, or with as many pixels as `--width` has at `--dpi`.
    package func scaled(_ file: SceneFile) throws -> SceneFile {
        let factor = try request.factor(enlarging: file.scene)
        return factor == 1 ? file : file.scaled(by: factor)
    }
}

// MARK: - Writing

/// An error that is a warning without `--strict`.
package struct StrictError: Error, CustomStringConvertible {
    package let description: String
}

extension RenderJob {
    /// Refuses what would be a warning without `--strict`; otherwise the warnings are not gathered.
    package func refuse(_ warnings: @autoclosure () throws -> [String]) throws {
        if settings.isStrict, let first = try warnings().first { throw StrictError(description: first) }
    }

    /// Writes a PDF or SVG, and what is asked for beside it. Returns warnings.
    package func writeFigure(of file: SceneFile, as format: VectorFormat) throws -> [String] {
        guard let output else { return [] }
        let title = input.isDash ? "figure" : PagePath(input).file.name.readable
        let figure = try Pipeline.figure(
            file, options: options(for: file), as: format,
            pixelsPerInch: settings.paper.pixelsPerInch(of: file.scene.canvas), softPixelsPerInch: settings.paper.dpi,
            title: title, at: output)
        try refuse(file.unseen + figure.warnings)
        try writeMap(of: file)
        try output.write(figure.bytes, in: settings.confinement)
        return figure.warnings
    }

    /// A sentence for each thing that is not seen, not drawn as it was asked for, or not stored.
    package func warnings(about picture: Picture, of file: SceneFile) throws -> [String] {
        let isTextless = file.scene.alt != nil && (pixelFormat == .jpeg || pixelFormat == .webp)
        let text = isTextless ? "--alt: a JPEG or WebP holds no text; a PNG, TIFF, SVG or PDF does" : nil
        let isSizeless = settings.paper != settings.usualPaper && pixelFormat == .webp
        let size = isSizeless ? "a WebP does not say how large it is on paper; a PNG, JPEG or TIFF does" : nil
        let omission = output.flatMap { picture.omission(at: $0) }
        return try file.unseen + picture.warnings() + [omission, text, size].compactMap(\.self)
    }

    /// Writes all that is asked for. The picture comes last, since a batch is resumed by it.
    /// - Parameters:
    ///   - began: when the work began; nil for the sum of its steps.
    ///   - deliver: takes the picture and its PNG; nil to write the PNG.
    package func write(
        _ picture: Picture, of file: SceneFile, since began: ContinuousClock.Instant? = nil,
        _ deliver: ((Picture, [UInt8]) throws -> Void)? = nil
    ) throws {
        try refuse(warnings(about: picture, of: file))
        let clock = ContinuousClock()
        var picture = picture
        picture.density = options(for: file).density ?? picture.density
        var bytes: [UInt8] = []
        picture.times.encode = try clock.measure {
            bytes =
                if let pixelFormat, let output {
                    try picture.encoded(as: pixelFormat, for: output, quality: settings.quality)
                } else {
                    try picture.png(for: output)
                }
        }
        let steps = picture.times
        picture.times.total = began.map { clock.now - $0 } ?? steps.decode + steps.draw + steps.encode
        try writeMap(of: file)
        if let plan = settings.plan {
            let image = PlanPicture(of: picture.plan, over: picture.image).image
            try plan.write(PNG.encode(image), in: settings.confinement)
        }
        try settings.stats?.write(Array(picture.statistics.utf8), in: settings.confinement)
        if let deliver { try deliver(picture, bytes) } else { try output?.write(bytes, in: settings.confinement) }
    }

    private func writeMap(of file: SceneFile) throws {
        guard let path = settings.map else { return }
        let text = PixelMap(file.scene, sizes: try file.imageSizes).json.text() + "\n"
        try path.write(Array(text.utf8), in: settings.confinement)
    }
}
