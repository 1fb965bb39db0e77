import ArgumentParser
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeJSON
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene

/// `loupe-render render`: one scene, one PNG.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a page, or a scene in JSON, into a PNG.",
        usage: "loupe-render render INPUT -o OUT [options]")

    @Argument(
        help: ArgumentHelp(
            "A page (PNG, JPEG, WebP or SVG), a scene (.json), or a picture made by Loupe, which is drawn again; - is standard input.",
            valueName: "input"))
    var input: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The PNG to write; - is standard output.", valueName: "out"))
    var output: String?

    @OptionGroup(title: "A page") var page: PageOptions
    @OptionGroup(title: "Its loupe") var loupe: LoupeOptions
    @OptionGroup(title: "Callouts and pixels") var callouts: CalloutOptions
    @OptionGroup(title: "Several loupes") var several: SeveralLoupesOptions
    @OptionGroup var device: DeviceOptions
    @OptionGroup(title: "What is written beside the pixels") var beside: OutputOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var files: FileOptions
    @OptionGroup var pngs: PNGWritingOptions

    @Option(help: ArgumentHelp("For tests: read images of this many pixels and more row by row.", visibility: .private))
    var streamFrom = 1 << 26

    @Flag(name: .long, help: "Draw with the double-precision CPU renderer that references are made with.")
    var reference = false

    @Flag(name: .long, help: "Write the scene as JSON to standard output and draw nothing.")
    var printScene = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write what was drawn, by which shaders and how long it took, as JSON; - is standard output.",
            valueName: "path"))
    var stats: String?

    func validate() throws {
        guard output != nil || printScene else {
            throw ValidationError("there is nowhere to write to; name a file with -o OUT, or - for standard output")
        }
        let toStandardOutput = [("-o -", output), ("--stats -", stats), ("--map -", beside.map)].filter { $0.1 == "-" }
        if toStandardOutput.count > 1 {
            let names = toStandardOutput.map(\.0).joined(separator: " and ")
            throw ValidationError("\(names) would both write to standard output; give one of them a file")
        }
    }

    func run() throws {
        do {
            try perform()
        } catch {
            throw Failure(error)
        }
    }

    private func perform() throws {
        var clock = Stopwatch()
        let (scene, source) = try readScene()
        if printScene {
            try Output.standard.write(SceneEncoder().encode(scene))
            return
        }
        try checkFiles(of: scene, from: source)
        let digests = needsDigests(of: source) ? source.digests(of: scene.imagePaths) : nil
        let large = isHoldingAll ? [] : try source.large(among: scene.imagePaths, from: streamFrom)
        let small = scene.imagePaths.filter { !large.contains($0) }
        let held = limits.held
        let images = Background { () -> (images: SceneImages, time: Duration) in
            let clock = ContinuousClock()
            let began = clock.now
            return (try SceneImages(small, of: scene, from: source, limits: held), clock.now - began)
        }
        let drawing =
            reference
            ? try drawReference(scene, images, &clock)
            : large.isEmpty
                ? try draw(scene, source, images, &clock) : try draw(scene, source, images, streaming: large, &clock)
        let description = SelfDescription(scene: scene, source: source, digests: try digests?.take() ?? [:])
        for change in description.changes { StandardError.write("loupe-render: warning: \(change.forTerminal)\n") }
        let bytes = try PNG.encode(
            drawing.image, options: options(description, colors: drawing.colors, device: drawing.device))
        clock.lap(\.encode)
        if let output { try Output(output).write(bytes) }
        try writeMap(of: scene, from: source)
        if let stats {
            let report = Statistics(
                device: drawing.device, plan: drawing.plan, colors: drawing.colors, times: clock.finished())
            try Output(stats).write(report.json.text() + "\n")
        }
    }

    private typealias LoadedImages = Background<(images: SceneImages, time: Duration)>

    private struct Drawing {
        let image: Image
        let plan: DrawPlan
        let colors: [ImageColor]
        let device: DeviceInfo?
    }

    /// Starts the device while the images are decoded, and lets it compile what it will need for as long as they take.
    private func draw(
        _ scene: Scene, _ source: ImageSource, _ loading: LoadedImages, _ clock: inout Stopwatch
    ) throws -> Drawing {
        let renderer = Result { try Renderer.started(on: device.device) }
        clock.lap(\.start)
        if !loading.isDone, let renderer = try? renderer.get() {
            // A guess does: opacity decides no program.
            let traits = try source.traits(of: scene.imagePaths)
            try renderer.warmUp(DrawPlan(scene, images: traits, depth: beside.depth), images: traits)
        }
        // An input that can't be used is told before a device that can't.
        let (plan, colors, moved) = try upload(loading, scene: scene, renderer: renderer, &clock)
        let image = try renderer.get().render(plan, streams: moved)
        try renderer.get().leaveToTheEnd()
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, colors: colors, device: try renderer.get().device)
    }

    /// The same where some images are read row by row: each keeps what the scene shows of it.
    private func draw(
        _ scene: Scene, _ source: ImageSource, _ loading: LoadedImages, streaming large: [String],
        _ clock: inout Stopwatch
    ) throws -> Drawing {
        let renderer = Result { try Renderer.started(on: device.device) }
        clock.lap(\.start)
        let guess = try source.traits(of: scene.imagePaths)
        // What the canvas and the loupes can show of a page, filtered.
        let (width, height) = (scene.canvas.width, scene.canvas.height)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 16 * large.count) else {
            throw RenderError.outOfMemory(width: width, height: height)
        }
        let streams = try large.map { path -> (ImageStream, ImageColor) in
            let rows = try source.rows(of: path, limits: limits.streamed)
            let size = ImageSize(width: rows.width, height: rows.height)
            let stream = ImageStream(path, size: size, for: DrawPlan(scene, images: guess))
            try rows.forEachConvertedBand(stream.take)
            return (stream, ImageColor(path, converting: rows.color))
        }
        let loaded = try loading.take()
        clock.lap(\.decode)
        let traits = loaded.images.traits.merging(streams.map { ($0.0.path, $0.0.traits) }) { $1 }
        let plan = DrawPlan(scene, images: traits)
        try renderer.get().load(loaded.images.images)
        let image = try renderer.get().render(plan, streams: streams.map(\.0))
        try renderer.get().leaveToTheEnd()
        clock.lap(\.draw)
        let known = loaded.images.colors + streams.map(\.1)
        let colors = scene.imagePaths.compactMap { path in known.first { $0.path == path } }
        return Drawing(image: image, plan: plan, colors: colors, device: try renderer.get().device)
    }

    /// Hands the images to the device, but for those that need not become textures; they are let go of here.
    private func upload(
        _ loading: LoadedImages, scene: Scene, renderer: Result<Renderer, any Error>, _ clock: inout Stopwatch
    ) throws -> (DrawPlan, [ImageColor], moved: [ImageStream]) {
        let loaded = try loading.take()
        clock.set(\.decode, loaded.time)
        let plan = DrawPlan(scene, images: loaded.images.traits, depth: beside.depth)
        let moved = loaded.images.images.compactMap { ImageStream($0, moving: $1, for: plan) }
        let paths = Set(moved.map(\.path))
        try renderer.get().load(loaded.images.images.filter { !paths.contains($0.key) })
        return (plan, loaded.images.colors, moved)
    }

    private func drawReference(_ scene: Scene, _ loading: LoadedImages, _ clock: inout Stopwatch) throws -> Drawing {
        let loaded = try loading.take()
        clock.set(\.decode, loaded.time)
        let plan = DrawPlan(scene, images: loaded.images.traits, depth: beside.depth)
        let image = try Oracle().render(scene, images: loaded.images.images, depth: beside.depth)
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, colors: loaded.images.colors, device: nil)
    }

    /// Whether no image is read row by row: that is done in 8 bits, and by the shaders' numbers.
    private var isHoldingAll: Bool { reference || beside.depth == .sixteen }

    /// Holds that no output replaces another, the scene or one of its images. A picture that is drawn again may be replaced.
    func checkFiles(of scene: Scene, from source: ImageSource) throws {
        let document = PNG.isPNGFile(input) ? [] : [input]
        try OwnFiles.check(
            outputs: [("-o", output), ("--map", beside.map), ("--stats", stats)],
            inputs: document + scene.imagePaths.map(source.place))
    }

    /// Whether the images' digests are stored, or compared with stored ones.
    func needsDigests(of source: ImageSource) -> Bool { !beside.noMetadata || !source.recorded.isEmpty }

    /// How the picture is written.
    func options(_ description: SelfDescription, colors: [ImageColor], device: DeviceInfo?) -> PNGOptions {
        var options = pngs.options
        options.profile = colors.lazy.compactMap(\.carriedProfile).first
        if let output, !beside.noMetadata { options.texts = description.texts(for: output, device: device) }
        return options
    }

    /// Writes `--map`, where it is asked for.
    func writeMap(of scene: Scene, from source: ImageSource) throws {
        guard let path = beside.map else { return }
        let sizes = try Dictionary(
            uniqueKeysWithValues: scene.imagePaths.map { ($0, try source.traits(of: $0).size) })
        try Output(path).write(PixelMap(scene, sizes: sizes).json.text() + "\n")
    }

    private var loupes: PageLoupes { PageLoupes(single: loupe, callouts: callouts, several: several) }

    /// The flags that only a page can have.
    var pageFlags: [String] { page.given + loupes.given }

    /// The scene that is to be drawn, and where its images come from.
    func readScene() throws -> (Scene, ImageSource) {
        let (scene, source) = try readSceneOfAnyDepth()
        return (scene, source.keepingDepth(beside.depth == .sixteen))
    }

    private func readSceneOfAnyDepth() throws -> (Scene, ImageSource) {
        let input = try Input(input)
        switch input.content {
        case .page(let bytes):
            if pageFlags.isEmpty,
                let stored = try SceneFile.stored(
                    in: bytes, name: input.name, allowsOutside: files.allowOutside)
            {
                return stored
            }
            let source = try ImageSource(page: input.name, bytes)
            let size = try source.size(of: input.name)
            var scene = try page.scene(page: input.name, width: size.width, height: size.height)
            try loupes.add(to: &scene)
            return (scene, source)
        case .scene(let bytes):
            if let flag = pageFlags.first {
                throw Failure(.usage, "\(flag): only for a page; a scene says this itself")
            }
            return try SceneFile.decode(bytes, name: input.name, allowsOutside: files.allowOutside)
        }
    }
}
