import ArgumentParser
import LoupeImaging
import LoupeOracle
import LoupeRenderer
import LoupeScene

/// `loupe-render render`: one scene, one PNG.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a PNG page, or a scene in JSON, into a PNG.",
        usage: "loupe-render render INPUT -o OUT [options]")

    @Argument(help: ArgumentHelp("A PNG page or a scene (.json); - is standard input.", valueName: "input"))
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
    @OptionGroup var limits: LimitOptions
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
        if stats == "-" && output == "-" {
            throw ValidationError("--stats - and -o - would both write to standard output; give one of them a file")
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
        let large = reference ? [] : try source.large(among: scene.imagePaths, from: streamFrom)
        let small = Set(scene.imagePaths).subtracting(large).sorted()
        let held = limits.held
        let images = Background { () -> (images: [String: Image], time: Duration) in
            let clock = ContinuousClock()
            let began = clock.now
            return (try source.load(small, limits: held), clock.now - began)
        }
        let drawing =
            reference
            ? try drawReference(scene, images, &clock)
            : large.isEmpty
                ? try draw(scene, source, images, &clock) : try draw(scene, source, images, streaming: large, &clock)
        let bytes = try PNG.encode(drawing.image, options: pngs.options)
        clock.lap(\.encode)
        if let output { try Output(output).write(bytes) }
        if let stats {
            let report = Statistics(device: drawing.device, plan: drawing.plan, times: clock.finished())
            try Output(stats).write(report.json.text() + "\n")
        }
    }

    private typealias LoadedImages = Background<(images: [String: Image], time: Duration)>

    private struct Drawing {
        let image: Image
        let plan: DrawPlan
        let device: DeviceInfo?
    }

    /// Starts the device while the images are decoded, and lets it compile what it will need for as long as they take.
    private func draw(
        _ scene: Scene, _ source: ImageSource, _ loading: LoadedImages, _ clock: inout Stopwatch
    ) throws -> Drawing {
        let renderer = Result { try Renderer(device: device.device) }
        clock.lap(\.start)
        if !loading.isDone, let renderer = try? renderer.get() {
            // A guess does: opacity decides no program.
            let traits = try source.traits(of: scene.imagePaths)
            try renderer.warmUp(DrawPlan(scene, images: traits), images: traits)
        }
        // An input that can't be used is told before a device that can't.
        let plan = try upload(loading, scene: scene, renderer: renderer, &clock)
        let image = try renderer.get().render(plan)
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, device: try renderer.get().device)
    }

    /// The same where some images are read row by row: each keeps what the scene shows of it.
    private func draw(
        _ scene: Scene, _ source: ImageSource, _ loading: LoadedImages, streaming large: [String],
        _ clock: inout Stopwatch
    ) throws -> Drawing {
        let renderer = Result { try Renderer(device: device.device) }
        clock.lap(\.start)
        let guess = try source.traits(of: scene.imagePaths)
        let streams = try large.map { path in
            let rows = try source.rows(of: path, limits: limits.streamed)
            let size = ImageSize(width: rows.width, height: rows.height)
            let stream = ImageStream(path, size: size, for: DrawPlan(scene, images: guess))
            try rows.forEachBand(stream.take)
            return stream
        }
        let loaded = try loading.take()
        clock.lap(\.decode)
        let traits = loaded.images.mapValues(\.traits).merging(streams.map { ($0.path, $0.traits) }) { $1 }
        let plan = DrawPlan(scene, images: traits)
        try renderer.get().load(loaded.images)
        let image = try renderer.get().render(plan, streams: streams)
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, device: try renderer.get().device)
    }

    /// Hands the images to the device; they are let go of here.
    private func upload(
        _ loading: LoadedImages, scene: Scene, renderer: Result<Renderer, any Error>, _ clock: inout Stopwatch
    ) throws -> DrawPlan {
        let loaded = try loading.take()
        clock.set(\.decode, loaded.time)
        let plan = DrawPlan(scene, images: loaded.images.mapValues(\.traits))
        try renderer.get().load(loaded.images)
        return plan
    }

    private func drawReference(_ scene: Scene, _ loading: LoadedImages, _ clock: inout Stopwatch) throws -> Drawing {
        let loaded = try loading.take()
        clock.set(\.decode, loaded.time)
        let plan = DrawPlan(scene, images: loaded.images.mapValues(\.traits))
        let image = try Oracle().render(scene, images: loaded.images)
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, device: nil)
    }

    private var loupes: PageLoupes { PageLoupes(single: loupe, callouts: callouts, several: several) }

    /// The flags that only a page can have.
    var pageFlags: [String] { page.given + loupes.given }

    /// The scene that is to be drawn, and where its images come from.
    func readScene() throws -> (Scene, ImageSource) {
        let input = try Input(input)
        switch input.content {
        case .page(let bytes):
            let source = try ImageSource(page: input.name, bytes)
            let size = try source.size(of: input.name)
            var scene = try page.scene(page: input.name, width: size.width, height: size.height)
            try loupes.add(to: &scene)
            return (scene, source)
        case .scene(let bytes):
            if let flag = pageFlags.first {
                throw Failure(.usage, "\(flag): only for a PNG page; a scene says this itself")
            }
            return try SceneFile.decode(bytes, name: input.name)
        }
    }
}
